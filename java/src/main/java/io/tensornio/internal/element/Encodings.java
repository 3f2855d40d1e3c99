package io.tensornio.internal.element;

import io.tensornio.DataType;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Types that are stored narrow: the type of the data interface that carries each, and how an element becomes a value of that interface and back. The
 * names of the methods end in the carrier's primitive.
 */
public final class Encodings {
    private Encodings() {
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

    /** Reads element {@code at} of a buffer in native order. */
    public static float readFloat(DataType type, ByteBuffer from, int at) {
        short bits = from.getShort(2 * at);
        return type == DataType.FLOAT16 ? Halves.toFloat(bits) : Halves.ofBrain(bits);
    }

    /** Writes element {@code at} of a buffer in native order, rounded to the nearest number. */
    public static void writeFloat(DataType type, ByteBuffer to, int at, float value) {
        to.putShort(2 * at, type == DataType.FLOAT16 ? Halves.toHalf(value) : Halves.toBrain(value));
    }

    /** Reads element {@code at} of a buffer in native order. */
    public static int readInt(DataType type, ByteBuffer from, int at) {
        if (type == DataType.INT8) {
            return from.get(at);
        }
        short bits = from.getShort(2 * at);
        return type == DataType.INT16 ? bits : bits & 0xffff;
    }

    /** Writes element {@code at} of a buffer in native order. */
    public static void writeInt(DataType type, ByteBuffer to, int at, int value) {
        if (type == DataType.INT8) {
            to.put(at, (byte) value);
        } else {
            to.putShort(2 * at, (short) value);
        }
    }

    /** Reads element {@code at} of a buffer in native order. */
    public static long readLong(DataType type, ByteBuffer from, int at) {
        return type == DataType.UINT32 ? from.getInt(4 * at) & 0xffffffffL : from.getLong(8 * at);
    }

    /** Writes element {@code at} of a buffer in native order. */
    public static void writeLong(DataType type, ByteBuffer to, int at, long value) {
        if (type == DataType.UINT32) {
            to.putInt(4 * at, (int) value);
        } else {
            to.putLong(8 * at, value);
        }
    }

    /** Reads element {@code at} of a buffer of a user. */
    static float readFloat(DataType type, Buffer from, int at) {
        short bits = ((ShortBuffer) from).get(at);
        return type == DataType.FLOAT16 ? Halves.toFloat(bits) : Halves.ofBrain(bits);
    }

    /** Writes element {@code at} of a buffer of a user. */
    static void writeFloat(DataType type, Buffer to, int at, float value) {
        ((ShortBuffer) to).put(at, type == DataType.FLOAT16 ? Halves.toHalf(value) : Halves.toBrain(value));
    }

    /** Reads element {@code at} of a buffer of a user. */
    static int readInt(DataType type, Buffer from, int at) {
        if (type == DataType.INT8) {
            return ((ByteBuffer) from).get(at);
        }
        short bits = ((ShortBuffer) from).get(at);
        return type == DataType.INT16 ? bits : bits & 0xffff;
    }

    /** Writes element {@code at} of a buffer of a user. */
    static void writeInt(DataType type, Buffer to, int at, int value) {
        if (type == DataType.INT8) {
            ((ByteBuffer) to).put(at, (byte) value);
        } else {
            ((ShortBuffer) to).put(at, (short) value);
        }
    }

    /** Reads element {@code at} of a buffer of a user. */
    static long readLong(DataType type, Buffer from, int at) {
        return type == DataType.UINT32 ? ((IntBuffer) from).get(at) & 0xffffffffL : ((LongBuffer) from).get(at);
    }

    /** Writes element {@code at} of a buffer of a user. */
    static void writeLong(DataType type, Buffer to, int at, long value) {
        if (type == DataType.UINT32) {
            ((IntBuffer) to).put(at, (int) value);
        } else {
            ((LongBuffer) to).put(at, value);
        }
    }

    /** Every number can be rounded. */
    public static void check(DataType type, float value) {
        // Too large ones become infinite.
    }

    /**
     * Checks that a type holds a value.
     *
     * @throws IllegalArgumentException if it does not
     */
    public static void check(DataType type, int value) {
        int low = type == DataType.INT8 ? Byte.MIN_VALUE : type == DataType.INT16 ? Short.MIN_VALUE : 0;
        int high = type == DataType.INT8 ? Byte.MAX_VALUE : type == DataType.INT16 ? Short.MAX_VALUE : 0xffff;
        if (value < low || value > high) {
            throw outside(type, value, low, high);
        }
    }

    /**
     * Checks that a type holds a value; a UINT64 has any bits.
     *
     * @throws IllegalArgumentException if it does not
     */
    public static void check(DataType type, long value) {
        if (type == DataType.UINT32 && value >>> 32 != 0) {
            throw outside(type, value, 0, 0xffffffffL);
        }
    }

    private static IllegalArgumentException outside(DataType type, long value, long low, long high) {
        return new IllegalArgumentException(value + " is no " + type + ": these are " + low + " to " + high);
    }
}
