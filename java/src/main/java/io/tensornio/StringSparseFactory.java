package io.tensornio;

import io.tensornio.internal.data.StringSparse;
import io.tensornio.internal.data.StringSparseBuilder;
import io.tensornio.internal.data.StringSparseTensors;
import io.tensornio.internal.data.StringView;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.ragged.RaggedShapes;
import java.util.Objects;
import java.util.function.Consumer;

/** Makes sparse {@code String} tensors. */
final class StringSparseFactory {
    private StringSparseFactory() {
    }

    static SparseTensor<String> fill(long[] shape, int numValues, Consumer<? super StringTensorData> init) {
        Objects.requireNonNull(init, "init");
        return fill(init, new StringSparseBuilder(Shapes.checkSparse(shape), numValues));
    }

    static SparseTensor<String> fill(long[] shape, int numValues, int elementLength, int padding, Consumer<? super StringTensorData> init) {
        Objects.requireNonNull(init, "init");
        return fill(init, StringSparseBuilder.of(shape, numValues, elementLength, padding));
    }

    private static SparseTensor<String> fill(Consumer<? super StringTensorData> init, StringSparseBuilder filling) {
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
        return publish(StringSparseTensors.of(indices, values, denseShape));
    }

    static SparseTensor<String> fromDense(StringTensorData data) {
        if (data != null && RaggedShapes.isRagged(data.shape())) {
            try (Tensor<String> dense = StringFactory.create(data)) {           // throws if rows differ in length
                return publish(StringSparseTensors.of(dense.stringData()));
            }
        }
        return publish(StringSparseTensors.of(data));
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
