package io.tensornio.internal.element;

import io.tensornio.DataType;
import java.nio.ByteBuffer;
//#if float double int long
import java.nio.ByteOrder;
//#end
import java.nio.FloatBuffer;

/** How a {@code float} lies in memory: all that differs between the element types below their interfaces. */
public final class FloatElement {
    /** What the elements are. */
    public static final DataType TYPE = DataType.FLOAT;
    //#if !boolean
    /** Bytes of one element. */
    public static final int BYTES = Float.BYTES;
    //#end
    //~boolean /** Bytes of one element. */
    //~boolean public static final int BYTES = 1;
    //#if !boolean
    /** What memory reads that nobody has written. */
    public static final float ZERO = 0;
    //#end
    //~boolean /** What memory reads that nobody has written. */
    //~boolean public static final boolean ZERO = false;
    //#if floating
    /** Whether they are IEEE 754 numbers, of which two are 0. */
    public static final boolean IS_FLOATING = true;
    //#end
    //~int,long,boolean,byte /** Whether they are IEEE 754 numbers, of which two are 0. */
    //~int,long,boolean,byte public static final boolean IS_FLOATING = false;
    /**
     * The bits that a position in one buffer can have. Taking only these never changes a position; it tells the compiler
     * that adding an index to it cannot overflow.
     */
    public static final int MASK = Integer.MAX_VALUE / BYTES;

    private FloatElement() {
    }

    /** Bytes as elements, from the first byte on. */
    public static FloatBuffer view(ByteBuffer bytes) {
        //#if float double int long
        return bytes.asFloatBuffer();
        //#end
        //~boolean,byte return bytes;
    }

    /** Whether the bytes of an element in a buffer are in the order of the processor. */
    public static boolean isInNativeOrder(FloatBuffer buffer) {
        //#if float double int long
        return buffer.order() == ByteOrder.nativeOrder();
        //#end
        //~boolean,byte return true;
    }

    /** Reads one. */
    public static float read(FloatBuffer buffer, int at) {
        //#if !boolean
        return buffer.get(at);
        //#end
        //~boolean return buffer.get(at) != 0;
    }

    /** Writes one. */
    public static void write(FloatBuffer buffer, int at, float value) {
        //#if !boolean
        buffer.put(at, value);
        //#end
        //~boolean buffer.put(at, (byte) (value ? 1 : 0));
    }

    /** Reads one. */
    public static float read(float[] array, int at) {
        return array[at];
    }

    /** Writes one. */
    public static void write(float[] array, int at, float value) {
        array[at] = value;
    }

    /** Whether two elements are equal: floating-point ones as {@code Float.equals} has it, so that NaN is equal to itself and 0.0 is not to -0.0. */
    public static boolean equal(float a, float b) {
        //#if floating
        return Float.compare(a, b) == 0;
        //#end
        //~int,long,boolean,byte return a == b;
    }

    /** Whether an element is 0, which -0.0 is and NaN is not. */
    public static boolean isZero(float value) {
        //#if !boolean
        return value == 0;
        //#end
        //~boolean return !value;
    }

    /** Whether two elements are the same number: as {@link #equal}, but that -0.0 is 0.0. */
    public static boolean isSameNumber(float a, float b) {
        return a == b || equal(a, b);
    }

    /** Equal elements have equal ones. */
    public static int hash(float value) {
        return Float.hashCode(value);
    }
}
