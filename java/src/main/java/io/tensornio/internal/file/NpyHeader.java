package io.tensornio.internal.file;

import io.tensornio.DataType;
import io.tensornio.internal.layout.Shapes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The header of a .npy file: a magic number, a version, a length, and the text of a Python dictionary with the dtype, the order and the shape. See
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html for the format. Nothing in it is evaluated.
 */
final class NpyHeader {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int LARGEST = 1 << 16;
    /** Elements begin at a multiple of this. */
    private static final int ALIGNMENT = 64;
    /** NumPy leaves room for the first size of a shape to grow to as many digits. */
    private static final int GROWTH_DIGITS = 21;
    /** The bytes of a character of NumPy's Unicode strings. */
    private static final int CHARACTER = 4;

    /** The type that the elements have in memory. */
    final DataType type;
    /** The kind of strings, {@code U} or {@code S}; else 0. */
    final char strings;
    /** The bytes of an element in the file. */
    final int width;
    /** Whether the bytes of an element are in big-endian order. */
    final boolean isSwapped;
    /** Whether the elements are in column-major order. */
    final boolean isFortran;
    /** The size of each axis: not to be changed. */
    final long[] shape;

    private NpyHeader(DataType type, char strings, int width, boolean isSwapped, boolean isFortran, long... shape) {
        this.type = type;
        this.strings = strings;
        this.width = width;
        this.isSwapped = isSwapped;
        this.isFortran = isFortran;
        this.shape = shape;
    }

    /** The header of some of the elements, in row-major order. */
    NpyHeader ofShape(long... sizes) {
        return new NpyHeader(type, strings, width, isSwapped, false, sizes);
    }

    /** The bytes of all elements in the file. */
    long bytes() {
        return Shapes.product(shape) * width;
    }

    // ---- Reading -------------------------------------------------------------------------------------------------------

    /**
     * Reads a header; the input is then at the first element.
     *
     * @param wanted the type that the elements must have, or null for any: elements that are known to be of two bytes alone are read as BFLOAT16 if
     *     that is wanted
     * @throws IllegalArgumentException if it is none, the elements have another type, or one that is not read
     */
    static NpyHeader read(ByteInput in, DataType wanted) throws IOException {
        in.need(MAGIC.length + 4);
        byte[] magic = in.bytes(MAGIC.length);
        if (!Arrays.equals(magic, MAGIC)) {
            throw in.malformed("this is no .npy file, which would begin with \\x93NUMPY");
        }
        byte[] version = in.bytes(2);
        if (version[0] < 1 || version[0] > 3 || version[1] != 0) {
            throw in.malformed("version " + (version[0] & 0xff) + "." + (version[1] & 0xff) + " of .npy is none of 1.0, 2.0 and 3.0");
        }
        byte[] count = Arrays.copyOf(in.bytes(version[0] == 1 ? 2 : 4), 4);
        long length = ByteBuffer.wrap(count).order(ByteOrder.LITTLE_ENDIAN).getInt() & 0xffffffffL;
        if (length > LARGEST) {
            throw in.malformed("the header has " + length + " bytes; at most " + LARGEST + " are read");
        }
        in.need(length);
        Charset charset = version[0] == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
        String text;
        try {
            text = charset.newDecoder().decode(ByteBuffer.wrap(in.bytes((int) length))).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(in.name + ": the header is not UTF-8", e);
        }
        return new NpyHeaderText(in, text).parse(wanted);
    }

    /** The header of elements of a dtype, such as {@code <f4}. */
    static NpyHeader of(ByteInput in, String dtype, boolean isFortran, long[] shape, DataType wanted) {
        boolean hasOrder = !dtype.isEmpty() && "<>|=".indexOf(dtype.charAt(0)) >= 0;
        String code = hasOrder ? dtype.substring(1) : "";
        char kind = code.isEmpty() ? 0 : code.charAt(0);
        boolean isSwapped = hasOrder && dtype.charAt(0) == '>';
        if (kind == 'U' || kind == 'S') {
            check(in, dtype, DataType.STRING, wanted);
            long characters = code.matches("[US][0-9]{1,9}") ? Long.parseLong(code.substring(1)) : 0;
            long width = kind == 'U' ? characters * CHARACTER : characters;
            if (width == 0 || width > Integer.MAX_VALUE) {
                throw in.malformed("its elements are '" + dtype + "', strings of no length that is read");
            }
            return new NpyHeader(DataType.STRING, kind, (int) width, isSwapped, isFortran, sizes(in, dtype, shape, (int) width));
        }
        String name = ElementCodes.ofNpy(code);
        if ("V2".equals(code) && (wanted == null || !name.equals(wanted.name()))) {
            name = null;
        }
        DataType type = name == null ? null : ElementCodes.type(name);
        if (type == null) {
            throw in.malformed("its elements are '" + dtype + "': " + refusal(kind, code, name));
        }
        check(in, dtype, type, wanted);
        return new NpyHeader(type, (char) 0, type.byteSize(), isSwapped && type.byteSize() > 1, isFortran, sizes(in, dtype, shape, type.byteSize()));
    }

