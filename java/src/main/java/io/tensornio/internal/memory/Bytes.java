package io.tensornio.internal.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory as bytes by their positions, which may be beyond what one buffer can hold. */
public final class Bytes {
    /** The bits of eight BOOL that no 0 or 1 has set. */
    private static final long NOT_BOOL = 0xfefefefefefefefeL;

    private final ByteBuffer[] segments;
    private final long step;
    /** The number of bytes. */
    public final long size;

    /** Takes buffers at position 0, one after the other; all but the last have the same number of bytes. */
    public Bytes(ByteBuffer... segments) {
        this.segments = segments;
        step = Math.max(segments[0].limit(), 1);
        size = step * (segments.length - 1) + segments[segments.length - 1].limit();
    }

    /** A buffer in native order over some bytes from a position on, at least one and at most so many; those of one segment. */
    public ByteBuffer at(long from, long most) {
        ByteBuffer part = segments[(int) (from / step)].duplicate();
        int start = (int) (from % step);
        part.limit((int) Math.min(part.limit(), start + most));
        part.position(start);
        return part.slice().order(ByteOrder.nativeOrder());
    }

    /** Copies all bytes of other memory to the start of this. */
    public void put(Bytes from) {
        for (long at = 0; at < from.size; ) {
            ByteBuffer to = at(at, from.size - at);
            ByteBuffer part = from.at(at, to.remaining());
            at += part.remaining();
            to.put(part);
        }
    }

    /** Makes 1 of any byte of a BOOL but 0, from the start of a buffer to its limit. */
    public static void normalise(ByteBuffer truths) {
        int end = truths.limit();
        int at = 0;
        for (; at + 8 <= end; at += 8) {
            if ((truths.getLong(at) & NOT_BOOL) != 0) {
                break;
            }
        }
        for (; at < end; at++) {
            truths.put(at, truths.get(at) == 0 ? (byte) 0 : (byte) 1);
        }
    }
}
