package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
//#if float int long
import io.tensornio.internal.element.Encodings;
//#end
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.layout.Shapes;
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
 * Reads and writes {@code float} data of any implementation in the encoding of {@link java.io.DataOutput}. It copies in
 * chunks, through a staging array of bytes and one of elements.
 */
public final class FloatEncoding {
    /** The number of elements of a chunk: 64 KiB. */
    private static final int CHUNK = (1 << 16) / FloatElement.BYTES;
    private static final float[] NONE = {};
    private static final int[] ALL = {};

    private final FloatTensorData whole;
    private final byte[] bytes;
    private final float[] elements;
    /** The type of the elements, and the bytes of each. */
    private final DataType type;
    private final int width;
    /** The number of elements of the previous parts. */
    private long before;

    private FloatEncoding(DataPart<FloatTensorData> all) {
        whole = all.data;
        int n = (int) Math.min(all.total, CHUNK);
        elements = new float[n];
        type = whole.dataType();
        width = type.byteSize();
        //#if !byte
        bytes = new byte[n * width];
        //#end
        //~byte bytes = elements;       // which need no encoding
    }

    /**
     * Reads all elements of data into a stream.
     *
     * @param data the data
     * @param out receives the bytes
     * @throws UncheckedIOException if the stream throws an {@code IOException}
     */
    public static void read(FloatTensorData data, OutputStream out) {
        Objects.requireNonNull(out, "out");
        data.slice();                   // throws if it is closed, even if it is empty
        try {
            DataPart<FloatTensorData> all = DataPart.of(data);
            FloatEncoding encoding = new FloatEncoding(all);
            all.each(CHUNK, (part, n) -> encoding.encode(part, n, out));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes all elements of data from a stream.
     *
     * @param data the data
     * @param in provides the bytes
     * @throws UncheckedIOException if the stream throws an {@code IOException}, or ends too early
     */
    public static void write(FloatTensorData data, InputStream in) {
        Objects.requireNonNull(in, "in");
        FloatTensorData target = data instanceof FloatRaggedBuilder ? ((FloatRaggedBuilder) data).target() : data;
        target.put(NONE, ALL);          // throws if it is closed or read-only
        try {
            DataPart<FloatTensorData> all = DataPart.of(target);
            FloatEncoding encoding = new FloatEncoding(all);
            all.each(CHUNK, (part, n) -> encoding.decode(part, n, in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void encode(FloatTensorData part, int n, OutputStream out) throws IOException {
        part.get(elements, ALL);
        //#if float int long
        if (type == FloatElement.TYPE) {
            ByteBuffer.wrap(bytes).asFloatBuffer().put(elements, 0, n);
        } else {
            ByteBuffer narrow = ByteBuffer.wrap(bytes);
            for (int i = 0; i < n; i++) {
                Encodings.writeFloat(type, narrow, i, elements[i]);
            }
        }
        //#end
        //~double ByteBuffer.wrap(bytes).asDoubleBuffer().put(elements, 0, n);
        //~boolean for (int i = 0; i < n; i++) {
        //~boolean     bytes[i] = (byte) (elements[i] ? 1 : 0);
        //~boolean }
        out.write(bytes, 0, n * width);
    }

    private void decode(FloatTensorData part, int count, InputStream in) throws IOException {
        int needed = count * width;
        int got = 0;
        try {
            while (got < needed) {
                int n = InputBytes.some(in, bytes, got, needed - got);
                if (n < 0) {
                    throw ended(got);
                }
                got += n;
            }
        } finally {
            put(part, got / width);        // what has arrived is kept even after a failure
        }
        before += count;
    }

    /** Writes the first bytes, as elements, to the start of a part. */
    private void put(FloatTensorData part, int n) {
        if (n == 0) {
            return;
        }
        //#if float int long
        if (type == FloatElement.TYPE) {
            ByteBuffer.wrap(bytes).asFloatBuffer().get(elements, 0, n);
        } else {
            ByteBuffer narrow = ByteBuffer.wrap(bytes);
            for (int i = 0; i < n; i++) {
                elements[i] = Encodings.readFloat(type, narrow, i);
            }
        }
        //#end
        //~double ByteBuffer.wrap(bytes).asDoubleBuffer().get(elements, 0, n);
        //~boolean for (int i = 0; i < n; i++) {
        //~boolean     elements[i] = bytes[i] != 0;
        //~boolean }
        if (FloatSparseEntries.has(part)) {         // its capacity may suffice for some of them only
            FloatArrayCopies.writeEach(part, n, elements, 0);
            return;
        }
        //#if buffer
        part.put(FloatBuffer.wrap(elements, 0, n), ALL);
        //#end
        //~boolean part.put(n == elements.length ? elements : Arrays.copyOf(elements, n), ALL);
    }

    private EOFException ended(int got) {
        int cut = got % width;
        return new EOFException("the stream ended after " + (before + got / width) + " of the "
            + Shapes.elements(whole.totalSize()) + " of " + Arrays.toString(whole.shape())
            + (cut == 0 ? "" : " and " + cut + " of the " + width + " bytes of the next"));
    }
}
