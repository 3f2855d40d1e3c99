package io.tensornio.internal.string;

/**
 * Copies strings of a published tensor ahead of those that ask for one after the other: what is on the heap already becomes a {@code String} at once.
 *
 * <p>Any threads may use it, without locks: a piece never changes, and all else here are hints, which cost time where they are wrong, and nothing
 * more. While strings are read in no order they are hardly ever written, so that threads do not disturb each other.
 */
final class StringReadAhead {
    /** How many strings the first piece has. */
    private static final int FIRST = 16;
    /** One string in this many is remembered. */
    private static final int STEP = 64;
    /** If the one that is so far after it is read soon, both were read in order. A prime that few tables have as their number of columns. */
    private static final int NEAR = 7;

    private final StringBlock strings;
    /** The last piece; null if there is none yet, which is also what a thread may see that came by this object without any order. */
    private StringPrefetch piece;
    private int seen = -1;

    StringReadAhead(StringBlock strings) {
        this.strings = strings;
    }

    /** A piece that has a string; null if that is better read alone. */
    StringPrefetch find(int at) {
        StringPrefetch last = piece;
        return last != null && last.has(at) ? last : next(last == null ? StringPrefetch.NONE : last, at);
    }

    private StringPrefetch next(StringPrefetch last, int at) {
        int before = seen;
        int count;
        if (before == at - 1 && last.isFollowedBy(before)) {            // one alone does not do: every eighth string may be read, too
            count = Math.min(StringPrefetch.MOST, 2 * last.count());
        } else if (at % STEP == NEAR && before == at - NEAR) {
            count = FIRST;
        } else {
            if (at % STEP == 0 || last.isFollowedBy(at)) {
                seen = at;
            }
            return null;
        }
        StringPrefetch next = strings.piece(at, count);
        if (next != null) {
            piece = next;
        }
        return next;
    }
}
