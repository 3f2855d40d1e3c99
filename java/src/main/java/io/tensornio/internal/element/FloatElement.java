package io.tensornio.internal.element;

import io.tensornio.DataType;
import java.nio.ByteBuffer;
//#if float double int long
import java.nio.ByteOrder;
//#end
import java.nio.FloatBuffer;

/** The representation of a {@code float} in memory: everything in which implementations of the element types differ. */
public final class FloatElement {
    /** The element type. */
    public static final DataType TYPE = DataType.FLOAT;
    //#if !boolean
    /** Bytes of one element. */
    public static final int BYTES = Float.BYTES;
    //#end
    //~boolean /** Bytes of one element. */
    //~boolean public static final int BYTES = 1;
    //#if !boolean
    /** The value of zeroed memory. */
    public static final float ZERO = 0;
    //#end
    //~boolean /** The value of zeroed memory. */
    //~boolean public static final boolean ZERO = false;
    //#if floating
    /** Whether elements are IEEE 754 numbers, which have two zeros. */
    public static final boolean IS_FLOATING = true;
    //#end
    //~int,long,boolean,byte /** Whether elements are IEEE 754 numbers, which have two zeros. */
    //~int,long,boolean,byte public static final boolean IS_FLOATING = false;
    /**
     * The mask of positions in a buffer. Applying it never changes a position; it tells the compiler that adding an index cannot overflow.
     */
    public static final int MASK = Integer.MAX_VALUE / BYTES;

    private FloatElement() {
    }

    /** A view of bytes as elements, from the first byte on. */
    public static FloatBuffer view(ByteBuffer bytes) {
        //#if float double int long
        return bytes.asFloatBuffer();
        //#end
        //~boolean,byte return bytes;
    }

    /** Whether a buffer has native byte order. */
    public static boolean isInNativeOrder(FloatBuffer buffer) {
        //#if float double int long
        return buffer.order() == ByteOrder.nativeOrder();
        //#end
        //~boolean,byte return true;
    }

    /** Reads an element. */
    public static float read(FloatBuffer buffer, int at) {
        //#if !boolean
        return buffer.get(at);
        //#end
        //~boolean return buffer.get(at) != 0;
    }

    /** Writes an element. */
    public static void write(FloatBuffer buffer, int at, float value) {
        //#if !boolean
        buffer.put(at, value);
        //#end
        //~boolean buffer.put(at, (byte) (value ? 1 : 0));
    }

    /** Reads an element. */
    public static float read(float[] array, int at) {
        return array[at];
    }

    /** Writes an element. */
    public static void write(float[] array, int at, float value) {
        array[at] = value;
    }

    /** Whether two elements are equal: floating-point ones as by {@code Float.equals}, so that NaN equals itself and 0.0 does not equal -0.0. */
    public static boolean equal(float a, float b) {
        //#if floating
        return Float.compare(a, b) == 0;
        //#end
        //~int,long,boolean,byte return a == b;
    }

    /** Whether an element is 0; true for -0.0, false for NaN. */
    public static boolean isZero(float value) {
        //#if !boolean
        return value == 0;
        //#end
        //~boolean return !value;
    }

    /** Whether two elements are the same number: like {@link #equal}, except that -0.0 is 0.0. */
    public static boolean isSameNumber(float a, float b) {
        return a == b || equal(a, b);
    }

    /** The hash of an element; equal elements have equal hashes. */
    public static int hash(float value) {
        return Float.hashCode(value);
    }
}
