package io.tensornio;

import io.tensornio.internal.data.FloatSparse;
import io.tensornio.internal.data.FloatSparseBuilder;
import io.tensornio.internal.data.FloatSparseTensors;
import io.tensornio.internal.data.FloatView;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.ragged.RaggedShapes;
import java.util.Objects;
import java.util.function.Consumer;

/** Makes sparse {@code float} tensors. */
final class FloatSparseFactory {
    private FloatSparseFactory() {
    }

    static SparseTensor<Float> fill(long[] shape, int numValues, Consumer<? super FloatTensorData> init) {
        Objects.requireNonNull(init, "init");
        return fill(init, new FloatSparseBuilder(Shapes.checkSparse(shape), numValues));
    }

    static SparseTensor<Float> fill(Consumer<? super FloatTensorData> init, FloatSparseBuilder filling) {
        FloatSparse sparse;
        try {
            init.accept(filling.data());
            sparse = filling.publish();
        } catch (Throwable e) {
            filling.close();
            throw e;
        }
        return publish(sparse);
    }

    static SparseTensor<Float> of(LongTensorData indices, FloatTensorData values, long... denseShape) {
        return publish(FloatSparseTensors.of(indices, values, denseShape));
    }

    static SparseTensor<Float> fromDense(FloatTensorData data) {
        if (data != null && RaggedShapes.isRagged(data.shape())) {
            try (Tensor<Float> dense = FloatFactory.create(data)) {           // throws if rows differ in length
                return publish(FloatSparseTensors.of(dense.floatData()));
            }
        }
        return publish(FloatSparseTensors.of(data));
    }

    private static SparseTensor<Float> publish(FloatSparse sparse) {
        try {
            FloatTensorData data = FloatView.of(sparse, sparse.shape());
            FloatTensorData stored = FloatView.of(sparse.stored(), Layout.rowMajor(sparse.stored().shape()));
            Tensor<Float> values = new Tensor<>(sparse.stored(), stored, true);
            return new SparseTensor<>(sparse, values, data, () -> FloatFactory.create(data));
        } catch (Throwable e) {
            sparse.close();
            throw e;
        }
    }
}
