package io.tensornio.internal.file;

import io.tensornio.internal.memory.Bytes;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/** Bytes that are read in order: those of a part of a file, whose number is known, or those of a stream. */
abstract class ByteInput {
    private static final int FEW = 1 << 16;

    /** What messages call it: the path of the file, or {@code the stream}. */
    final String name;

    ByteInput(String name) {
        this.name = name;
    }

    /** The number of bytes that are left; -1 if it is unknown. */
    abstract long left();

    /** Reads some bytes, at least one, and advances the buffer; -1 if there are none. */
    abstract int read(ByteBuffer to) throws IOException;

    /** Fills a buffer. */
    final void fill(ByteBuffer to) throws IOException {
        while (to.hasRemaining()) {
            if (read(to) < 0) {
                throw truncated("it ends where " + to.remaining() + " bytes more are needed");
            }
        }
    }

    /** The next bytes. Memory is taken as they come, unless it is known that they are there. */
    final byte[] bytes(int count) throws IOException {
        byte[] bytes = new byte[left() < 0 ? Math.min(count, FEW) : count];
        fill(ByteBuffer.wrap(bytes));
        while (bytes.length < count) {
            int have = bytes.length;
            bytes = Arrays.copyOf(bytes, (int) Math.min(count, 2L * have));
            fill(ByteBuffer.wrap(bytes, have, bytes.length - have));
        }
        return bytes;
    }

    /** Checks that so many bytes are left, if that is known. */
    final void need(long count) throws IOException {
        if (left() >= 0 && left() < count) {
            throw truncated("it has " + left() + " bytes where " + count + " are needed");
        }
    }

    /** The exception for an input that ends too early. */
    final EOFException truncated(String fault) {
        return new EOFException(name + " is truncated: " + fault);
    }

    /** The exception for an input that is not what it should be. */
    final IllegalArgumentException malformed(String fault) {
        return new IllegalArgumentException(name + ": " + fault);
    }

    /** The bytes of a stream, of which no more are taken than are asked for. */
    static final class OfStream extends ByteInput {
        private static final int CHUNK = 1 << 16;

        private final InputStream in;
        private byte[] chunk;

        OfStream(String name, InputStream in) {
            super(name);
            this.in = in;
        }

        @Override
        long left() {
            return -1;
        }

        @Override
        int read(ByteBuffer to) throws IOException {
            if (to.hasArray()) {
                int count = in.read(to.array(), to.arrayOffset() + to.position(), to.remaining());
                to.position(to.position() + Math.max(count, 0));
                return count;
            }
            if (chunk == null) {
                chunk = new byte[CHUNK];
            }
            int count = in.read(chunk, 0, Math.min(CHUNK, to.remaining()));
            if (count > 0) {
                to.put(chunk, 0, count);
            }
            return count;
        }
    }

    /** A part of a file, read by position, so that several threads may read one file. */
    static final class OfFile extends ByteInput {
        private final FileChannel channel;
        private final long end;
        private long position;

        OfFile(String name, FileChannel channel, long start, long end) {
            super(name);
            this.channel = channel;
            this.position = start;
            this.end = end;
        }

        @Override
        long left() {
            return end - position;
        }

        /** The position in the file of what is read next. */
        long position() {
            return position;
        }

        @Override
        int read(ByteBuffer to) throws IOException {
            if (position == end) {
                return -1;
            }
            int limit = to.limit();
            if (to.remaining() > end - position) {
                to.limit(to.position() + (int) (end - position));
            }
            int count = channel.read(to, position);
            to.limit(limit);
            position += Math.max(count, 0);
            return count;
        }
    }

    /** Arrays, one after the other. */
    static final class OfArrays extends ByteInput {
        private final byte[][] arrays;
        private long left;
        private int array;
        private int position;

        OfArrays(String name, byte[]... arrays) {
            super(name);
            this.arrays = arrays;
            for (byte[] one : arrays) {
                left += one.length;
            }
        }

        @Override
        long left() {
            return left;
        }

        @Override
        int read(ByteBuffer to) {
            while (array < arrays.length && position == arrays[array].length) {
                array++;
                position = 0;
            }
            if (array == arrays.length) {
                return -1;
            }
            int count = Math.min(to.remaining(), arrays[array].length - position);
            to.put(arrays[array], position, count);
            position += count;
            left -= count;
            return count;
        }
    }

    /** A part of memory. */
    static final class OfMemory extends ByteInput {
        private final Bytes bytes;
        private final long end;
        private long position;

        OfMemory(String name, Bytes bytes, long start, long end) {
            super(name);
            this.bytes = bytes;
            this.position = start;
            this.end = end;
        }

        @Override
        long left() {
            return end - position;
        }

        @Override
        int read(ByteBuffer to) {
            if (position == end) {
                return -1;
            }
            ByteBuffer part = bytes.at(position, Math.min(end - position, to.remaining()));
            int count = part.remaining();
            to.put(part);
            position += count;
            return count;
        }
    }
}
