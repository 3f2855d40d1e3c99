package io.tensornio;

import io.tensornio.internal.RaggedShapes;
import io.tensornio.internal.StringSparse;
import io.tensornio.internal.StringSparseBuilder;
import io.tensornio.internal.StringSparseFilling;
import io.tensornio.internal.StringView;
import java.util.function.Consumer;

/** Makes sparse STRING tensors. */
final class StringSparseFactory {
    private StringSparseFactory() {
    }

    static SparseTensor<String> fill(long[] shape, int numValues, Consumer<? super StringTensorData> init) {
        return fill(init, init == null ? null : StringSparseFilling.of(shape, numValues));
    }

    static SparseTensor<String> fill(long[] shape, int numValues, int elementLength, int padding, Consumer<? super StringTensorData> init) {
        return fill(init, init == null ? null : StringSparseFilling.of(shape, numValues, elementLength, padding));
    }

    private static SparseTensor<String> fill(Consumer<? super StringTensorData> init, StringSparseFilling filling) {
        if (init == null) {
            throw new NullPointerException("init");
        }
        StringSparse sparse;
        try {
            init.accept(filling.data());
            sparse = filling.publish();
        } catch (Throwable e) {
            filling.close();
            throw e;
        }
        return publish(sparse);
    }

    static SparseTensor<String> of(LongTensorData indices, StringTensorData values, long... denseShape) {
        return publish(StringSparseBuilder.of(indices, values, denseShape));
    }

    static SparseTensor<String> fromDense(StringTensorData data) {
        if (data != null && RaggedShapes.isRagged(data.shape())) {
            try (Tensor<String> dense = StringFactory.create(data)) {           // which its rows must have the lengths for
                return publish(StringSparseBuilder.of(dense.stringData()));
            }
        }
        return publish(StringSparseBuilder.of(data));
    }

    private static SparseTensor<String> publish(StringSparse sparse) {
        try {
            StringTensorData data = StringView.of(sparse, sparse.shape());
            Tensor<String> values = new Tensor<>(sparse.stored(), StringView.of(sparse.stored(), sparse.stored().shape()), true);
            return new SparseTensor<>(sparse, values, data, () -> StringFactory.create(data));
        } catch (Throwable e) {
            sparse.close();
            throw e;
        }
    }
}
