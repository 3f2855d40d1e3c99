package io.tensornio.internal.file;

import io.tensornio.DataType;
import java.util.ArrayList;
import java.util.List;

/** The text of the header of a .npy file: the literal of a Python dictionary with just three keys, read from left to right. */
final class NpyHeaderText {
    private final ByteInput in;
    private final String text;
    private int at;

    NpyHeaderText(ByteInput in, String text) {
        this.in = in;
        this.text = text;
    }

    /** Reads all of it. */
    NpyHeader parse(DataType wanted) {
        String dtype = null;
        Boolean isFortran = null;
        long[] shape = null;
        expect('{');
        while (next() != '}') {
            String key = string();
            expect(':');
            if ("descr".equals(key) && dtype == null) {
                dtype = dtype();
            } else if ("fortran_order".equals(key) && isFortran == null) {
                isFortran = truth();
            } else if ("shape".equals(key) && shape == null) {
                shape = shape();
            } else {
                throw fault("'" + key + "' is a second time, or none of 'descr', 'fortran_order' and 'shape',");
            }
            if (next() != '}') {
                expect(',');
            }
        }
        expect('}');
        if (next() != 0) {
            throw fault("something follows the dictionary");
        }
        if (dtype == null || isFortran == null || shape == null) {
            throw fault("'descr', 'fortran_order' or 'shape' is missing");
        }
        return NpyHeader.of(in, dtype, isFortran, shape, wanted);
    }

    private IllegalArgumentException fault(String fault) {
        String shown = text.length() <= 200 ? text.trim() : text.substring(0, 200) + "...";
        return in.malformed("the header is malformed: " + fault + " at character " + at + " of " + shown);
    }

    /** The next character that is no space, which is not passed; 0 at the end. */
    private char next() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private void expect(char wanted) {
        if (next() != wanted) {
            throw fault("'" + wanted + "' is expected");
        }
        at++;
    }

    private String string() {
        char quote = next();
        int end = quote == '\'' || quote == '"' ? text.indexOf(quote, at + 1) : -1;
        if (end < 0) {
            throw fault("a string is expected");
        }
        String string = text.substring(at + 1, end);
        if (string.indexOf('\\') >= 0) {
            throw fault("a string without escapes is expected");
        }
        at = end + 1;
        return string;
    }

    private String dtype() {
        char first = next();
        if (first != '\'' && first != '"') {
            int end = text.indexOf('\'', Math.min(text.length(), at + 60));
            String shown = text.substring(at, end < 0 ? Math.min(text.length(), at + 60) : end);
            throw in.malformed("its elements are " + shown.trim() + ": structured arrays are not read; in NumPy, array['name'] is one field");
        }
        return string();
    }

    private boolean truth() {
        next();
        for (boolean value : new boolean[] {true, false}) {
            String word = value ? "True" : "False";
            if (text.startsWith(word, at)) {
                at += word.length();
                return value;
            }
        }
        throw fault("True or False is expected");
    }

    private long[] shape() {
        List<Long> sizes = new ArrayList<>();
        expect('(');
        boolean hasComma = true;
        while (next() != ')') {
            if (!hasComma) {
                throw fault("',' is expected");
            }
            sizes.add(size());
            hasComma = next() == ',';
            at += hasComma ? 1 : 0;
        }
        expect(')');
        if (sizes.size() == 1 && !hasComma) {
            throw fault("a tuple of one size needs a comma");
        }
        return sizes.stream().mapToLong(Long::longValue).toArray();
    }

    private long size() {
        int from = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        String digits = text.substring(from, at);
        if (at < text.length() && text.charAt(at) == 'L') {
            at++;                       // as Python 2 wrote
        }
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            at = from;
            throw fault("a size from 0 to 2^63 - 1 is expected");
        }
    }
}
