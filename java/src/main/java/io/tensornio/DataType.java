package io.tensornio;

/**
 * The type of a tensor's elements, and the form of one element in memory.
 *
 * <p>More types will be added: a {@code switch} over this enum needs a {@code default} branch.
 */
public enum DataType {
    /** IEEE 754 binary32, Java's {@code float}. */
    FLOAT(4),
    /** IEEE 754 binary64, Java's {@code double}. */
    DOUBLE(8),
    /** 32-bit two's complement integers, Java's {@code int}. */
    INT32(4),
    /** 64-bit two's complement integers, Java's {@code long}. */
    INT64(8),
    /** Booleans, one byte each: 0 or 1. */
    BOOL(1),
    /** Unsigned 8-bit integers, 0 to 255. */
    UINT8(1),
    /**
     * Strings, as their UTF-8 bytes. A variable-length string also has an offset of 8 bytes; a fixed-length string has padding instead.
     */
    STRING(8),
    /** IEEE 754 binary16, read and written as {@code float}. What is written is rounded to the nearest number, of two the even one. */
    FLOAT16(2),
    /** The upper half of a binary32, with 8 bits of exponent and 7 of fraction, read and written as {@code float}, and rounded likewise. */
    BFLOAT16(2),
    /** 8-bit two's complement integers, read and written as {@code int}. */
    INT8(1),
    /** 16-bit two's complement integers, read and written as {@code int}. */
    INT16(2),
    /** Unsigned 16-bit integers, 0 to 65535, read and written as {@code int}. */
    UINT16(2),
    /** Unsigned 32-bit integers, 0 to 4294967295, read and written as {@code long}. */
    UINT32(4),
    /** Unsigned 64-bit integers, read and written as the {@code long} of the same bits. */
    UINT64(8);

    // The position of a constant is its code for native code, fixed for ever: new ones are added behind.

    private final int byteSize;

    DataType(int byteSize) {
        this.byteSize = byteSize;
    }

    /**
     * Whether elements are floating-point numbers.
     *
     * @return true for FLOAT, DOUBLE, FLOAT16 and BFLOAT16
     */
    public boolean isFloat() {
        return this == FLOAT || this == DOUBLE || this == FLOAT16 || this == BFLOAT16;
    }

    /**
     * Whether elements are integers.
     *
     * @return true for INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32 and UINT64
     */
    public boolean isInteger() {
        return !isFloat() && this != BOOL && this != STRING;
    }

    /**
     * Whether elements can be negative numbers.
     *
     * @return true for floating-point numbers, and for INT8, INT16, INT32 and INT64
     */
    public boolean isSigned() {
        return isFloat() || this == INT8 || this == INT16 || this == INT32 || this == INT64;
    }

    /**
     * The number of bytes that one element occupies. For {@link #STRING} these are the 8 bytes of the offset, without the bytes of the string itself.
     * A fixed-length string has no offset: it occupies its fixed length, not this size.
     *
     * @return the size of an element in bytes; 8 for {@code STRING}
     */
    public int byteSize() {
        return byteSize;
    }
}