    private static void check(ByteInput in, String dtype, DataType type, DataType wanted) {
        if (wanted != null && wanted != type) {
            throw in.malformed("its elements are '" + dtype + "', " + type + ", not " + wanted);
        }
    }

    private static long[] sizes(ByteInput in, String dtype, long[] shape, int width) {
        try {
            return Shapes.check(shape, Math.max(width, DataType.STRING.byteSize()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(in.name + ": of '" + dtype + "', " + e.getMessage(), e);
        }
    }

    /** Why elements are not read. */
    private static String refusal(char kind, String code, String name) {
        switch (kind) {
            case 'O':
                return "objects are pickled Python, which is never read";
            case 'V':
                return "bytes of no type, or records; two bytes are read as BFLOAT16 where that type is asked for";
            case 'c':
                return "there are no complex elements";
            case 'M':
            case 'm':
                return "there are no dates and times; in NumPy, array.view('i8') are their numbers";
            default:
                return name == null ? "none of '<f4' '<f8' '<i4' '<i8' '|u1' '|b1' '<U..' '|S..' and the like" : name + " is no type of this library";
        }
    }

    // ---- Writing -------------------------------------------------------------------------------------------------------

    /** The header that NumPy 2 writes for elements of a fixed width. */
    static byte[] written(DataType type, boolean isFortran, long... shape) {
        String code = ElementCodes.npy(type);
        return written((type.byteSize() == 1 ? "|" : "<") + code, isFortran, shape);
    }

    /** The header that NumPy 2 writes for strings of at most so many code points. */
    static byte[] written(int characters, boolean isFortran, long... shape) {
        return written("<U" + characters, isFortran, shape);
    }

    /** The header that NumPy 2 writes for elements of a dtype. */
    static byte[] written(String dtype, boolean isFortran, long... shape) {
        StringBuilder text = new StringBuilder("{'descr': '").append(dtype).append("', 'fortran_order': ").append(isFortran ? "True" : "False")
            .append(", 'shape': (");
        for (int d = 0; d < shape.length; d++) {
            text.append(d == 0 ? "" : " ").append(shape[d]).append(d < shape.length - 1 || d == 0 ? "," : "");
        }
        text.append("), }");
        if (shape.length > 0) {
            int digits = String.valueOf(shape[isFortran ? shape.length - 1 : 0]).length();
            for (int n = digits; n < GROWTH_DIGITS; n++) {
                text.append(' ');
            }
        }
        // A header of more than 65,535 bytes would need version 2.0; the shapes of a tensor are far from it, or the reader refuses them.
        int fixed = MAGIC.length + 2 + 2;
        int used = fixed + text.length() + 1;
        int whole = used + ALIGNMENT - used % ALIGNMENT;
        if (whole - fixed > LARGEST - 1) {
            throw new IllegalArgumentException("a shape of rank " + shape.length + " does not fit the header of a .npy file");
        }
        byte[] header = new byte[whole];
        Arrays.fill(header, (byte) ' ');
        System.arraycopy(MAGIC, 0, header, 0, MAGIC.length);
        header[MAGIC.length] = 1;
        header[MAGIC.length + 1] = 0;
        header[MAGIC.length + 2] = (byte) (whole - fixed);
        header[MAGIC.length + 3] = (byte) (whole - fixed >> 8);
        byte[] ascii = text.toString().getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(ascii, 0, header, fixed, ascii.length);
        header[whole - 1] = '\n';
        return header;
    }
}
