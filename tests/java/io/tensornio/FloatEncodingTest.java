package io.tensornio;

import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code float} data as bytes, in streams of them. */
@ExtendWith(MemoryBalance.class)
class FloatEncodingTest {
    private static final int BYTES = DataType.FLOAT.byteSize();
    /** No call of a stream should ask for more at a time, nor for much less where there is more. */
    private static final int CHUNK = 1 << 16;
    private static final Pick[][] VIEWS = {
        {},
        {Pick.at(1)},
        {Pick.all(4), Pick.at(2)},
        {Pick.all(4), Pick.all(3), Pick.at(4)},
        {Pick.flip(4)},
        {Pick.flip(4), Pick.flip(3), Pick.flip(5)},
        {Pick.step(4, 2), Pick.all(3), Pick.step(5, 2)},
        {Pick.range(1, 3, 1), Pick.range(2, 0, -1), Pick.range(1, 5, 3)},
        {Pick.at(3), Pick.at(0), Pick.at(2)},
        {Pick.range(2, 2, 1)},
        {Pick.all(4), Pick.range(2, 2, 1)},
    };

    interface IoAction {
        void run() throws IOException, InterruptedException;
    }

    private static void io(IoAction action) {
        try {
            action.run();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // ---- What the JDK writes and reads -----------------------------------------------------------------------------

    private static byte[] encoded(float... values) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        io(() -> {
            for (float value : values) {
                //#if float
                out.writeFloat(value);
                //#end
                //~double out.writeDouble(value);
                //~int out.writeInt(value);
                //~long out.writeLong(value);
                //~boolean out.writeBoolean(value);
                //~byte out.writeByte(value);
            }
        });
        return bytes.toByteArray();
    }

    private static float[] decoded(byte[] bytes, int n) {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        float[] values = new float[n];
        io(() -> {
            for (int i = 0; i < n; i++) {
                //#if float
                values[i] = in.readFloat();
                //#end
                //~double values[i] = in.readDouble();
                //~int values[i] = in.readInt();
                //~long values[i] = in.readLong();
                //~boolean values[i] = in.readBoolean();
                //~byte values[i] = in.readByte();
            }
            assertEquals(-1, in.read());
        });
        return values;
    }

    private static float[] expected(NaiveView view) {
        float[] expected = new float[view.size()];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = FloatValues.of(view.positions[i]);
        }
        return expected;
    }

    /** Of a tensor whose elements are the values of their positions: those after the values from 100 on were written to the start of a view. */
    private static float[] model(NaiveView view, int n) {
        float[] model = FloatValues.array(0, 60);
        for (int i = 0; i < n; i++) {
            model[view.positions[i]] = FloatValues.of(100 + i);
        }
        return model;
    }

    private static float[] all(FloatTensorData data) {
        float[] all = new float[(int) data.totalSize()];
        data.copyTo(all);
        return all;
    }

    // ---- Streams of all kinds --------------------------------------------------------------------------------------

    /** A stream that takes note of what it is asked, and gives at most so much at a time. */
    private static class Source extends FilterInputStream {
        final List<Integer> requests = new ArrayList<>();
        boolean closed;

        Source(byte... bytes) {
            super(new ByteArrayInputStream(bytes));
        }

        /** How many bytes a request for some gets. */
        int give(int asked) throws IOException {
            return asked;
        }

