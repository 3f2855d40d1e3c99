package io.tensornio.support;

import io.tensornio.AbstractFloatTensorData;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorDescription;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import java.nio.FloatBuffer;
import java.util.function.Consumer;

/** What tests of types that are stored narrow call where an exemplar calls the factories of its own type, which have their names. */
public final class FloatFactories {
    private FloatFactories() {
    }

    public static Tensor<Float> denseFloat(long[] shape, Consumer<? super FloatTensorData> init) {
        return Tensors.denseFloat(DataType.FLOAT, shape, init);
    }

    public static Tensor<Float> denseFloat(TensorLayout layout, Consumer<? super FloatTensorData> init) {
        return Tensors.denseFloat(TensorDescription.of(DataType.FLOAT, layout), init);
    }

    public static Tensor<Float> denseFloat(TensorDescription description, Consumer<? super FloatTensorData> init) {
        return Tensors.denseFloat(description, init);
    }

    public static SparseTensor<Float> sparseFloat(long[] shape, int numValues, Consumer<? super FloatTensorData> init) {
        return Tensors.sparseFloat(DataType.FLOAT, shape, numValues, init);
    }

    public static SparseTensor<Float> sparseFloat(io.tensornio.LongTensorData indices, FloatTensorData values, long... shape) {
        return Tensors.sparseFloat(indices, values, shape);
    }

    public static RaggedTensor<Float> raggedFloat(long[] shape, Consumer<? super FloatTensorData> init) {
        return Tensors.raggedFloat(DataType.FLOAT, shape, init);
    }

    public static Tensor<Float> ofNested(float[] nested) {
        return nested(nested);
    }

    public static Tensor<Float> ofNested(float[][] nested) {
        return nested(nested);
    }

    public static Tensor<Float> ofNested(float[][][] nested) {
        return nested(nested);
    }

    public static Tensor<Float> ofNested(float[][][][] nested) {
        return nested(nested);
    }

    public static Tensor<Float> ofNested(float[][][][][] nested) {
        return nested(nested);
    }

    public static Tensor<Float> ofNested(float[][][][][][] nested) {
        return nested(nested);
    }

    public static Tensor<?> ofNested(Object nested) {
        return Tensors.ofNested(DataType.FLOAT, nested);
    }

    @SuppressWarnings("unchecked")          // the carrier's arrays make tensors of its element
    private static Tensor<Float> nested(Object nested) {
        return (Tensor<Float>) Tensors.ofNested(DataType.FLOAT, nested);
    }

    /** A vector over an array. */
    public static FloatTensorData of(float[] values) {
        return of(values, values.length);
    }

    /** Data over an array, which has no form in memory that is narrow: it is a user's own. */
    public static FloatTensorData of(float[] values, long... shape) {
        return new FloatSources.Own(values, shape);
    }

    /** As {@link #of(float[], long...)} over a buffer. */
    public static FloatTensorData of(FloatBuffer buffer, long... shape) {
        FloatBuffer own = buffer.slice();
        return new AbstractFloatTensorData(shape) {
            private long at(long... indices) {
                long at = 0;
                for (int d = 0; d < indices.length; d++) {
                    at = at * shape[d] + indices[d];
                }
                return at;
            }

            @Override
            protected float getAt(long[] indices) {
                return own.get((int) at(indices));
            }

            @Override
            protected void putAt(float value, long[] indices) {
                own.put((int) at(indices), value);
            }

            @Override
            public boolean isReadOnly() {
                return own.isReadOnly();
            }
        };
    }
}
