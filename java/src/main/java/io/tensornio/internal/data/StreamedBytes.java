package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.layout.Shapes;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Objects;

/**
 * Streams of bytes from and to data of any implementation, but strings: the elements in row-major order, each in big-endian order.
 *
 * @param <D> the data of the carrier
 * @param <A> its arrays
 */
final class StreamedBytes<D extends TensorData<D>, A> {
    /** The size of a chunk. */
    private static final int CHUNK = 1 << 16;

    private final PrimitiveCarrier<D, A> carrier;
    private final D whole;
    private final byte[] bytes;
    private final A elements;
    /** The number of elements of the previous parts. */
    private long before;

    private StreamedBytes(PrimitiveCarrier<D, A> carrier, DataPart<D> all) {
        this.carrier = carrier;
        whole = all.data;
        int n = (int) Math.min(all.total, chunk(carrier));
        elements = carrier.array(n);
        bytes = carrier.bytes(elements);
    }

    private static int chunk(Carrier<?, ?> carrier) {
        return CHUNK / carrier.bytes;
    }

    /** Reads all elements of data into a stream. */
    static <D extends TensorData<D>, A> void read(PrimitiveCarrier<D, A> carrier, D data, OutputStream out) {
        Objects.requireNonNull(out, "out");
        data.slice();                   // throws if it is closed, even if it is empty
        try {
            DataPart<D> all = DataPart.of(data);
            StreamedBytes<D, A> encoding = new StreamedBytes<>(carrier, all);
            all.each(chunk(carrier), (part, n) -> encoding.encode(part, n, out));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes all elements of data from a stream. */
    static <D extends TensorData<D>, A> void write(PrimitiveCarrier<D, A> carrier, D data, InputStream in) {
        Objects.requireNonNull(in, "in");
        GrowingPart<D, A> growing = data instanceof OwnData ? OwnData.<D, A>own(data).growing() : null;
        D target = growing == null ? data : growing.target().self();
        carrier.put(target, carrier.array(0));          // throws if it is closed or read-only
        try {
            DataPart<D> all = DataPart.of(target);
            StreamedBytes<D, A> encoding = new StreamedBytes<>(carrier, all);
            all.each(chunk(carrier), (part, n) -> encoding.decode(part, n, in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void encode(D part, int n, OutputStream out) throws IOException {
        carrier.get(part, elements);
        carrier.encode(elements, n, bytes);
        out.write(bytes, 0, n * carrier.bytes);
    }

    private void decode(D part, int count, InputStream in) throws IOException {
        int needed = count * carrier.bytes;
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
            put(part, got / carrier.bytes);        // what has arrived is kept even after a failure
        }
        before += count;
    }

    /** Writes the first bytes, as elements, to the start of a part. */
    private void put(D part, int n) {
        if (n > 0) {
            carrier.decode(bytes, elements, n);
            carrier.put(part, elements, n, OwnData.isSparse(part));         // the capacity of sparse data may suffice for some of them only
        }
    }

    private EOFException ended(int got) {
        int cut = got % carrier.bytes;
        return new EOFException("the stream ended after " + (before + got / carrier.bytes) + " of the "
            + Shapes.elements(whole.totalSize()) + " of " + Arrays.toString(whole.shape())
            + (cut == 0 ? "" : " and " + cut + " of the " + carrier.bytes + " bytes of the next"));
    }
}
