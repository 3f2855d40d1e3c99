package io.tensornio;

/**
 * The type of a tensor's elements, and how one element lies in memory.
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
     * Strings, as the bytes of their text in UTF-8. Each has an offset of 8 bytes besides; those of a fixed length have padding instead.
     */
    STRING(8);

    private final int byteSize;

    DataType(int byteSize) {
        this.byteSize = byteSize;
    }

    /**
     * How many bytes one element takes. Of {@link #STRING} these are the 8 of its offset; those of its text are not counted. A string of a fixed
     * length has no offset: it takes that length, whatever is said here.
     *
     * @return the size of an element in bytes; 8 for {@code STRING}
     */
    public int byteSize() {
        return byteSize;
    }
}
