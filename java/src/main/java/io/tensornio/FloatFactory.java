package io.tensornio;

import io.tensornio.internal.data.FloatCopies;
import io.tensornio.internal.data.FloatFromNested;
import io.tensornio.internal.data.FloatRaggedNested;
import io.tensornio.internal.data.FloatRaggedTensors;
import io.tensornio.internal.data.FloatView;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.element.FloatWindows;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.ragged.RaggedShapes;
import java.util.Objects;
import java.util.function.Consumer;

/** Makes {@code float} tensors. */
final class FloatFactory {
    private FloatFactory() {
    }

    static Tensor<Float> dense(long[] shape, Consumer<? super FloatTensorData> init) {
        Objects.requireNonNull(init, "init");
        return fill(FloatWindows.allocate(Shapes.check(shape, DataType.FLOAT.byteSize()), true), init);
    }

    static Tensor<Float> dense(TensorLayout layout, Consumer<? super FloatTensorData> init) {
        Objects.requireNonNull(layout, "layout");
        Objects.requireNonNull(init, "init");
        layout.checkAllocatable();
        Block block = FloatWindows.allocate(Shapes.check(new long[] {layout.extent()}, DataType.FLOAT.byteSize()), true);
        try {
            block.name(layout.shape());
            FloatTensorData data = FloatView.of((FloatSource) block, layout.steps());
            init.accept(data);
            return new Tensor<>(block, data, layout);
        } catch (Throwable e) {
            block.close();
            throw e;
        }
    }

    /** A tensor whose elements {@code copy} writes, all of them; it must not leak its argument. */
    private static Tensor<Float> copied(long[] shape, Consumer<FloatTensorData> copy) {
        return fill(FloatWindows.allocate(Shapes.check(shape, DataType.FLOAT.byteSize()), false), copy);
    }

    private static Tensor<Float> fill(Block block, Consumer<? super FloatTensorData> init) {
        try {
            FloatTensorData data = FloatView.of(block);
            init.accept(data);
            return new Tensor<>(block, data);
        } catch (Throwable e) {
            block.close();
            throw e;
        }
    }

    static RaggedTensor<Float> ragged(long[] shape, Consumer<? super FloatTensorData> init) {
        Objects.requireNonNull(init, "init");
        return RaggedTensor.of(FloatRaggedTensors.fill(shape, init));
    }

    static Tensor<Float> toDense(FloatTensorData data, float padding) {
        return dense(FloatRaggedTensors.denseShape(data, false), copy -> FloatRaggedTensors.fill(copy, data, padding));
    }

    static Tensor<Float> create(FloatTensorData data) {
        if (data == null) {
            throw new NullPointerException("data");
        }
        OpenCheck.check(data);
        if (RaggedShapes.isRagged(data.shape())) {
            return dense(FloatRaggedTensors.denseShape(data, true), copy -> FloatRaggedTensors.fill(copy, data));
        }
        long[] shape = data.shape();
        Shapes.checkDense(shape, DataType.FLOAT, DataType.FLOAT.byteSize());
        return copied(shape, copy -> FloatCopies.fill(copy, data));
    }

    /** Whether {@link #ofNested} takes an object. */
    static boolean isNested(Object nested) {
        return FloatFromNested.rank(nested) >= 0;
    }

    static Tensor<Float> ofNested(Object nested) {
        long[] shape = FloatFromNested.shape(nested);
        try {
            return copied(shape, copy -> FloatFromNested.fill(copy, nested));
        } catch (OutOfMemoryError e) {
            FloatFromNested.check(nested, shape);
            throw e;
        }
    }

    static RaggedTensor<Float> raggedOfNested(Object nested) {
        return RaggedTensor.of(FloatRaggedNested.of(nested));
    }
}
