package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.FloatElement;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
//#if float double int long
import java.nio.ByteBuffer;
//#end
//#if buffer
import java.nio.FloatBuffer;
//#end
import java.util.Arrays;
import java.util.Objects;

/**
 * Reads and writes {@code float} data of any implementation in the encoding of {@link java.io.DataOutput}. Between a stream
 * of bytes and the data lies an array of bytes and one of elements; both take a chunk at a time.
 */
public final class FloatEncoding {
    /** Elements of a chunk: 64 KiB. */
    private static final int CHUNK = (1 << 16) / FloatElement.BYTES;
    private static final float[] NONE = {};
    private static final int[] ALL = {};

    private final FloatTensorData whole;
    private final byte[] bytes;
    private final float[] elements;
    /** Elements of the parts that came before. */
    private long before;

    private FloatEncoding(FloatTensorData whole) {
        this.whole = whole;
        int n = (int) Math.min(whole.totalSize(), CHUNK);
        elements = new float[n];
        //#if !byte
        bytes = new byte[n * FloatElement.BYTES];
        //#end
        //~byte bytes = elements;       // which need no encoding
    }

    /**
     * Reads all elements of data into a stream.
     *
     * @param data the data
     * @param out takes the bytes
     * @throws UncheckedIOException if the stream throws an {@code IOException}
     */
    public static void read(FloatTensorData data, OutputStream out) {
        Objects.requireNonNull(out, "out");
        data.slice();                   // throws if it is closed, however few elements it has
        try {
            new FloatEncoding(data).encode(data, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes all elements of data from a stream.
     *
     * @param data the data
     * @param in gives the bytes
     * @throws UncheckedIOException if the stream throws an {@code IOException}, or ends too early
     */
    public static void write(FloatTensorData data, InputStream in) {
        Objects.requireNonNull(in, "in");
        FloatTensorData target = data instanceof FloatGrowing ? ((FloatGrowing) data).target() : data;
        target.put(NONE, ALL);          // closed, read-only
        try {
            new FloatEncoding(target).decode(target, in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void encode(FloatTensorData part, OutputStream out) throws IOException {
        if (part.totalSize() > CHUNK) {
            for (FloatTensorData half : halves(part)) {
                encode(half, out);
            }
            return;
        }
        int n = (int) part.totalSize();
        if (n == 0) {
            return;
        }
        part.get(elements, ALL);
        //#if float double int long
        ByteBuffer.wrap(bytes).asFloatBuffer().put(elements, 0, n);
        //#end
        //~boolean for (int i = 0; i < n; i++) {
        //~boolean     bytes[i] = (byte) (elements[i] ? 1 : 0);
        //~boolean }
        out.write(bytes, 0, n * FloatElement.BYTES);
    }

    private void decode(FloatTensorData part, InputStream in) throws IOException {
        if (part.totalSize() > CHUNK) {
            for (FloatTensorData half : halves(part)) {
                decode(half, in);
            }
            return;
        }
        int wanted = (int) part.totalSize() * FloatElement.BYTES;
        int got = 0;
        try {
            while (got < wanted) {
                int n = in.read(bytes, got, wanted - got);
                if (n == 0) {           // which no stream should give; this waits, instead of asking again and again
                    int next = in.read();
                    bytes[got] = (byte) next;
                    n = next < 0 ? -1 : 1;
                }
                if (n < 0) {
                    throw ended(got);
                }
                got += n;
            }
        } finally {
            put(part, got / FloatElement.BYTES);        // what arrived stays, whatever came then
        }
        before += part.totalSize();
    }

    /** Writes the first bytes, as elements, to the start of a part. */
    private void put(FloatTensorData part, int n) {
        if (n == 0) {
            return;
        }
        //#if float double int long
        ByteBuffer.wrap(bytes).asFloatBuffer().get(elements, 0, n);
        //#end
        //~boolean for (int i = 0; i < n; i++) {
        //~boolean     elements[i] = bytes[i] != 0;
        //~boolean }
        if (FloatSparseEntries.has(part)) {         // there may be room for some of them
            FloatCopies.writeEach(part, n, elements, 0);
            return;
        }
        //#if buffer
        part.put(FloatBuffer.wrap(elements, 0, n), ALL);
        //#end
        //~boolean part.put(n == elements.length ? elements : Arrays.copyOf(elements, n), ALL);
    }

    private EOFException ended(int got) {
        int cut = got % FloatElement.BYTES;
        return new EOFException("the stream ended after " + (before + got / FloatElement.BYTES) + " of the " + whole.totalSize() + " elements of "
            + Arrays.toString(whole.shape()) + (cut == 0 ? "" : " and " + cut + " of the " + FloatElement.BYTES + " bytes of the next"));
    }

    /** Data of more than one element, along its first axis that has more than one position. */
    private static FloatTensorData[] halves(FloatTensorData data) {
        FloatTensorData rows = FloatSelection.withoutOnes(data);
        long n = rows.size(0);
        return new FloatTensorData[] {rows.slice(TensorIndex.range(0, n / 2)), rows.slice(TensorIndex.range(n / 2, n))};
    }
}
