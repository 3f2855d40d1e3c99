package io.tensornio.internal;

import io.tensornio.FloatTensorData;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * Copies in bulk between {@code float} data and arrays, buffers or other data. Without gaps on both sides a copy is one of
 * {@code java.nio}'s; else it is a native one, for which the memory is pinned.
 */
final class FloatCopies {
    //#if buffer
    /** Elements that are copied at a time where an array is between. */
    private static final int CHUNK = 8192;
    //#end

    private FloatCopies() {
    }

    /** Copies all of {@code from} to the start of an array. */
    static void get(FloatStrided from, float[] to) {
        long n = from.totalSize();
        if (n > to.length) {
            throw new IndexOutOfBoundsException("the selection " + Arrays.toString(from.shape()) + " has " + n
                + " elements, the array has room for " + to.length);
        }
        //#if buffer
        if (from.isContiguous()) {
            FloatBulk.get(open(from), n == 0 ? 0 : from.offset(), to, (int) n);         // an empty selection may lie anywhere
            return;
        }
        //#end
        strided(from, n, to, 0, true);
    }

    /** Copies an array to the start of {@code to}. */
    static void put(FloatStrided to, float[] from) {
        checkFits(to, from.length);
        //#if buffer
        if (to.isContiguous()) {
            FloatBulk.put(writable(to), from.length == 0 ? 0 : to.offset(), from);
            return;
        }
        //#end
        strided(to, from.length, from, 0, false);
    }

    private static void checkFits(FloatStrided to, int given) {
        long n = to.totalSize();
        if (given > n) {
            throw new IndexOutOfBoundsException(given + " elements for the selection " + Arrays.toString(to.shape()) + " of " + n);
        }
    }

    //#if buffer
    static void checkWritable(FloatBuffer buffer) {
        if (buffer.isReadOnly()) {
            throw new ReadOnlyTargetException();
        }
    }

    /** Copies all of {@code from} to the position of a buffer that can be written, and advances it. */
    static void get(FloatStrided from, FloatBuffer to) {
        long n = from.totalSize();
        if (n > to.remaining()) {
            throw new BufferTooShortException(n, to.remaining());
        }
        if (from.isContiguous()) {
            to.put(reader(from, n));
        } else if (to.hasArray()) {
            strided(from, n, to.array(), to.arrayOffset() + to.position(), true);
            to.position(to.position() + (int) n);
        } else {
            FloatBuffer window = to.duplicate();
            chunks(from, n, window, new float[(int) Math.min(n, CHUNK)], true);
            to.position(window.position());
        }
    }

    /** Copies what remains of a buffer to the start of {@code to}, and advances the buffer. */
    static void put(FloatStrided to, FloatBuffer from) {
        int n = from.remaining();
        checkFits(to, n);
        if (to.isContiguous()) {
            FloatBuffer target = writer(to, n);
            target.put(from);
        } else if (from.hasArray()) {
            strided(to, n, from.array(), from.arrayOffset() + from.position(), false);
            from.position(from.limit());
        } else {
            chunks(to, n, from.duplicate(), new float[Math.min(n, CHUNK)], false);
            from.position(from.limit());
        }
    }

    /**
     * Copies between the first {@code n} elements of data and a buffer's position, through an array. Native code must not touch a caller's direct buffer: it may
     * be unmapped, or its file cut short, while it is read, which only {@code java.nio} survives.
     */
    private static void chunks(FloatStrided data, long n, FloatBuffer buffer, float[] chunk, boolean out) {
        if (n <= chunk.length) {
            if (out) {
                strided(data, n, chunk, 0, true);
                buffer.put(chunk, 0, (int) n);
            } else {
                buffer.get(chunk, 0, (int) n);
                strided(data, n, chunk, 0, false);
            }
            return;
        }
        long inner = data.totalSize() / data.size(0);
        long step = Math.max(1, chunk.length / inner);
        long rest = n;
        for (long at = 0; rest > 0; at += step) {
            long size = Math.min(step, data.size(0) - at);
            long part = Math.min(rest, size * inner);
            chunks(size == 1 ? data.slice((int) at) : data.part(at, size), part, buffer, chunk, out);
            rest -= part;
        }
    }
    //#end

