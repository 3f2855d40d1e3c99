package io.tensornio;

import io.tensornio.internal.data.FloatCopies;
import io.tensornio.internal.data.FloatFromNested;
import io.tensornio.internal.data.FloatRaggedNested;
import io.tensornio.internal.data.FloatRaggedTensors;
import io.tensornio.internal.data.FloatView;
//#if float int long
import io.tensornio.internal.element.Encodings;
import io.tensornio.internal.element.FloatNarrow;
//#end
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
        return fill(allocate(DataType.FLOAT, shape, true), init);
    }

    //#if float int long
    /** Of any type that {@code float} carries. */
    static Tensor<Float> dense(DataType type, long[] shape, Consumer<? super FloatTensorData> init) {
        if (Encodings.carrier(Objects.requireNonNull(type, "type")) != DataType.FLOAT) {
            throw new IllegalArgumentException("elements of type " + type + " are not read and written as float");
        }
        Objects.requireNonNull(init, "init");
        return fill(allocate(type, shape, true), init);
    }
    //#end

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
    private static Tensor<Float> copied(DataType type, long[] shape, Consumer<FloatTensorData> copy) {
        return fill(allocate(type, shape, false), copy);
    }

    private static Block allocate(DataType type, long[] shape, boolean zeroed) {
        long[] checked = Shapes.check(shape, type.byteSize());
        //#if float int long
        return FloatNarrow.allocate(type, checked, zeroed);
        //#end
        //~double,boolean,byte return FloatWindows.allocate(checked, zeroed);
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
            return fill(allocate(data.dataType(), FloatRaggedTensors.denseShape(data, true), true), copy -> FloatRaggedTensors.fill(copy, data));
        }
        long[] shape = data.shape();
        Shapes.checkDense(shape, data.dataType(), data.dataType().byteSize());
        return copied(data.dataType(), shape, copy -> FloatCopies.fill(copy, data));
    }

    /** Whether {@link #ofNested} takes an object. */
    static boolean isNested(Object nested) {
        return FloatFromNested.rank(nested) >= 0;
    }

    static Tensor<Float> ofNested(Object nested) {
        long[] shape = FloatFromNested.shape(nested);
        try {
            return copied(DataType.FLOAT, shape, copy -> FloatFromNested.fill(copy, nested));
        } catch (OutOfMemoryError e) {
            FloatFromNested.check(nested, shape);
            throw e;
        }
    }

    static RaggedTensor<Float> raggedOfNested(Object nested) {
        return RaggedTensor.of(FloatRaggedNested.of(nested));
    }
}
