package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.NaiveView;
import io.tensornio.support.Pick;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** {@code float} data as bytes for tests, and streams that take note of what they are asked. */
final class FloatBytes {
    static final int BYTES = DataType.FLOAT.byteSize();
    /** No call of a stream should ask for more at a time, nor for much less where there is more. */
    static final int CHUNK = 1 << 16;
    /** Views of the shape [4, 3, 5]. */
    static final Pick[][] VIEWS = {
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

    private FloatBytes() {
    }

    interface IoAction {
        void run() throws IOException, InterruptedException;
    }

    static void io(IoAction action) {
        try {
            action.run();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // ---- What the JDK writes and reads -----------------------------------------------------------------------------

    static byte[] encoded(float... values) {
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

    static float[] decoded(byte[] bytes, int n) {
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

    static float[] expected(NaiveView view) {
        float[] expected = new float[view.size()];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = FloatValues.of(view.positions[i]);
        }
        return expected;
    }

    /** Of a tensor whose elements are the values of their positions: those after the values from 100 on were written to the start of a view. */
    static float[] model(NaiveView view, int n) {
        float[] model = FloatValues.array(0, 60);
        for (int i = 0; i < n; i++) {
            model[view.positions[i]] = FloatValues.of(100 + i);
        }
        return model;
    }

    static float[] all(FloatTensorData data) {
        float[] all = new float[(int) data.totalSize()];
        data.copyTo(all);
        return all;
    }

    // ---- Streams ---------------------------------------------------------------------------------------------------

    /** A stream that takes note of what it is asked, and gives at most so much at a time. */
    static class Source extends FilterInputStream {
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

    static final class Target extends OutputStream {
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

    /** Checks that data cannot be written from a stream because that ends, and what the error says. */
    static void ended(FloatTensorData data, InputStream in, String... says) {
        UncheckedIOException e = Expect.thrown(UncheckedIOException.class, () -> data.write(in), says);
        assertSame(EOFException.class, e.getCause().getClass());
        Expect.says(e.getCause(), says);
    }
}
