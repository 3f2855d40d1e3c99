package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.string.Ascii;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UTFDataFormatException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * Reads and writes string data of any implementation in the encoding of {@link java.io.DataOutput#writeUTF}: for each string the number of its bytes,
 * as two bytes, and these in modified UTF-8.
 */
public final class StringEncoding {
    private static final int LONGEST = 65_535;
    private static final int CHUNK = 1 << 16;
    private static final String[] NONE = {};
    private static final int[] ALL = {};

    /** What is read or written, for messages; it may have been closed. */
    private final String what;
    /** A string's bytes when reading; what is still to be written when writing. */
    private byte[] bytes = new byte[256];
    private int filled;
    private long done;

    private StringEncoding(String what) {
        this.what = what;
    }

    // ---- Reading data, which writes a stream ---------------------------------------------------------------------------

    /**
     * Reads all elements of data into a stream.
     *
     * @param data the data
     * @param out takes the bytes
     * @throws UncheckedIOException if the stream throws an {@code IOException}; with a {@link UTFDataFormatException} if a string needs more than
     *     65,535 bytes, or has an unpaired surrogate
     */
    public static void read(StringTensorData data, OutputStream out) {
        Objects.requireNonNull(out, "out");
        data.slice();                   // throws if it is closed, however few elements it has
        try {
            long total = data.totalSize();
            new StringEncoding(" of the " + Shapes.elements(total) + " of " + Arrays.toString(data.shape())).encode(scalars(data), total, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static StringTensorIterator scalars(StringTensorData data) {
        return Objects.requireNonNull(data.scalars(), "scalars() gave null");
    }

    /** The user's own data may have an iterator with more elements, or without an end. */
    private void checkMore(long total) {
        if (done >= total) {
            throw new IllegalStateException("after " + done + what + " its iterator has more");
        }
    }

    private void encode(StringTensorIterator scalars, long total, OutputStream out) throws IOException {
        bytes = new byte[CHUNK + 2];
        try {
            while (scalars.hasMoreElements()) {
                checkMore(total);
                String text = scalars.get();
                boolean isAscii = Ascii.isShort(text) && text.indexOf(0) < 0;           // which has two bytes
                int n = isAscii ? text.length() : length(text);
                if (filled + 2 + n > bytes.length) {
                    flush(out);
                }
                bytes[filled] = (byte) (n >> 8);
                bytes[filled + 1] = (byte) n;
                if (isAscii) {
                    Ascii.copy(text, bytes, filled + 2);
                } else {
                    encode(text, filled + 2);
                }
                filled += 2 + n;        // whole strings only, whatever has been thrown
                done++;
            }
        } finally {
            flush(out);                 // what came before an exception, too
        }
    }

    private void flush(OutputStream out) throws IOException {
        int n = filled;
        filled = 0;                     // written once, even if that fails
        if (n > 0) {
            out.write(bytes, 0, n);
        }
    }

    private int length(String text) throws UTFDataFormatException {
        long n = text.length();
        boolean hasSurrogates = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            n += c >= 0x800 ? 2 : c >= 0x80 || c == 0 ? 1 : 0;
            hasSurrogates |= Character.isSurrogate(c);
        }
        if (hasSurrogates) {
            checkPaired(text);          // nobody but the user's own code can give one that is not
        }
        if (n > LONGEST) {
            throw new UTFDataFormatException("the string of " + text.length() + " characters at position " + done + what + " has " + n
                + " bytes in modified UTF-8, which can have " + LONGEST);
        }
        return (int) n;
    }

    private void encode(String text, int from) {
        byte[] b = bytes;
        int at = from;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80 && c != 0) {
                b[at++] = (byte) c;
            } else if (c < 0x800) {
                b[at++] = (byte) (0xc0 | c >> 6);
                b[at++] = (byte) (0x80 | c & 0x3f);
            } else {
                b[at++] = (byte) (0xe0 | c >> 12);
                b[at++] = (byte) (0x80 | c >> 6 & 0x3f);
                b[at++] = (byte) (0x80 | c & 0x3f);
            }
        }
    }

    // ---- Writing data, which reads a stream ----------------------------------------------------------------------------

    /**
     * Writes all elements of data from a stream.
     *
     * @param data the data
     * @param in gives the bytes
     * @throws UncheckedIOException if the stream throws an {@code IOException}, ends too early, or has what is no modified UTF-8 or an
     *     unpaired surrogate
     */
    public static void write(StringTensorData data, InputStream in) {
        Objects.requireNonNull(in, "in");
        StringTensorData target = data instanceof StringRaggedBuilder ? (StringTensorData) ((StringRaggedBuilder) data).growing().target() : data;
        target.put(NONE, ALL);          // closed, read-only
        long total = target.totalSize();
        StringEncoding encoding = new StringEncoding(" of the " + Shapes.elements(total) + " of " + Arrays.toString(target.shape()));
        try {
            for (StringTensorIterator scalars = scalars(target); scalars.hasMoreElements();) {
                encoding.checkMore(total);
                String text = encoding.decode(in);
                if (text == null) {
                    throw encoding.ended("");
                }
                scalars.put(text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds strings to a vector until a stream ends. */
    static void writeAll(StringCollector strings, InputStream in) {
        StringEncoding encoding = new StringEncoding(" of the elements of the STRING tensor of shape [-1]");
        InputStream pieces = new Pieces(in);
        try {
            for (String text = encoding.decode(pieces); text != null; text = encoding.decode(pieces)) {
                strings.add(text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Fills the first bytes; returns how many there were before the stream ended. */
    private int fill(InputStream in, int n) throws IOException {
        if (bytes.length < n) {
            bytes = new byte[Math.max(n, 2 * bytes.length)];
        }
        int got = 0;
        while (got < n) {
            int more = InputBytes.some(in, bytes, got, n - got);
            if (more < 0) {
                break;
            }
            got += more;
        }
        return got;
    }

    /** A stream read in large pieces, for what is read to its end. */
    private static final class Pieces extends InputStream {
        private final InputStream in;
        private final byte[] piece = new byte[CHUNK];
        private int at;
        private int end;

        Pieces(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int from, int n) throws IOException {
            if (at == end) {
                at = 0;
                end = Math.max(0, InputBytes.some(in, piece, 0, CHUNK));
            }
            int given = Math.min(n, end - at);
            System.arraycopy(piece, at, to, from, given);
            at += given;
            return given == 0 ? -1 : given;
        }
    }

    private EOFException ended(String cut) {
        return new EOFException("the stream ended after " + done + what + cut);
    }

    /** The next string; null if the stream has ended before it. */
    private String decode(InputStream in) throws IOException {
        int got = fill(in, 2);
        if (got < 2) {
            if (got == 0) {
                return null;
            }
            throw ended(" and 1 of the 2 bytes of the next one's length");
        }
        int n = (bytes[0] & 0xff) << 8 | bytes[1] & 0xff;
        got = fill(in, n);
        if (got < n) {
            throw ended(" and " + got + " of the " + StringElement.bytes(n) + " of the next");
        }
        String text = text(n);
        done++;
        return text;
    }

    private String text(int n) throws UTFDataFormatException {
        byte[] b = bytes;
        int ascii = 0;
        while (ascii < n && b[ascii] >= 0) {
            ascii++;
        }
        if (ascii == n) {
            return new String(b, 0, n, StandardCharsets.US_ASCII);
        }
        char[] chars = new char[n];
        int count = 0;
        for (int i = 0; i < n;) {
            int c = b[i];
            if (c >= 0) {
                i++;
            } else if ((c & 0xe0) == 0xc0) {
                c = (c & 0x1f) << 6 | next(i, 1, n);
                i += 2;
            } else if ((c & 0xf0) == 0xe0) {
                c = (c & 0xf) << 12 | next(i, 1, n) << 6 | next(i, 2, n);
                i += 3;
            } else {
                throw malformed(i, n);
            }
            chars[count++] = (char) c;
        }
        String text = new String(chars, 0, count);
        checkPaired(text);
        return text;
    }

    /** What a byte adds to the character that begins at {@code i}. */
    private int next(int i, int more, int n) throws UTFDataFormatException {
        if (i + more >= n || (bytes[i + more] & 0xc0) != 0x80) {
            throw malformed(i, n);
        }
        return bytes[i + more] & 0x3f;
    }

    private UTFDataFormatException malformed(int i, int n) {
        return new UTFDataFormatException("the string at position " + done + what + " is no modified UTF-8: its " + StringElement.bytes(n)
            + (n == 1 ? " is" : " are") + " malformed from byte " + i + " on");
    }

    /** Refuses what modified UTF-8 can hold, but UTF-8 cannot, both ways: what was read can be written again. */
    private void checkPaired(String text) throws UTFDataFormatException {
        int i = StringElement.unpairedAt(text);
        if (i >= 0) {
            throw new UTFDataFormatException("the string at position " + done + what + " has an "
                + StringElement.unpairedSurrogate(text, i) + ": it has no UTF-8");
        }
    }
}
