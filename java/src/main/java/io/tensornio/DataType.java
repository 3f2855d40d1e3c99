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
    STRING(8);

    private final int byteSize;

    DataType(int byteSize) {
        this.byteSize = byteSize;
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
