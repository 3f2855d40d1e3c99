package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Storage;
import java.util.Arrays;

/**
 * Strided elements where native code may reach them, whatever their type: in the library's own memory, or in an array of the user's. A caller's
 * direct buffer is none: it may be unmapped, or its file cut short, while it is read, which only {@code java.nio} survives.
 */
final class Operand {
    /**
     * From so many elements on, elements with gaps are copied by a native call, which takes some 200 ns however few they are. The number is an
     * estimate, from what a loop takes for an element; no benchmark has set it.
     */
    static final int LEAST = 256;

    private final DataType type;
    /** A direct buffer over all of the block, or an array. */
    private final Object memory;
    /** What is pinned during a call; null for an array. */
    private final Block block;
    private final Layout layout;

    /**
     * Keeps all of them.
     *
     * @param type the type of the elements
     * @param memory a direct buffer in native order, or an array
     * @param block what the buffer is over; null for an array
     * @param layout where in it the elements are; has neither lists nor runs
     */
    Operand(DataType type, Object memory, Block block, Layout layout) {
        this.type = type;
        this.memory = memory;
        this.block = block;
        this.layout = layout;
    }

    /** An array's elements from one on, as many as a shape has, in row-major order. */
    private static Operand ofArray(DataType type, Object array, long at, long[] shape) {
        return new Operand(type, array, null, new Layout(at, shape, Layout.rowMajorStrides(shape)));
    }

    private Operand at(Layout part) {
        return new Operand(type, memory, block, part);
    }

    /** Copies to another of the same type and shape, from which it is apart, and of which not both are arrays; by one native call. */
    void copyTo(Operand target) {
        if (layout.totalSize() == 0) {
            return;
        }
        Storage pinned = pin();
        try {
            Storage pinnedToo = target.pin();
            try {
                NativeCopies.copy(memory, layout.offset(), target.memory, target.layout.offset(), geometry(layout, target.layout), type.byteSize());
            } finally {
                unpin(pinnedToo);
            }
        } finally {
            unpin(pinned);
        }
    }

    /** Copies the first {@code n} elements to a place in an array. */
    void read(long n, Object array, long at) {
        each(n, at, (part, place) -> part.copyTo(ofArray(type, array, place, part.layout.sizes())));
    }

    /** Copies {@code n} elements from a place in an array on to the first ones. */
    void write(long n, Object array, long at) {
        each(n, at, (part, place) -> ofArray(type, array, place, part.layout.sizes()).copyTo(part));
    }

    private interface PartCopy {
        void copy(Operand part, long place);
    }

    /** The first {@code n} elements: what is whole on the first axis, then the same of the sub-tensor after it. */
    private void each(long n, long at, PartCopy copy) {
        Operand part = this;
        long left = n;
        long place = at;
        for (long total = layout.totalSize(); left > 0 && left < total; total = part.layout.totalSize()) {
            long inner = total / part.layout.size(0);
            long whole = left / inner;
            if (whole > 0) {
                copy.copy(part.at(part.layout.part(0, whole)), place);
                left -= whole * inner;
                place += whole * inner;
            }
            if (left > 0) {
                part = part.at(part.layout.at((int) whole));
            }
        }
        if (left > 0) {
            copy.copy(part, place);
        }
    }

    private Storage pin() {
        return block == null ? null : block.pin();
    }

    private static void unpin(Storage pinned) {
        if (pinned != null) {
            pinned.unpin();
        }
    }

    private static long[] geometry(Layout from, Layout to) {
        int rank = from.rank();
        long[] geometry = Arrays.copyOf(from.sizes(), 3 * rank);
        System.arraycopy(from.strides(), 0, geometry, rank, rank);
        System.arraycopy(to.strides(), 0, geometry, 2 * rank, rank);
        return geometry;
    }
}
