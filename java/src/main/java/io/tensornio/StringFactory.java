package io.tensornio;

import io.tensornio.internal.data.StringFromNested;
import io.tensornio.internal.data.StringRaggedNested;
import io.tensornio.internal.data.StringRaggedTensors;
import io.tensornio.internal.data.StringTensorBuilder;
import io.tensornio.internal.data.StringView;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.ragged.RaggedShapes;
import io.tensornio.internal.string.StringBlock;
import java.util.Objects;
import java.util.function.Consumer;

/** Makes {@code String} tensors. */
final class StringFactory {
    private StringFactory() {
    }

    static Tensor<String> dense(long[] shape, Consumer<? super StringTensorData> init) {
        Objects.requireNonNull(init, "init");
        return fill(init, StringTensorBuilder.of(shape));
    }

    static Tensor<String> dense(long[] shape, int elementLength, int padding, Consumer<? super StringTensorData> init) {
        Objects.requireNonNull(init, "init");
        return fill(init, StringTensorBuilder.of(shape, elementLength, padding));
    }

    static Tensor<String> dense(TensorLayout layout, int elementLength, int padding, Consumer<? super StringTensorData> init) {
        Objects.requireNonNull(layout, "layout");
        Objects.requireNonNull(init, "init");
        layout.checkAllocatable();
        StringTensorBuilder filling = StringTensorBuilder.of(new long[] {layout.extent()}, elementLength, padding);
        try {
            StringBlock block = filling.finish();
            block.name(layout.shape());
            StringTensorData data = StringView.of(block, layout.steps());
            init.accept(data);
            return new Tensor<>(block, data, layout);
        } catch (Throwable e) {
            filling.close();
            throw e;
        }
    }

    private static Tensor<String> fill(Consumer<? super StringTensorData> init, StringTensorBuilder filling) {
        try {
            init.accept(filling.data());
            StringBlock block = filling.finish();
            try {
                return new Tensor<>(block, StringView.of(block, block.shape()));
            } catch (Throwable e) {
                block.close();
                throw e;
            }
        } catch (Throwable e) {
            filling.close();
            throw e;
        }
    }

    static RaggedTensor<String> ragged(long[] shape, Consumer<? super StringTensorData> init) {
        Objects.requireNonNull(init, "init");
        return RaggedTensor.of(StringRaggedTensors.fill(shape, init));
    }

    static Tensor<String> toDense(StringTensorData data, String padding) {
        return dense(StringRaggedTensors.denseShape(data, false), copy -> StringRaggedTensors.fill(copy, data, StringElement.checkPadding(padding)));
    }

    static Tensor<String> create(StringTensorData data) {
        OpenCheck.check(Objects.requireNonNull(data, "data"));
        if (RaggedShapes.isRagged(data.shape())) {
            return dense(StringRaggedTensors.denseShape(data, true), copy -> StringRaggedTensors.fill(copy, data));
        }
        long[] shape = data.shape();
        Shapes.checkDense(shape, DataType.STRING, Long.BYTES);
        return dense(shape, copy -> StringTensorBuilder.fill(copy, data));
    }

    /** Whether {@link #ofNested} takes an object. */
    static boolean isNested(Object nested) {
        return StringFromNested.rank(nested) >= 0;
    }

    static Tensor<String> ofNested(Object nested) {
        long[] shape = StringFromNested.shape(nested);
        try {
            return dense(shape, data -> StringFromNested.fill(data, nested));
        } catch (OutOfMemoryError e) {
            StringFromNested.check(nested, shape);
            throw e;
        }
    }

    static RaggedTensor<String> raggedOfNested(Object nested) {
        return RaggedTensor.of(StringRaggedNested.of(nested));
    }
}
