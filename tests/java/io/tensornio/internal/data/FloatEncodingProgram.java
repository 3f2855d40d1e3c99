package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.flip;

import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.internal.element.FloatElement;
//~byte import io.tensornio.UInt8;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.CRC32;

/** Reads and writes far more bytes of {@code float} data than the heap can hold. Ends with an exception, and so not with 0, if they differ. */
public final class FloatEncodingProgram {
    private static final int ROWS = 100;
    private static final int ROW = 1 << 20;

    private FloatEncodingProgram() {
    }

    /** The byte at a position of the stream: one that is an element of any type by itself, and the same before and behind. */
    private static byte at(long position) {
        return (byte) (position / FloatElement.BYTES * 7 >> 4 & 1);
    }

    /** Runs it. */
    public static void main(String... arguments) {
        long n = (long) ROWS * ROW;
        long[] shape = {ROWS, ROW / FloatElement.BYTES};
        Sum in = new Sum();
        try (Tensor<Float> tensor = Tensors.denseFloat(shape, data -> {
            for (FloatTensorData view : new FloatTensorData[] {data.slice(all(), flip()), data}) {
                view.write(new InputStream() {
                    private long position;

                    @Override
                    public int read() {
                        throw new AssertionError("a byte of its own");
                    }

                    @Override
                    public int read(byte[] b, int off, int len) {
                        for (int i = 0; i < len; i++) {
                            b[off + i] = at(position++);
                        }
                        in.write(b, off, len);
                        return len;
                    }
                });
                Sum out = new Sum();
                view.read(out);
                in.check(n, out);
            }
        })) {
            Sum out = new Sum();
            tensor.floatData().read(out);
            System.out.println("max=" + Runtime.getRuntime().maxMemory() + " bytes=" + out.bytes);
        }
    }

    private static final class Sum extends OutputStream {
        private CRC32 crc = new CRC32();
        private long bytes;

        @Override
        public void write(int b) {
            throw new AssertionError("a byte of its own");
        }

        @Override
        public void write(byte[] b, int off, int len) {
            crc.update(b, off, len);
            bytes += len;
        }

        void check(long n, Sum other) {
            if (bytes != n || other.bytes != n || crc.getValue() != other.crc.getValue()) {
                throw new AssertionError(bytes + " and " + other.bytes + " bytes of " + n + ", or they differ");
            }
            crc = new CRC32();
            bytes = 0;
        }
    }
}
