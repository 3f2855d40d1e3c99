package io.tensornio.internal.file;

import io.tensornio.DataType;

/**
 * The element types as files name them, a row for each: NumPy's kind and bytes, and the name in safetensors files. Rows are in the order in which
 * Python's {@code safetensors} writes tensors. A type that this library does not have yet is known here, so that it is refused by its name.
 */
final class ElementCodes {
    private static final String[][] ROWS = {
        {"UINT64", "u8", "U64"}, {"INT64", "i8", "I64"}, {"DOUBLE", "f8", "F64"}, {"FLOAT", "f4", "F32"}, {"UINT32", "u4", "U32"},
        {"INT32", "i4", "I32"}, {"BFLOAT16", "V2", "BF16"}, {"FLOAT16", "f2", "F16"}, {"UINT16", "u2", "U16"}, {"INT16", "i2", "I16"},
        {"INT8", "i1", "I8"}, {"UINT8", "u1", "U8"}, {"BOOL", "b1", "BOOL"},
    };
    private static final int NPY = 1;
    private static final int SAFETENSORS = 2;

    private ElementCodes() {
    }

    /** The row with a word in a column; -1 if there is none. */
    private static int row(int column, String word) {
        for (int n = 0; n < ROWS.length; n++) {
            if (ROWS[n][column].equals(word)) {
                return n;
            }
        }
        return -1;
    }

    /** The name of the type that NumPy calls this, such as {@code f4}; null if it is none of a fixed width, or no type at all. */
    static String ofNpy(String code) {
        int row = row(NPY, code);
        return row < 0 ? null : ROWS[row][0];
    }

    /** The name of the type that safetensors files call this, such as {@code F32}; null if there is none. */
    static String ofSafetensors(String code) {
        int row = row(SAFETENSORS, code);
        return row < 0 ? null : ROWS[row][0];
    }

    /** The type of a name, or null if this library does not have it. */
    static DataType type(String name) {
        for (DataType type : DataType.values()) {
            if (type.name().equals(name)) {
                return type;
            }
        }
        return null;
    }

    /** Whether NumPy has a type of a fixed width. */
    static boolean isNpy(DataType type) {
        String code = npy(type);
        return code != null && code.charAt(0) != 'V';
    }

    /** NumPy's kind and bytes of a type, such as {@code f4}; null for STRING. */
    static String npy(DataType type) {
        int row = row(0, type.name());
        return row < 0 ? null : ROWS[row][NPY];
    }

    /** The name of a type in safetensors files; null for STRING. */
    static String safetensors(DataType type) {
        int row = row(0, type.name());
        return row < 0 ? null : ROWS[row][SAFETENSORS];
    }

    /** The place of a type in the order in which Python's {@code safetensors} writes. */
    static int order(DataType type) {
        return row(0, type.name());
    }
}
