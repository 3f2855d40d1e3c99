package io.tensornio;

//#each
import io.tensornio.internal.data.FloatCarrier;
//#end each
import io.tensornio.internal.data.PrimitiveCarrier;
import io.tensornio.internal.data.StringTensorBuilder;
import io.tensornio.internal.data.StringView;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.string.StringBlock;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Those factories of {@link Tensors} that take a {@link TensorLayout} or a {@link TensorDescription} where others take a shape. In Java and
 * Kotlin they are called as methods of {@code Tensors}, which inherits them:
 *
 * <pre>{@code
 * Tensor<Float> columns = Tensors.denseFloat(TensorLayout.columnMajor(2, 3), data -> data.put(5, 1, 2));
 * }</pre>
 *
 * <p>In Scala, which does not inherit static methods, they are methods of this class alone. So {@code Tensors.denseFloat(Array(2, 3), _.put(1, 0))}
 * has no alternatives there, among which Scala could not tell the types of its arguments.
 */
public abstract class LayoutTensors {
    /** Only {@link Tensors} extends this. */
    LayoutTensors() {
    }

    private static <T, D extends TensorData<D>> Tensor<T> dense(PrimitiveCarrier<D, ?> carrier, TensorLayout layout, Consumer<? super D> init) {
        Objects.requireNonNull(layout, "layout");
        Objects.requireNonNull(init, "init");
        layout.checkAllocatable();
        Block block = carrier.allocate(layout.extent(), layout.shape());
        try {
            D data = carrier.over(block, layout.steps());
            init.accept(data);
            return new Tensor<>(block, data, layout);
        } catch (Throwable e) {
            block.close();
            throw e;
        }
    }

    private static Tensor<String> dense(TensorLayout layout, int elementLength, int padding, Consumer<? super StringTensorData> init) {
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

    //#each primitive
    /**
     * Makes a dense tensor of {@code float} elements with a given layout, such as column-major, or with aligned rows.
     *
     * @param layout the shape, and the position of each element; the memory has {@link TensorLayout#extent()} elements
     * @param init fills the elements, which are initially 0
     * @return the published tensor
     * @throws IllegalArgumentException if the layout does not begin at 0, two elements could share a position, or there are more bytes than a
     *     {@code long} can count
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<Float> denseFloat(TensorLayout layout, Consumer<? super FloatTensorData> init) {
        return dense(FloatCarrier.FLOAT, layout, init);
    }

    /**
     * Makes a dense tensor of {@code float} elements by a description.
     *
     * @param description of kind BASIC, of this type and not read-only; row-major order if it has no layout
     * @param init fills the elements, which are initially 0
     * @return the published tensor
     * @throws IllegalArgumentException if the description is another one, its layout does not begin at 0, two elements could share a position, or
     *     there are more bytes than a {@code long} can count
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<Float> denseFloat(TensorDescription description, Consumer<? super FloatTensorData> init) {
        TensorDescription own = Objects.requireNonNull(description, "description").toAllocate(DataType.FLOAT);
        FloatCarrier carrier = FloatCarrier.FLOAT.of(own.dataType());
        return own.hasLayout() ? dense(carrier, own.layout(), init) : carrier.dense(own.shape(), init);
    }
    //#end each

    /**
     * Makes a dense tensor of variable-length strings by a description.
     *
     * @param description of kind BASIC, of this type and not read-only; it has no layout, or a contiguous row-major one from offset 0
     * @param init fills the elements, which are initially empty
     * @return the published tensor
     * @throws IllegalArgumentException if the description is another one
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<String> denseString(TensorDescription description, Consumer<? super StringTensorData> init) {
        TensorDescription own = Objects.requireNonNull(description, "description").toAllocate(DataType.STRING);
        if (own.hasLayout() && !own.layout().equals(TensorLayout.rowMajor(own.shape()))) {
            throw new IllegalArgumentException(own + " cannot be allocated: strings of any length have no layout but row-major order, and this is "
                + own.layout());
        }
        return StringCarrier.STRING.dense(own.shape(), init);
    }

    /**
     * Makes a dense tensor of fixed-length strings by a description.
     *
     * @param description of kind BASIC, of this type and not read-only; row-major order if it has no layout
     * @param elementLength the number of bytes of an element
     * @param padding the byte that pads shorter strings, 0 to 127
     * @param init fills the elements, which are initially empty
     * @return the published tensor
     * @throws IllegalArgumentException if the description is another one, its layout does not begin at 0, two elements could share a position, or
     *     there are more bytes than a {@code long} can count; or if the length is negative or the padding is not in 0 to 127
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<String> denseString(TensorDescription description, int elementLength, int padding,
            Consumer<? super StringTensorData> init) {
        TensorDescription own = Objects.requireNonNull(description, "description").toAllocate(DataType.STRING);
        return own.hasLayout() ? dense(own.layout(), elementLength, padding, init)
            : StringCarrier.STRING.dense(own.shape(), elementLength, padding, init);
    }

    /**
     * Makes a dense tensor of fixed-length strings, as {@link Tensors#denseString(long[], int, int, Consumer)} does, with a given layout.
     *
     * @param layout the shape, and the position of each element; the memory has {@link TensorLayout#extent()} elements
     * @param elementLength the number of bytes of an element
     * @param padding the byte that pads shorter strings, 0 to 127
     * @param init fills the elements, which are initially empty
     * @return the published tensor
     * @throws IllegalArgumentException if the layout does not begin at 0, two elements could share a position, or there are more bytes than a
     *     {@code long} can count; or if the length is negative or the padding is not in 0 to 127
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public static Tensor<String> denseString(TensorLayout layout, int elementLength, int padding, Consumer<? super StringTensorData> init) {
        return dense(layout, elementLength, padding, init);
    }
}
