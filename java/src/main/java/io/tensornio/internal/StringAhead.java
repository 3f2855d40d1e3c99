package io.tensornio.internal;

/**
 * Copies strings of a published tensor ahead of those that ask for one after the other: what is on the heap already becomes a {@code String} at once.
 *
 * <p>Any threads may use it, without locks: a piece never changes, and all else here are hints, which cost time where they are wrong, and nothing
 * more. While strings are read in no order they are hardly ever written, so that threads do not disturb each other.
 */
final class StringAhead {
    /** How many strings the first piece has. */
    private static final int FIRST = 16;
    /** Of so many strings one is remembered. */
    private static final int STEP = 64;
    /** If the one that is so far behind it is read next, both were read in order. */
    private static final int NEAR = 8;

    private final StringBlock strings;
    private StringPiece piece = StringPiece.NONE;
    private int seen = -1;

    StringAhead(StringBlock strings) {
        this.strings = strings;
    }

    /** A piece that has a string; null if that is better read alone. */
    StringPiece find(int at) {
        StringPiece last = piece;
        return last.has(at) ? last : next(last, at);
    }

    private StringPiece next(StringPiece last, int at) {
        int count;
        if (last.isFollowedBy(at)) {
            count = Math.min(StringPiece.MOST, 2 * last.count());
        } else if (at % STEP == NEAR && seen == at - NEAR) {
            count = FIRST;
        } else {
            if (at % STEP == 0) {
                seen = at;
            }
            return null;
        }
        StringPiece next = strings.piece(at, count);
        if (next != null) {
            piece = next;
        }
        return next;
    }

    /** Lets go of what was copied. */
    void clear() {
        piece = StringPiece.NONE;
    }
}
