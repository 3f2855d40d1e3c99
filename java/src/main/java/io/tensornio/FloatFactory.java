package io.tensornio;

import io.tensornio.internal.FloatBlock;
import io.tensornio.internal.FloatRaggedTensors;
import io.tensornio.internal.FloatStrided;
import io.tensornio.internal.RaggedShapes;
import io.tensornio.internal.Shapes;
import java.util.function.Consumer;

/** Makes {@code float} tensors. */
final class FloatFactory {
    private FloatFactory() {
    }

    static Tensor<Float> dense(long[] shape, Consumer<? super FloatTensorData> init) {
        if (init == null) {
            throw new NullPointerException("init");
        }
        FloatBlock block = new FloatBlock(Shapes.check(shape, DataType.FLOAT.byteSize()));
        try {
            FloatStrided data = FloatStrided.of(block);
            init.accept(data);
            return new Tensor<>(block, data);
        } catch (Throwable e) {
            block.close();
            throw e;
        }
    }

    static RaggedTensor<Float> ragged(long[] shape, Consumer<? super FloatTensorData> init) {
        if (init == null) {
            throw new NullPointerException("init");
        }
        return RaggedTensor.of(FloatRaggedTensors.fill(shape, init));
    }

    static Tensor<Float> toDense(FloatTensorData data, float padding) {
        return dense(FloatRaggedTensors.denseShape(data, false), copy -> FloatRaggedTensors.fill(copy, data, padding));
    }

    static Tensor<Float> create(FloatTensorData data) {
        if (data == null) {
            throw new NullPointerException("data");
        }
        FloatStrided.checkOpen(data);
        if (RaggedShapes.isRagged(data.shape())) {
            return dense(FloatRaggedTensors.denseShape(data, true), copy -> FloatRaggedTensors.fill(copy, data));
        }
        return dense(data.shape(), copy -> FloatStrided.fill((FloatStrided) copy, data));
    }
}
