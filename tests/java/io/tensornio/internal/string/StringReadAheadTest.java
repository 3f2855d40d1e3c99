package io.tensornio.internal.string;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Strings that are read in order are copied ahead, nearly all of them; of those that are read with gaps no more are copied than are read. */
class StringReadAheadTest {
    private static final int N = 1 << 16;

    /** Strings that are empty, and counted as they are copied. */
    private static final class Counted extends StringBlock {
        long copied;

        Counted() {
            super(new long[] {N}, StringBlock.allocate(new long[] {N}, 0, true));
        }

        @Override
        public StringPrefetch piece(int at, int most) {
            int n = Math.min(most, N - at);
            copied += n;
            return StringPrefetch.packed(at, n, new long[n + 1], new byte[0]);
        }

        @Override
        public StringBlock share(long[] shape) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String readAlone(long at) {
            return "";
        }

        @Override
        public byte[] readBytesAlone(long at) {
            return new byte[0];
        }

        @Override
        public void write(String value, long at) {
            throw notWritableException();
        }

        @Override
        public boolean isReadOnly() {
            return true;
        }

        @Override
        public void checkWritable() {
            throw notWritableException();
        }

        @Override
        public void stopWrites() {
            readAhead();
        }
    }

    /** How many strings are copied when every so-manieth is read, from one on. */
    private static long copied(int from, int step) {
        Counted strings = new Counted();
        try {
            strings.publish();
            for (int at = from; at < N; at += step) {
                strings.read(at);
            }
            return strings.copied;
        } finally {
            strings.close();
        }
    }

    @Test
    void stringsInOrderAreCopiedAhead() {
        long copied = copied(0, 1);
        assertTrue(copied > N - N / 64 && copied <= N, () -> copied + " of " + N);
    }

    @Test
    void ofAColumnNoMoreIsCopiedThanIsRead() {
        for (int columns = 2; columns <= 100; columns++) {
            for (int column = 0; column < columns; column++) {
                long copied = copied(column, columns);
                long read = (N - column + columns - 1) / columns;
                int all = columns;
                assertTrue(copied <= read, () -> copied + " copied for " + read + " of " + all + " columns");
            }
        }
    }
}
