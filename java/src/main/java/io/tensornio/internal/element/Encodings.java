package io.tensornio.internal.element;

import io.tensornio.DataType;
import java.math.BigInteger;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Types that are stored narrow: the type of the data interface that carries each, and how an element becomes a value of that interface and back. The
 * names of methods end in the carrier's primitive. Elements are in a buffer of the class that is as wide.
 */
public final class Encodings {
    private Encodings() {
    }

    /** The digits of a UINT64; {@code Long.toUnsignedString} is missing on older Android. */
    public static String unsigned(long bits) {
        return BigInteger.valueOf(bits).mod(BigInteger.ONE.shiftLeft(Long.SIZE)).toString();
    }

    /** The type whose data interface, and whose primitive, carries a type: itself unless it is stored narrow. */
    public static DataType carrier(DataType type) {
        switch (type) {
            case FLOAT16:
            case BFLOAT16:
                return DataType.FLOAT;
            case INT8:
            case INT16:
            case UINT16:
                return DataType.INT32;
            case UINT32:
            case UINT64:
                return DataType.INT64;
            default:
                return type;
        }
    }

    /** Bytes as elements of a type, which is stored narrow. */
    public static Buffer view(DataType type, ByteBuffer bytes) {
        switch (type.byteSize()) {
            case 1:
                return bytes;
            case 2:
                return bytes.asShortBuffer();
            case 4:
                return bytes.asIntBuffer();
            default:
                return bytes.asLongBuffer();
        }
    }

    /** Another buffer over the elements of a buffer, with its own position and limit. */
    public static Buffer duplicate(Buffer elements) {
        if (elements instanceof ShortBuffer) {
            return ((ShortBuffer) elements).duplicate();
        }
        if (elements instanceof ByteBuffer) {
            return ((ByteBuffer) elements).duplicate();
        }
        return elements instanceof IntBuffer ? ((IntBuffer) elements).duplicate() : ((LongBuffer) elements).duplicate();
    }

    /** Some elements of a buffer as a buffer of their own. */
    public static Buffer slice(Buffer elements, int start, int n) {
        Buffer some = duplicate(elements);
        some.limit(start + n);
        some.position(start);
        if (some instanceof ShortBuffer) {
            return ((ShortBuffer) some).slice();
        }
        if (some instanceof ByteBuffer) {
            return ((ByteBuffer) some).slice();
        }
        return some instanceof IntBuffer ? ((IntBuffer) some).slice() : ((LongBuffer) some).slice();
    }

    /** Copies all elements between buffers of one class and length. */
    public static void copy(Buffer from, Buffer to) {
        if (from instanceof ShortBuffer) {
            ((ShortBuffer) to).put((ShortBuffer) from);
        } else if (from instanceof ByteBuffer) {
            ((ByteBuffer) to).put((ByteBuffer) from);
        } else if (from instanceof IntBuffer) {
            ((IntBuffer) to).put((IntBuffer) from);
        } else {
            ((LongBuffer) to).put((LongBuffer) from);
        }
    }

    /** Reads an element. */
    public static float readFloat(DataType type, Buffer from, int at) {
        short bits = ((ShortBuffer) from).get(at);
        return type == DataType.FLOAT16 ? Halves.toFloat(bits) : Halves.ofBrain(bits);
    }

    /** Writes an element, rounded to the nearest number. */
    public static void writeFloat(DataType type, Buffer to, int at, float value) {
        ((ShortBuffer) to).put(at, type == DataType.FLOAT16 ? Halves.toHalf(value) : Halves.toBrain(value));
    }

    /** Reads an element. */
    public static int readInt(DataType type, Buffer from, int at) {
        if (type == DataType.INT8) {
            return ((ByteBuffer) from).get(at);
        }
        short bits = ((ShortBuffer) from).get(at);
        return type == DataType.INT16 ? bits : bits & 0xffff;
    }

    /** Writes an element. */
    public static void writeInt(DataType type, Buffer to, int at, int value) {
        if (type == DataType.INT8) {
            ((ByteBuffer) to).put(at, (byte) value);
        } else {
            ((ShortBuffer) to).put(at, (short) value);
        }
    }

    /** Reads an element. */
    public static long readLong(DataType type, Buffer from, int at) {
        return type == DataType.UINT32 ? ((IntBuffer) from).get(at) & 0xffffffffL : ((LongBuffer) from).get(at);
    }

    /** Writes an element. */
    public static void writeLong(DataType type, Buffer to, int at, long value) {
        if (type == DataType.UINT32) {
            ((IntBuffer) to).put(at, (int) value);
        } else {
            ((LongBuffer) to).put(at, value);
        }
    }

    /** A number as a {@code float} that an element is rounded from as from the number itself: see {@link Halves#odd}. */
    public static float single(DataType type, double value) {
        return type == DataType.FLOAT ? (float) value : Halves.odd(value);
    }

    /** A value as an element has it. */
    public static float rounded(DataType type, float value) {
        if (type == DataType.FLOAT16) {
            return Halves.toFloat(Halves.toHalf(value));
        }
        return type == DataType.BFLOAT16 ? Halves.ofBrain(Halves.toBrain(value)) : value;
    }

    /** A value, which a type has to hold. */
    public static int rounded(DataType type, int value) {
        check(type, value);
        return value;
    }

    /** A value, which a type has to hold. */
    public static long rounded(DataType type, long value) {
        check(type, value);
        return value;
    }

    /** Whether a type does not hold all values of its carrier, and does not round them. */
    public static boolean isRanged(DataType type) {
        return type == DataType.INT8 || type == DataType.INT16 || type == DataType.UINT16 || type == DataType.UINT32;
    }

    /** Every number can be rounded. */
    public static void check(DataType type, float value) {
        // Too large ones become infinite.
    }

    /** Whether a type does not hold a value. */
    public static boolean isOutside(DataType type, int value) {
        switch (type) {
            case INT8:
                return value != (byte) value;
            case INT16:
                return value != (short) value;
            case UINT16:
                return value != (value & 0xffff);
            default:
                return false;
        }
    }

    /** Whether a type does not hold a value; a UINT64 has any bits. */
    public static boolean isOutside(DataType type, long value) {
        return type == DataType.UINT32 && value >>> 32 != 0;
    }

    /**
     * Checks that a type holds a value.
     *
     * @throws IllegalArgumentException if it does not
     */
    public static void check(DataType type, int value) {
        if (isOutside(type, value)) {
            throw outside(type, value);
        }
    }

    /**
     * Checks that a type holds a value; a UINT64 has any bits.
     *
     * @throws IllegalArgumentException if it does not
     */
    public static void check(DataType type, long value) {
        if (isOutside(type, value)) {
            throw outside(type, value);
        }
    }

    private static IllegalArgumentException outside(DataType type, long value) {
        int bits = 8 * type.byteSize() - (type.isSigned() ? 1 : 0);
        long low = type.isSigned() ? -1L << bits : 0;
        long high = (1L << bits) - 1;
        return new IllegalArgumentException(value + " is not in " + low + " to " + high + ", the range of " + type);
    }
}
