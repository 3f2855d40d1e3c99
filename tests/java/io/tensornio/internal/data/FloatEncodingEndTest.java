package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.flip;
import static io.tensornio.internal.data.FloatBytes.BYTES;
import static io.tensornio.internal.data.FloatBytes.CHUNK;
import static io.tensornio.internal.data.FloatBytes.VIEWS;
import static io.tensornio.internal.data.FloatBytes.all;
import static io.tensornio.internal.data.FloatBytes.encoded;
import static io.tensornio.internal.data.FloatBytes.ended;
import static io.tensornio.internal.data.FloatBytes.model;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.internal.data.FloatBytes.Source;
import io.tensornio.internal.data.FloatBytes.Target;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.NaiveView;
import io.tensornio.support.Pick;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Streams of bytes that give less of {@code float} data than they are asked for, end early or throw. */
@ExtendWith(MemoryBalance.class)
class FloatEncodingEndTest {
    // ---- Streams that give less than they are asked for ------------------------------------------------------------

    /** Writes data of which some is beyond one chunk from a stream, and compares. */
    private static void checkWrites(Source source, float... values) {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {3, values.length / 3}, data -> data.slice(flip()).write(source))) {
            assertArrayEquals(values, all(tensor.floatData().slice(flip())));
        }
    }

    @Test
    void aByteAtATime() {
        float[] values = FloatValues.array(5, 3 * 9000);
        checkWrites(new Source(encoded(values)) {
            @Override
            int give(int asked) {
                return 1;
            }
        }, values);
    }

    @Test
    void someBytesAtATimeOrNone() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        float[] values = FloatValues.array(5, 3 * 9000);
        for (int round = 0; round < 5 * Expect.depth(); round++) {
            try {
                checkWrites(new Source(encoded(values)) {
                    @Override
                    int give(int asked) {
                        return random.nextInt(Math.min(asked, random.nextBoolean() ? 3 : 2000) + 1);
                    }
                }, values);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    @Test
    void aStreamThatGivesNothingIsAskedForAByte() {
        float[] values = FloatValues.array(5, 12);
        byte[] bytes = encoded(values);
        class Silent extends Source {
            int single;

            Silent(byte... bytes) {
                super(bytes);
            }

            @Override
            int give(int asked) {
                return 0;
            }

            @Override
            public int read() throws IOException {
                single++;
                return super.read();
            }
        }
        Silent silent = new Silent(bytes);
        checkWrites(silent, values);
        assertEquals(bytes.length, silent.single);
        assertEquals(bytes.length, silent.requests.size());
        Silent ends = new Silent(Arrays.copyOf(bytes, 2 * BYTES));
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {12}, data -> ended(data, ends, "after 2 of the 12 elements"))) {
            assertArrayEquals(Arrays.copyOf(values, 2), Arrays.copyOf(all(tensor.floatData()), 2));
            assertEquals(FloatValues.ZERO, tensor.floatData().get(2));
        }
    }

    @Test
    void anEndAtEveryByte() {
        for (Pick[] picks : VIEWS) {
            NaiveView view = NaiveView.of(4, 3, 5).slice(picks);
            byte[] bytes = encoded(FloatValues.array(100, view.size()));
            for (int cut = 0; cut < bytes.length; cut++) {
                byte[] start = Arrays.copyOf(bytes, cut);
                int whole = cut / BYTES;
                int rest = cut % BYTES;
                try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4, 3, 5}, data -> {
                    FloatValues.fill(data);
                    String counts = "after " + whole + " of the " + Expect.elements(view.size()) + " of " + Arrays.toString(view.shape);
                    ended(data.slice(Pick.indices(picks)), new Source(start), counts, rest == 0 ? counts : rest + " of the " + BYTES + " bytes");
                })) {
                    assertArrayEquals(model(view, whole), FloatValues.all(tensor.floatData()), cut + " bytes of " + Arrays.toString(picks));
                }
            }
        }
    }

    @Test
    void anEndBehindTheFirstChunk() {
        int n = 3 * CHUNK / BYTES + 1;
        float[] values = FloatValues.array(5, n);
        byte[] bytes = encoded(values);
        for (int cut : new int[] {0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK - BYTES, n * BYTES / 2, n * BYTES - 1}) {
            try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {n}, data ->
                    ended(data.slice(flip()), new Source(Arrays.copyOf(bytes, cut)), "after " + cut / BYTES + " of the " + n + " elements"))) {
                float[] expected = new float[n];
                System.arraycopy(values, 0, expected, 0, cut / BYTES);
                assertArrayEquals(expected, all(tensor.floatData().slice(flip())), cut + " bytes");
            }
        }
    }

    @Test
    void aStreamThatSaysMoreThanItWasAskedForIsNotBelieved() {
        int given = 2 * BYTES + 1;
        int rest = 60 * BYTES - given;
        for (int more : new int[] {1, CHUNK, Integer.MAX_VALUE - rest}) {
            Source liar = new Source(encoded(FloatValues.array(100, 60))) {
                @Override
                public int read(byte[] b, int off, int len) throws IOException {
                    return off == 0 ? super.read(b, off, given) : len + more;
                }
            };
            try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4, 3, 5}, data -> {
                FloatValues.fill(data);
                UncheckedIOException e = Expect.thrown(UncheckedIOException.class, () -> data.write(liar));
                Expect.says(e.getCause(), liar.getClass().getName(), rest + more + " bytes", rest + " were asked for");
            })) {
                assertArrayEquals(model(NaiveView.of(4, 3, 5), given / BYTES), FloatValues.all(tensor.floatData()));
            }
        }
    }

    // ---- Streams that throw ----------------------------------------------------------------------------------------

    private static Source failing(byte[] bytes, int good, Exception thrown) {
        return new Source(bytes) {
            private int given;

            @Override
            int give(int asked) throws IOException {
                if (given == good) {
                    if (thrown instanceof IOException) {
                        throw (IOException) thrown;
                    }
                    throw (RuntimeException) thrown;
                }
                int n = Math.min(asked, Math.min(7, good - given));
                given += n;
                return n;
            }
        };
    }

    @Test
    void whatCameBeforeAnExceptionStays() {
        IOException broken = new IOException("broken");
        RuntimeException stop = new RuntimeException("stop");
        byte[] bytes = encoded(FloatValues.array(100, 60));
        for (int good = 0; good < bytes.length; good++) {
            int n = good;
            try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4, 3, 5}, data -> {
                FloatValues.fill(data);
                assertSame(broken, Expect.thrown(UncheckedIOException.class, () -> data.write(failing(bytes, n, broken)), "broken").getCause());
                assertArrayEquals(model(NaiveView.of(4, 3, 5), n / BYTES), FloatValues.all(data));
                FloatValues.fill(data);
                assertSame(stop, assertThrows(RuntimeException.class, () -> data.write(failing(bytes, n, stop))));
            })) {
                assertArrayEquals(model(NaiveView.of(4, 3, 5), n / BYTES), FloatValues.all(tensor.floatData()));
            }
        }
    }

    @Test
    void aTargetThatThrows() {
        IOException full = new IOException("full");
        try (Tensor<Float> tensor = FloatValues.tensor(2, 3)) {
            assertSame(full, Expect.thrown(UncheckedIOException.class, () -> tensor.floatData().read(new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    throw full;
                }
            }), "full").getCause());
        }
    }

    @Test
    void checksComeInOrder() {
        Source unread = new Source(new byte[100 * BYTES]);
        Target unwritten = new Target();
        for (long[] shape : new long[][] {{2, 3}, {0}}) {
            String says = Arrays.toString(shape);
            Tensor<Float> tensor = FloatValues.tensor(shape);
            FloatTensorData data = tensor.floatData();
            Expect.thrown(ReadOnlyBufferException.class, () -> data.write(unread), "FLOAT", says, "published");
            Expect.thrown(ReadOnlyBufferException.class, () -> data.readFrom(unread), "FLOAT", says, "published");
            Expect.thrown(NullPointerException.class, () -> data.write(null), "in");
            Expect.thrown(NullPointerException.class, () -> data.read(null), "out");
            tensor.close();
            Expect.thrown(TensorClosedException.class, () -> data.write(unread), "FLOAT", says, "closed");
            Expect.thrown(TensorClosedException.class, () -> data.readFrom(unread), "FLOAT", says, "closed");
            Expect.thrown(TensorClosedException.class, () -> data.read(unwritten), "FLOAT", says, "closed");
            Expect.thrown(TensorClosedException.class, () -> data.writeTo(unwritten), "FLOAT", says, "closed");
            Expect.thrown(NullPointerException.class, () -> data.write(null), "in");
            Expect.thrown(NullPointerException.class, () -> data.read(null), "out");
        }
        assertTrue(unread.requests.isEmpty() && unwritten.writes.isEmpty());
    }

    @Test
    void closedInTheMiddle() {
        Tensor<Float> tensor = FloatValues.tensor(5 * CHUNK / BYTES);
        int[] writes = {0};
        Expect.thrown(TensorClosedException.class, () -> tensor.floatData().read(new OutputStream() {
            @Override
            public void write(int b) {
                throw new AssertionError("a byte of its own");
            }

            @Override
            public void write(byte[] b, int off, int len) {
                writes[0]++;
                tensor.close();
            }
        }), "FLOAT", "closed");
        assertEquals(1, writes[0]);
    }
}
