package io.tensornio.internal.file;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Bytes in several arrays, since one cannot have more than 2 GiB: a stream to them, and one of them. */
public final class Chunks {
    private static final int LARGEST = 1 << 26;

    private Chunks() {
    }

    /** Collects what is written. */
    public static final class Out extends OutputStream {
        private final List<byte[]> full = new ArrayList<>();
        private byte[] last = new byte[256];
        private int count;

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            for (int left = length; left > 0;) {
                if (count == LARGEST) {
                    full.add(last);
                    last = new byte[256];
                    count = 0;
                }
                int now = Math.min(left, LARGEST - count);
                if (count + now > last.length) {
                    last = Arrays.copyOf(last, Math.min(LARGEST, Math.max(count + now, 2 * last.length)));
                }
                System.arraycopy(bytes, from + length - left, last, count, now);
                count += now;
                left -= now;
            }
        }

        /** All that was written. */
        public byte[][] chunks() {
            full.add(Arrays.copyOf(last, count));
            return full.toArray(new byte[0][]);
        }
    }

    /** Reads arrays one after the other. */
    public static final class In extends InputStream {
        private final byte[][] chunks;
        private int chunk;
        private int at;
        private long left;

        /** Takes arrays, which somebody else may have written. */
        public In(byte[][] chunks) {
            this.chunks = chunks;
            for (byte[] each : chunks) {
                left += each.length;
            }
        }

        /** How many bytes there are still. */
        public long left() {
            return left;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int from, int length) {
            if (left == 0 || length == 0) {
                return length == 0 ? 0 : -1;
            }
            while (at == chunks[chunk].length) {
                chunk++;
                at = 0;
            }
            int now = Math.min(length, chunks[chunk].length - at);
            System.arraycopy(chunks[chunk], at, bytes, from, now);
            at += now;
            left -= now;
            return now;
        }
    }
}
