package io.tensornio.internal.memory;

import java.nio.ByteBuffer;

/** A number written all over a buffer, by which one recognises whose bytes these are. */
public final class Stamp {
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
            if (!isOneOf(view.getLong(i), stamp, orStamp)) {
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

    /** Whether a number that was read is one of two, of which one may be taking the place of the other: a JVM of 32 bits reads halves. */
    public static boolean isOneOf(long found, long one, long other) {
        if (Forked.has64Bits()) {
            return found == one || found == other;
        }
        return ((int) found == (int) one || (int) found == (int) other) && (found >> 32 == one >> 32 || found >> 32 == other >> 32);
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
