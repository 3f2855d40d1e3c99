package io.tensornio.internal.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Native memory as bytes by their positions, which may be beyond what one buffer can hold. */
final class Bytes {
    private final ByteBuffer[] segments;
    private final long step;
    final long size;

    /** Takes buffers at position 0, one after the other; all but the last have the same number of bytes. */
    Bytes(ByteBuffer... segments) {
        this.segments = segments;
        step = Math.max(segments[0].limit(), 1);
        size = step * (segments.length - 1) + segments[segments.length - 1].limit();
    }

    /** A buffer in native order over some bytes from a position on, at least one and at most so many; those of one segment. */
    ByteBuffer at(long from, long most) {
        ByteBuffer part = segments[(int) (from / step)].duplicate();
        int start = (int) (from % step);
        part.limit((int) Math.min(part.limit(), start + most));
        part.position(start);
        return part.slice().order(ByteOrder.nativeOrder());
    }

    /** Copies all bytes of other memory to the start of this. */
    void put(Bytes from) {
        for (long at = 0; at < from.size; ) {
            ByteBuffer to = at(at, from.size - at);
            ByteBuffer part = from.at(at, to.remaining());
            at += part.remaining();
            to.put(part);
        }
    }
}
