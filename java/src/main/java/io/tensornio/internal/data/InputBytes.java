package io.tensornio.internal.data;

import java.io.IOException;
import java.io.InputStream;

/** What comes out of the user's streams, of which some keep less than {@link InputStream} promises. */
final class InputBytes {
    private InputBytes() {
    }

    /**
     * Reads at least a byte.
     *
     * @param in the stream
     * @param to takes the bytes
     * @param at from this index on
     * @param n the most that may come, at least 1
     * @return how many came; -1 where the stream has ended
     * @throws IOException if the stream does, or says that more came than was asked for: nobody knows then which bytes came
     */
    static int some(InputStream in, byte[] to, int at, int n) throws IOException {
        int got = in.read(to, at, n);
        if (got > n) {
            throw new IOException("the stream " + in.getClass().getName() + " says that it read " + got + " bytes, where " + n + " were asked for");
        }
        if (got != 0) {
            return Math.max(got, -1);
        }
        int next = in.read();           // no stream should give nothing; this waits, instead of asking again and again
        if (next < 0) {
            return -1;
        }
        to[at] = (byte) next;
        return 1;
    }
}