        @Override
        public int read(byte[] b, int off, int len) throws IOException {
            requests.add(len);
            int n = give(len);
            return n == 0 ? 0 : super.read(b, off, n);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static final class Target extends OutputStream {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final List<Integer> writes = new ArrayList<>();
        boolean flushed;
        boolean closed;

        @Override
        public void write(int b) {
            throw new AssertionError("a byte of its own");
        }

        @Override
        public void write(byte[] b, int off, int len) {
            writes.add(len);
            bytes.write(b, off, len);
        }

        @Override
        public void flush() {
            flushed = true;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void readsWhatTheJdkWouldWrite() {
        try (Tensor<Float> tensor = FloatValues.tensor(4, 3, 5)) {
            for (Pick[] picks : VIEWS) {
                float[] expected = expected(NaiveView.of(4, 3, 5).slice(picks));
                FloatTensorData data = tensor.floatData().slice(Pick.indices(picks));
                for (boolean alias : new boolean[] {false, true}) {
                    Target target = new Target();
                    if (alias) {
                        data.writeTo(target);
                    } else {
                        data.read(target);
                    }
                    assertArrayEquals(encoded(expected), target.bytes.toByteArray(), Arrays.toString(picks));
                    assertArrayEquals(expected, decoded(target.bytes.toByteArray(), expected.length), Arrays.toString(picks));
                    assertFalse(target.flushed || target.closed);
                    assertEquals(expected.length == 0 ? 0 : 1, target.writes.size());
                }
            }
        }
    }

    @Test
    void writesWhatTheJdkWrote() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4, 3, 5}, whole -> {
            for (Pick[] picks : VIEWS) {
                NaiveView view = NaiveView.of(4, 3, 5).slice(picks);
                byte[] bytes = encoded(FloatValues.array(100, view.size() + 3));
                for (boolean alias : new boolean[] {false, true}) {
                    FloatValues.fill(whole);
                    Source source = new Source(bytes);
                    FloatTensorData data = whole.slice(Pick.indices(picks));
                    if (alias) {
                        data.readFrom(source);
                    } else {
                        data.write(source);
                    }
                    assertArrayEquals(model(view, view.size()), FloatValues.all(whole), Arrays.toString(picks));
                    io(() -> assertEquals(3 * BYTES, source.available(), "left for others"));
                    assertFalse(source.closed);
                    assertEquals(view.size() == 0 ? 0 : 1, source.requests.size());
                }
            }
        })) {
            assertEquals(60, tensor.numElements());
        }
    }

    @Test
    void sizesAroundAChunk() {
        int chunk = CHUNK / BYTES;
        for (long[] shape : new long[][] {{chunk - 1}, {chunk}, {chunk + 1}, {2 * chunk + 1}, {3, chunk - 1}, {2, 1, chunk + 1}, {1, chunk + 1, 1}, {chunk, 3},
            {chunk + 5, 1, 3}, {7, 11, 13, 17, 3}}) {
            int n = Arrays.stream(shape).mapToInt(size -> (int) size).reduce(1, (a, b) -> a * b);
            float[] values = FloatValues.array(7, n);
            byte[] bytes = encoded(values);
            TensorIndex[] backwards = new TensorIndex[shape.length];
            Arrays.fill(backwards, flip());
            for (TensorIndex[] indices : new TensorIndex[][] {{}, backwards}) {
                try (Tensor<Float> tensor = Tensors.denseFloat(shape, data -> {
                    Source source = new Source(bytes);
                    data.slice(indices).write(source);
                    assertTrue(source.requests.stream().allMatch(asked -> asked > 0 && asked <= CHUNK), source.requests::toString);
                    assertTrue(source.requests.size() <= 2 + 3L * n * BYTES / CHUNK, source.requests::toString);
                })) {
                    FloatTensorData data = tensor.floatData().slice(indices);
                    assertArrayEquals(values, all(data), Arrays.toString(shape));
                    Target target = new Target();
                    data.read(target);
                    assertArrayEquals(bytes, target.bytes.toByteArray(), Arrays.toString(shape));
                    assertTrue(target.writes.stream().allMatch(size -> size > 0 && size <= CHUNK), target.writes::toString);
                    assertTrue(target.writes.size() <= 2 + 3L * n * BYTES / CHUNK, target.writes::toString);
                }
            }
        }
    }

    //#if float
    private static final float NAN = Float.intBitsToFloat(0x7fc12345);

    private static long bits(float value) {
        return Float.floatToRawIntBits(value);
    }
    //#end
    //~double private static final double NAN = Double.longBitsToDouble(0xfff8123456789abcL);

    //~double private static long bits(double value) {
    //~double     return Double.doubleToRawLongBits(value);
    //~double }