    /** Copies data to other data of the same shape, as if through a copy where the two overlap. */
    static void copy(FloatTensorData from, FloatTensorData to) {
        if (!Arrays.equals(from.shape(), to.shape())) {
            throw new IllegalArgumentException("cannot copy the shape " + Arrays.toString(from.shape()) + " to the shape " + Arrays.toString(to.shape()));
        }
        if (!(from instanceof FloatStrided && to instanceof FloatStrided)) {
            to.scalars().onEach(from.scalars()::get);
            return;
        }
        FloatStrided source = (FloatStrided) from;
        FloatStrided target = (FloatStrided) to;
        long n = source.totalSize();
        if (source.isContiguous() && target.isContiguous()) {
            writer(target, n).put(reader(source, n));
        } else if (n > 0 && source.block == target.block && source.layout().overlaps(target.layout())) {
            // Within the budget, unlike a temporary of native code.
            FloatBlock between = new FloatBlock(from.shape());
            try {
                FloatStrided copy = FloatStrided.of(between);
                strided(source, copy);
                strided(copy, target);
            } finally {
                between.close();
            }
        } else if (n > 0) {
            strided(source, target);
        }
    }

    /** Copies data of at least one element to other data of the same shape, from which it is apart. */
    private static void strided(FloatStrided source, FloatStrided target) {
        FloatBuffer rd = open(source);
        FloatBuffer wr = writable(target);
        Storage pinned = source.block.pin();
        try {
            Storage pinnedToo = target.block.pin();
            try {
                Layout s = source.layout();
                Layout t = target.layout();
                Native.copy(rd, s.offset(), wr, t.offset(), geometry(s.sizes(), s.strides(), t.strides()), FloatElement.BYTES);
            } finally {
                pinnedToo.unpin();
            }
        } finally {
            pinned.unpin();
        }
    }

    static void checkOpen(FloatTensorData data) {
        if (data instanceof FloatStrided) {
            ((FloatStrided) data).checkOpen();
        }
    }

    static void checkWritable(FloatTensorData data) {
        if (data instanceof FloatStrided) {
            ((FloatStrided) data).checkWritable();
        } else if (data.isReadOnly()) {
            throw new ReadOnlyTensorException(data.dataType(), data.shape());
        }
    }

    private static FloatBuffer open(FloatStrided data) {
        FloatBuffer rd = data.block.rd;
        if (rd == null) {
            throw data.block.closedException();
        }
        return rd;
    }

    private static FloatBuffer writable(FloatStrided data) {
        FloatBuffer wr = data.block.wr;
        if (wr == null) {
            throw data.block.notWritable();
        }
        return wr;
    }

    /** A buffer over the {@code n} elements of contiguous data. */
    private static FloatBuffer reader(FloatStrided data, long n) {
        return window(open(data), data.offset(), n);
    }

    /** A buffer over the first {@code n} elements of contiguous data. */
    private static FloatBuffer writer(FloatStrided data, long n) {
        return window(writable(data), data.offset(), n);
    }

    private static FloatBuffer window(FloatBuffer buffer, int start, long n) {
        FloatBuffer window = buffer.duplicate();
        if (n > 0) {            // an empty selection may lie anywhere
            window.limit(start + (int) n);
            window.position(start);
        } else {
            window.limit(0);
        }
        return window;
    }

    /** Copies between the first {@code n} elements of data and the elements from {@code at} of an array. */
    private static void strided(FloatStrided data, long n, Object array, long at, boolean out) {
        if (n == 0) {
            return;
        }
        long total = data.totalSize();
        if (n < total) {
            // What is whole on the first axis, then the same of the sub-tensor behind it.
            long inner = total / data.size(0);
            long whole = n / inner;
            strided(data.part(0, whole), whole * inner, array, at, out);
            if (whole < data.size(0)) {
                strided(data.slice((int) whole), n - whole * inner, array, at + whole * inner, out);
            }
            return;
        }
        FloatBuffer buffer = out ? open(data) : writable(data);
        Layout l = data.layout();
        long[] rowMajor = Layout.rowMajorStrides(l.sizes());
        Storage pinned = data.block.pin();
        try {
            if (out) {
                Native.copy(buffer, l.offset(), array, at, geometry(l.sizes(), l.strides(), rowMajor), FloatElement.BYTES);
            } else {
                Native.copy(array, at, buffer, l.offset(), geometry(l.sizes(), rowMajor, l.strides()), FloatElement.BYTES);
            }
        } finally {
            pinned.unpin();
        }
    }

    private static long[] geometry(long[] sizes, long[] from, long[] to) {
        int rank = sizes.length;
        long[] geometry = Arrays.copyOf(sizes, 3 * rank);
        System.arraycopy(from, 0, geometry, rank, rank);
        System.arraycopy(to, 0, geometry, 2 * rank, rank);
        return geometry;
    }
}
