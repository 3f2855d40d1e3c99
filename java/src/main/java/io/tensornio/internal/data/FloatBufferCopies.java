//#if buffer
package io.tensornio.internal.data;

import io.tensornio.internal.element.FloatBlock;
import io.tensornio.internal.element.FloatElement;
import java.nio.FloatBuffer;

/** Bulk copies between {@code float} data and buffers. These are duplicates of the caller's, whose positions no other thread can change. */
final class FloatBufferCopies {
    private static final int CHUNK = FloatData.CHUNK;

    private FloatBufferCopies() {
    }

    /** Copies all of {@code from} to the position of a buffer, and advances it. */
    static void read(FloatStrided from, FloatBuffer to) {
        if (from.isContiguous() && isAlike(from, to)) {
            to.put(FloatCarrier.window(from.block.readable(), from.offset(), from.totalSize()));
        } else {
            readByChunks(from, to);
        }
    }

    /** Copies what remains of a buffer to the start of {@code to}, and advances the buffer. */
    static void write(FloatStrided to, FloatBuffer from) {
        if (to.isContiguous() && isAlike(to, from)) {
            FloatBuffer target = FloatCarrier.window(to.block.writable(), to.offset(), from.remaining());
            target.put(from);
        } else {
            writeByChunks(to, from);
        }
    }

    /** Whether {@code java.nio} copies correctly if the two overlap: with different byte orders it does so only from Java 16 on. */
    private static boolean isAlike(FloatStrided data, FloatBuffer buffer) {
        return data.block.isNative() || !buffer.isDirect() || FloatElement.isInNativeOrder(buffer);
    }

    /** Copies all of {@code from} to the position of a buffer, and advances it. */
    static void read(FloatArrayStrided from, FloatBuffer to) {
        int n = (int) from.totalSize();
        if (from.isContiguous()) {
            to.put(from.block.rd, n == 0 ? 0 : from.offset(), n);
        } else {
            readByChunks(from, to);
        }
    }

    /** Copies what remains of a buffer to the start of {@code to}, and advances the buffer. */
    static void write(FloatArrayStrided to, FloatBuffer from) {
        int n = from.remaining();
        if (to.isContiguous()) {
            from.get(to.block.wr, n == 0 ? 0 : to.offset(), n);
        } else {
            writeByChunks(to, from);
        }
    }

    /** Copies all of {@code from} to the position of a buffer, and advances it: to its array, else by a staging array. They may overlap. */
    static void readByChunks(FloatData from, FloatBuffer to) {
        int n = (int) from.totalSize();
        if (to.hasArray()) {
            from.readTo(to.array(), to.arrayOffset() + to.position());
            to.position(to.position() + n);
        } else if (n > CHUNK && from.source().mayShare(to)) {
            FloatBlock between = FloatBlock.uncleared(n);
            try {
                chunks(from, n, FloatCarrier.window(between.wr, 0, n), new float[CHUNK], true);
                to.put(FloatCarrier.window(between.rd, 0, n));
            } finally {
                between.close();
            }
        } else {
            readByChunks(from, n, to);
        }
    }

    /**
     * Copies what remains of a buffer to the start of {@code to}, and advances the buffer: directly from its array,
     * else through a staging array. The two may overlap.
     */
    static void writeByChunks(FloatData to, FloatBuffer from) {
        int n = from.remaining();
        if (from.hasArray()) {
            to.writeFrom(n, from.array(), from.arrayOffset() + from.position());
            from.position(from.limit());
        } else if (n > CHUNK && to.source().mayShare(from)) {
            FloatBlock between = FloatBlock.uncleared(n);
            try {
                FloatCarrier.window(between.wr, 0, n).put(from);
                chunks(to, n, FloatCarrier.window(between.rd, 0, n), new float[CHUNK], false);
            } finally {
                between.close();
            }
        } else {
            writeByChunks(to, n, from);
        }
    }

    /** Copies the first {@code n} elements of data to a buffer's position, which do not overlap, and advances the buffer. */
    static void readByChunks(FloatData from, int n, FloatBuffer to) {
        chunks(from, n, to, new float[Math.min(n, CHUNK)], true);
    }

    /** Copies {@code n} elements from a buffer's position to the start of data, which do not overlap, and advances the buffer. */
    static void writeByChunks(FloatData to, int n, FloatBuffer from) {
        chunks(to, n, from, new float[Math.min(n, CHUNK)], false);
    }

    /**
     * Copies between the first {@code n} elements of data and a buffer's position, through a staging array. Native code must not access a caller's
     * direct buffer: it may be unmapped, or its file truncated, during the access, which only {@code java.nio} survives.
     */
    private static void chunks(FloatData data, long n, FloatBuffer buffer, float[] chunk, boolean out) {
        if (n <= chunk.length) {
            if (out) {
                data.readAll(chunk, 0);
                buffer.put(chunk, 0, (int) n);
            } else {
                buffer.get(chunk, 0, (int) n);
                data.writeFirst((int) n, chunk, 0);
            }
            return;
        }
        FloatData rows = (FloatData) DataPart.withoutOnes(data);
        long inner = rows.totalSize() / rows.size(0);
        long step = Math.max(1, chunk.length / inner);
        long rest = n;
        for (long at = 0; rest > 0; at += step) {
            long size = Math.min(step, rows.size(0) - at);
            long part = Math.min(rest, size * inner);
            chunks(size == 1 ? (FloatData) rows.slice((int) at) : (FloatData) rows.part(at, size), part, buffer, chunk, out);
            rest -= part;
        }
    }
}
//#end
