package io.tensornio.internal.data;

import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.Native;
import io.tensornio.internal.memory.Storage;
import java.nio.FloatBuffer;
import java.util.Arrays;

/** Copies of {@code float} data in native memory that has gaps: one native call each, for which the memory is pinned. */
final class FloatNativeCopies {
    private FloatNativeCopies() {
    }

    /** Copies data of at least one element to other data of the same shape, from which it is apart. */
    static void copy(FloatStrided source, FloatStrided target) {
        FloatBuffer rd = source.block.readable();
        FloatBuffer wr = target.block.writable();
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

    /** Copies between the first {@code n} elements of data in native memory and the elements from {@code at} of an array. */
    static void copy(FloatStrided data, long n, Object array, long at, boolean out) {
        if (n == 0) {
            return;
        }
        long total = data.totalSize();
        if (n < total) {
            // What is whole on the first axis, then the same of the sub-tensor after it.
            FloatStrided rows = (FloatStrided) FloatSelection.withoutOnes(data);
            long inner = total / rows.size(0);
            long whole = n / inner;
            copy(rows.part(0, whole), whole * inner, array, at, out);
            if (whole < rows.size(0)) {
                copy(rows.slice((int) whole), n - whole * inner, array, at + whole * inner, out);
            }
            return;
        }
        FloatBuffer buffer = out ? data.block.readable() : data.block.writable();
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
