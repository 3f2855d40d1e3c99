package io.tensornio.internal.data;

import java.io.IOException;
import java.io.InputStream;

/** Reads from a user's streams, some of which violate the contract of {@link InputStream}. */
final class InputBytes {
    private InputBytes() {
    }

    /**
     * Reads at least a byte.
     *
     * @param in the stream
     * @param to receives the bytes
     * @param at the index of the first byte
     * @param n the maximum number of bytes, at least 1
     * @return the number of bytes read; -1 at the end of the stream
     * @throws IOException if the stream throws it, or returns a number above the maximum
     */
    static int some(InputStream in, byte[] to, int at, int n) throws IOException {
        int got = in.read(to, at, n);
        if (got > n) {
            throw new IOException("the stream " + in.getClass().getName() + " says that it read " + got + " bytes, where " + n + " were asked for");
        }
        if (got != 0) {
            return Math.max(got, -1);
        }
        int next = in.read();           // a stream should not return 0; a read of one byte blocks instead of polling
        if (next < 0) {
            return -1;
        }
        to[at] = (byte) next;
        return 1;
    }
}
