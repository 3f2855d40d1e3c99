package io.tensornio.internal.memory;

import java.nio.ByteBuffer;

/** A number written all over a buffer, by which one recognises whose bytes these are. */
final class Stamp {
    private Stamp() {
    }

    static void write(ByteBuffer view, long stamp) {
        int whole = view.capacity() & -Long.BYTES;
        for (int i = 0; i < whole; i += Long.BYTES) {
            view.putLong(i, stamp);
        }
        for (int i = whole; i < view.capacity(); i++) {
            view.put(i, (byte) stamp);
        }
    }

    /** Where there is something else than one of two stamps, or -1. */
    static int other(ByteBuffer view, long stamp, long orStamp) {
        int whole = view.capacity() & -Long.BYTES;
        for (int i = 0; i < whole; i += Long.BYTES) {
            long found = view.getLong(i);
            if (found != stamp && found != orStamp) {
                return i;
            }
        }
        for (int i = whole; i < view.capacity(); i++) {
            byte found = view.get(i);
            if (found != (byte) stamp && found != (byte) orStamp) {
                return i;
            }
        }
        return -1;
    }

    /** Fails unless the stamp is everywhere. */
    static void check(ByteBuffer view, long stamp, String what) {
        check(view, stamp, stamp, what);
    }

    /** Fails if there is something else than one of two stamps. */
    static void check(ByteBuffer view, long stamp, long orStamp, String what) {
        int at = other(view, stamp, orStamp);
        if (at >= 0) {
            throw new AssertionError(what + ": at " + at + " of " + view.capacity() + " is " + view.get(at) + ", not of " + stamp
                + (stamp == orStamp ? "" : " or " + orStamp));
        }
    }
}