    //#if floating
    @Test
    void allBitsAreKept() {
        float[] values = {NAN, -0.0f, Float.MIN_VALUE, Float.NEGATIVE_INFINITY};
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4}, data -> data.put(values))) {
            Target target = new Target();
            tensor.floatData().read(target);
            try (Tensor<Float> copy = Tensors.denseFloat(new long[] {4}, data -> data.write(new Source(target.bytes.toByteArray())))) {
                for (int i = 0; i < 4; i++) {
                    assertEquals(bits(values[i]), bits(copy.floatData().get(i)));
                }
            }
        }
    }
    //#end

    //~boolean @Test
    //~boolean void anyByteButZeroIsTrue() {
    //~boolean     try (Tensor<Boolean> tensor = Tensors.denseBoolean(new long[] {5}, data -> data.write(new Source((byte) 2, (byte) 0, (byte) -1, (byte) 128, (byte) 1)))) {
    //~boolean         assertArrayEquals(new boolean[] {true, false, true, true, true}, FloatValues.all(tensor.booleanData()));
    //~boolean         Target target = new Target();
    //~boolean         tensor.booleanData().read(target);
    //~boolean         assertArrayEquals(new byte[] {1, 0, 1, 1, 1}, target.bytes.toByteArray());
    //~boolean     }
    //~boolean }

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

    private static void ended(FloatTensorData data, InputStream in, String... says) {
        UncheckedIOException e = Expect.thrown(UncheckedIOException.class, () -> data.write(in), says);
        assertSame(EOFException.class, e.getCause().getClass());
        Expect.says(e.getCause(), says);
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
                    String counts = "after " + whole + " of the " + view.size() + " elements of " + Arrays.toString(view.shape);
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

    // ---- Real streams ----------------------------------------------------------------------------------------------

    /** Sends data through a connection and a thread of its own, with more behind it, and compares. */
    private static void checkConnection(OutputStream out, InputStream in) throws IOException, InterruptedException {
        float[] values = FloatValues.array(3, 3 * 40_001);
        byte[] behind = {1, 2, 3};
        Throwable[] thrown = new Throwable[1];
        try (Tensor<Float> sent = Tensors.denseFloat(new long[] {40_001, 3}, data -> data.put(values))) {
            Thread sender = new Thread(() -> {
                try (OutputStream closing = out) {
                    sent.floatData().slice(flip()).read(closing);
                    closing.write(behind);
                } catch (Throwable e) {
                    thrown[0] = e;
                }
            });
            sender.start();
            try (Tensor<Float> received = Tensors.denseFloat(new long[] {40_001, 3}, data -> data.slice(flip()).write(in))) {
                assertArrayEquals(values, all(received.floatData()));
            }
            for (byte b : behind) {
                assertEquals(b, in.read());
            }
            assertEquals(-1, in.read());
            sender.join();
            assertEquals(null, thrown[0]);
        }
    }

    @Test
    void throughAPipe() throws IOException, InterruptedException {
        PipedInputStream in = new PipedInputStream(1000);
        checkConnection(new PipedOutputStream(in), in);
    }

    @Test
    void throughASocket() throws IOException, InterruptedException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            checkConnection(client.getOutputStream(), accepted.getInputStream());
        }
    }

    @Test
    void throughAFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("elements");
        int n = 100_003;
        try (Tensor<Float> tensor = FloatValues.tensor(n)) {
            try (OutputStream out = Files.newOutputStream(file)) {
                tensor.floatData().slice(step(3)).read(out);
                tensor.floatData().slice(range(1, 5)).read(out);
            }
            assertArrayEquals(decoded(Files.readAllBytes(file), n / 3 + 1 + 4), concat(all(tensor.floatData().slice(step(3))), FloatValues.array(1, 4)));
            try (InputStream in = Files.newInputStream(file);
                    Tensor<Float> first = Tensors.denseFloat(new long[] {n / 3 + 1}, data -> data.write(in));
                    Tensor<Float> second = Tensors.denseFloat(new long[] {2, 2}, data -> data.write(in))) {
                assertEquals(-1, in.read());
                assertArrayEquals(all(tensor.floatData().slice(step(3))), all(first.floatData()));
                assertArrayEquals(FloatValues.array(1, 4), all(second.floatData()));
            }
        }
    }

    private static float[] concat(float[] first, float... second) {
        float[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    @Test
    void throughAStreamOfData() {
        try (Tensor<Float> tensor = FloatValues.tensor(3, 4)) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            io(() -> {
                DataOutputStream out = new DataOutputStream(bytes);
                out.writeUTF("before");
                tensor.floatData().read(out);
                out.writeLong(42);
            });
            io(() -> {
                DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
                assertEquals("before", in.readUTF());
                try (Tensor<Float> copy = Tensors.denseFloat(new long[] {12}, data -> data.write(in))) {
                    assertArrayEquals(FloatValues.array(0, 12), all(copy.floatData()));
                }
                assertEquals(42, in.readLong());
            });
        }
    }
}
