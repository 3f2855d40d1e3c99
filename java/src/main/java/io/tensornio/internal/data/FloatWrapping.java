package io.tensornio.internal.data;

//#if float int long
import io.tensornio.DataType;
//#end
import io.tensornio.FloatTensorData;
import io.tensornio.internal.element.FloatArray;
import io.tensornio.internal.element.FloatElement;
//#if buffer
import io.tensornio.internal.element.FloatBlock;
import io.tensornio.internal.element.FloatOtherBuffer;
//#end
//#if float int long
import io.tensornio.internal.element.FloatGiven;
import io.tensornio.internal.layout.Layout;
//#end
import io.tensornio.internal.layout.Shapes;
//#if float int long
import java.nio.Buffer;
//#end
//#if buffer
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
//#end
import java.util.Arrays;
import java.util.Objects;

/** Makes {@code float} data over a user's arrays and buffers. */
public final class FloatWrapping {
    //#if buffer
    /** The class of the library's own buffers. */
    private static final Class<?> DIRECT = FloatElement.view(ByteBuffer.allocateDirect(0).order(ByteOrder.nativeOrder())).getClass();
    //#end

    private FloatWrapping() {
    }

    /**
     * Data over an array.
     *
     * @param values the elements
     * @param shape the sizes
     * @return the data
     * @throws IllegalArgumentException if the array's length is not the number of elements of the shape, or a size is negative
     */
    public static FloatTensorData of(float[] values, long... shape) {
        Objects.requireNonNull(values, "values");
        return over(values, 0, check(values.length, "the array has ", "", shape));
    }

    /**
     * Data of rank 1 over an array.
     *
     * @param values the elements
     * @return the data
     */
    public static FloatTensorData of(float[] values) {
        return of(values, Objects.requireNonNull(values, "values").length);
    }

    private static long[] check(int given, String what, String unlessScalar, long... shape) {
        long[] own = Shapes.check(shape, FloatElement.BYTES);
        if (Shapes.product(own) != given) {
            throw new IllegalArgumentException("the shape " + Arrays.toString(own) + " has " + Shapes.elements(Shapes.product(own)) + ", " + what
                + given + (own.length == 0 ? unlessScalar : ""));
        }
        return own;
    }

    private static FloatTensorData over(float[] values, int from, long... shape) {
        FloatArray array = new FloatArray(values, from, shape);
        return FloatView.of(array, array.layout());
    }

    //#if buffer
    /**
     * Data over a buffer.
     *
     * @param buffer the elements
     * @param shape the sizes
     * @return the data
     * @throws IllegalArgumentException if the number of remaining elements is not that of the shape, or a size is negative
     */
    public static FloatTensorData of(FloatBuffer buffer, long... shape) {
        Objects.requireNonNull(buffer, "buffer");
        FloatBuffer own = buffer.slice();
        //~byte own.order(buffer.order());
        long[] sizes = check(own.remaining(), "the buffer has ", ": for a vector, pass buffer.remaining() as the shape", shape);
        if (own.hasArray()) {
            return over(own.array(), own.arrayOffset(), sizes);
        }
        // On a JDK the class determines the byte order; Android has one class for all views of bytes.
        boolean isNativeOrder = FloatElement.BYTES == 1 || own.order() == ByteOrder.nativeOrder();
        if (own.getClass() == DIRECT && own.isDirect() && !own.isReadOnly() && isNativeOrder) {
            return FloatStrided.of(new FloatBlock(own, sizes));
        }
        return FloatView.of(new FloatOtherBuffer(own, sizes), sizes);
    }
    //#end

    //#if float int long
    /**
     * Data of a type that is stored narrow over a buffer, of a vector if the shape is null.
     *
     * @param type a type that {@code float} carries
     * @param buffer the elements, of the class of buffers that are as wide, from its position to its limit
     * @param shape the sizes
     * @return the data
     * @throws IllegalArgumentException if the number of remaining elements is not that of the shape, or a size is negative
     */
    public static FloatTensorData of(DataType type, Buffer buffer, long... shape) {
        int n = Objects.requireNonNull(buffer, "buffer").remaining();
        long[] sizes = shape == null ? new long[] {n} : check(n, "there are ", ": for a vector, give the number of elements as the shape", shape);
        Layout layout = new Layout(buffer.position(), sizes, Layout.rowMajorStrides(sizes));
        return FloatView.of(new FloatGiven(type, buffer, sizes), layout);
    }
    //#end
}
