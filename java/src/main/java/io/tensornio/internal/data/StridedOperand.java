package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.internal.element.MappedElements;
import io.tensornio.internal.element.MappedSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.Block;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Strided elements of any type but {@code STRING} as an operand of native code: in the library's own memory, which is
 * pinned until this is closed, or in a user's array. A caller's direct buffer cannot be an operand: it may be unmapped,
 * or its file truncated, during the access, which only {@code java.nio} survives.
 */
public final class StridedOperand implements AutoCloseable {
    /**
     * The minimum number of non-contiguous elements that are copied by a native call, which has a fixed cost of some
     * 200 ns. An estimate from the cost of a loop for an element, not a measurement.
     */
    static final int LEAST = 256;

    /** The least bytes of a mapped file that native code reads by parts. */
    private static final long LEAST_IN_FILE = 1 << 18;

    /** The most positions that are compared one by one, to find out whether two operands have an element in common. */
    private static final int MARKS = 1 << 27;

    private final DataType type;
    /** A direct buffer over the block from element {@code start} on, or an array; the layout counts from its first element. */
    private final Object memory;
    /** The block, or null for an array. */
    private final Block block;
    private final long start;
    private final Layout layout;
    /** Whether this owns the block. */
    private final boolean isCopy;
    /** The file where the block is, by the descriptor that native code has for it; null and -1 if it is in memory. */
    private MappedElements file;
    private int descriptor = -1;

    private StridedOperand(DataType type, Object memory, Block block, long start, Layout layout, boolean isCopy) {
        this.type = type;
        this.memory = memory;
        this.block = block;
        this.start = start;
        this.layout = layout;
        this.isCopy = isCopy;
    }

    /**
     * Elements of a block.
     *
     * @param memory a direct buffer in native order over the block, from element {@code start} on
     * @param layout the layout, without lists or runs
     * @throws io.tensornio.TensorClosedException if the block is closed
     */
    static StridedOperand of(Buffer memory, Block block, int start, Layout layout) {
        StridedOperand made = new StridedOperand(block.dataType(), memory, block, start, layout, false);
        block.pin();
        return made;
    }

    /** Elements of an array; the layout is without lists or runs. */
    static StridedOperand ofArray(DataType type, Object array, Layout layout) {
        return new StridedOperand(type, array, null, 0, layout, false);
    }

    /** All elements of a block, which is closed with the operand; the buffer is over all of it. */
    static StridedOperand ofCopy(Buffer memory, Block block) {
        return ofCopy(memory, block, Layout.rowMajor(block.shape()));
    }

    /** Elements of a block, which is closed with the operand; the buffer is over all of it. */
    static StridedOperand ofCopy(Buffer memory, Block block, Layout layout) {
        return new StridedOperand(block.dataType(), memory, block, 0, layout, true);
    }

    /**
     * Data in place.
     *
     * @param data any data
     * @return the operand, or null if the data is not in native memory, or is not strided
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     */
    public static StridedOperand inPlace(TensorData<?> data) {
        StridedOperand operand = data instanceof Described ? ((Described) data).operand(false) : null;
        return operand == null || operand.block == null ? null : operand;
    }

    /**
     * Data in a mapped file, of as many bytes that reading them by parts is faster than copying them.
     *
     * @param data any data
     * @return the operand, or null if the data is in no file, or native code cannot read it there
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     */
    public static StridedOperand inFile(TensorData<?> data) {
        OwnData<?, ?> own = data instanceof OwnData ? (OwnData<?, ?>) data : null;
        if (own == null || !(own.source() instanceof MappedSource) || !own.layout().isStrided() || own.dataType() == DataType.BOOL
                || own.totalSize() * own.dataType().byteSize() < LEAST_IN_FILE) {
            return null;
        }
        MappedElements elements = ((MappedSource) own.source()).elements();
        StridedOperand made = new StridedOperand(own.dataType(), null, elements.block(), 0, own.layout(), false);
        made.pin();
        try {
            made.file = elements;
            made.descriptor = elements.file().descriptor();
            return made.descriptor < 0 ? null : made;
        } finally {
            if (made.descriptor < 0) {
                made.close();
            }
        }
    }

    /** The descriptor of the file where the elements are; -1 if they are in memory. */
    public int descriptor() {
        return descriptor;
    }

    /**
     * Data that a factory gave to {@code init}, or a part of it, contiguous in row-major order.
     *
     * @param data any data
     * @return the operand, or null if it is something else
     * @throws java.nio.ReadOnlyBufferException if the data's tensor is published
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     */
    public static StridedOperand underConstruction(TensorData<?> data) {
        StridedOperand operand = data instanceof Described ? ((Described) data).operand(true) : null;
        if (operand == null || operand.block == null) {
            return null;
        }
        if (!data.isReadOnly() && operand.layout.isContiguous()) {
            return operand;
        }
        operand.close();
        return null;
    }

    // ---- Location and layout ---------------------------------------------------------------------------------------

    /**
     * Pins the memory again after {@link #close}, until that is called again.
     *
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     */
    public void pin() {
        block.pin();
    }

    /** The type of the elements. */
    public DataType type() {
        return type;
    }

    /** The number of axes. */
    public int rank() {
        return layout.rank();
    }

    /** The sizes, not to be changed. */
    public long[] sizes() {
        return layout.sizes();
    }

    /** The strides in elements, not to be changed. */
    public long[] strides() {
        return layout.strides();
    }

    /** The direct buffer or the array. */
    Object memory() {
        return memory;
    }

    /** The direct buffer of bytes that contains the block's elements. */
    public ByteBuffer root() {
        return block.storage.root();
    }

    /** The offset of the first element in the {@link #root()}, or the file, in bytes. */
    public long byteOffset() {
        return file != null ? file.start() + layout.offset() * type.byteSize() : byteAt(layout.offset());
    }

    /** The block. */
    public Block block() {
        return block;
    }

    /** The offset of the first element in the block's storage, in bytes. */
    public long byteStart() {
        return layout.totalSize() == 0 ? 0 : (start + layout.offset()) * type.byteSize();
    }

    private long byteAt(long position) {
        return block.storage.byteOffset() + (start + position) * type.byteSize();
    }

    /** Whether the elements are in a block, in row-major order without gaps. */
    boolean isRun() {
        return block != null && layout.isContiguous();
    }

    /**
     * The elements of an operand in a block as they are in memory, which are contiguous there.
     *
     * @return buffers in native order, one after the other, which are not to be written and are valid while this is open
     */
    public ByteBuffer[] contiguousBytes() {
        return block.storage.segments((start + layout.offset()) * type.byteSize(), layout.totalSize() * type.byteSize());
    }

    /** Whether the byte ranges of two operands in blocks, from the lowest to the highest element, overlap. */
    public boolean mayOverlap(StridedOperand other) {
        return file == null && root() == other.root() && layout.totalSize() > 0 && other.layout.totalSize() > 0
            && byteAt(layout.lowest()) < other.byteAt(other.layout.highest() + 1)
            && other.byteAt(other.layout.lowest()) < byteAt(layout.highest() + 1);
    }

    /**
     * Whether two pieces of data have an element in common, as far as both are strided elements of one block or array.
     *
     * @param a any data
     * @param b other data
     * @return true if a write to one may be seen in the other
     * @throws io.tensornio.TensorClosedException if a tensor is closed
     */
    public static boolean share(TensorData<?> a, TensorData<?> b) {
        if (!(a instanceof Described && b instanceof Described)) {
            return a == b && a.totalSize() > 0;
        }
        try (StridedOperand one = ((Described) a).operand(false); StridedOperand other = ((Described) b).operand(false)) {
            return one != null && other != null && one.meets(other);
        }
    }

    private boolean meets(StridedOperand other) {
        boolean isArray = block == null && other.block == null && memory == other.memory;
        if (layout.totalSize() == 0 || other.layout.totalSize() == 0
                || !isArray && (block == null || other.block == null || root() != other.root())) {
            return false;
        }
        // Positions in elements; blocks of one root have one type.
        long at = block == null ? 0 : byteAt(0) / type.byteSize();
        long otherAt = block == null ? 0 : other.byteAt(0) / type.byteSize();
        long low = Math.max(at + layout.lowest(), otherAt + other.layout.lowest());
        long high = Math.min(at + layout.highest(), otherAt + other.layout.highest());
        if (low > high || high - low > MARKS) {
            return low <= high && layout.isContiguous() && other.layout.isContiguous();
        }
        BitSet marks = new BitSet();
        return visit(layout, at - low, high - low, marks, false) || visit(other.layout, otherAt - low, high - low, marks, true);
    }

    /** Marks the positions from 0 to {@code last}, or says whether one is marked. */
    private static boolean visit(Layout layout, long from, long last, BitSet marks, boolean asks) {
        long[] index = new long[layout.rank()];
        long[] sizes = layout.sizes();
        while (true) {
            long at = from + layout.offset();
            for (int d = 0; d < index.length; d++) {
                at += layout.distance(d, index[d]);
            }
            if (at >= 0 && at <= last) {
                if (asks && marks.get((int) at)) {
                    return true;
                }
                if (!asks) {
                    marks.set((int) at);
                }
            }
            int d = index.length - 1;
            while (d >= 0 && ++index[d] == sizes[d]) {
                index[d--] = 0;
            }
            if (d < 0) {
                return false;
            }
        }
    }

    @Override
    public void close() {
        if (isCopy) {
            block.close();
        } else if (block != null) {
            block.storage.unpin();
        }
    }

    // ---- Copies ----------------------------------------------------------------------------------------------------

    /** Copies to another operand of the same type and shape by one native call. They do not overlap, and at most one is an array. */
    void copyTo(StridedOperand target) {
        if (layout.totalSize() > 0) {
            NativeCopies.copy(memory, layout.offset(), target.memory, target.layout.offset(), geometry(layout, target.layout), type.byteSize());
        }
    }

    /** Copies the first {@code n} elements to an array, starting at {@code at}. */
    void read(long n, Object array, long at) {
        each(n, at, (part, place) -> part.copyTo(part.inArray(array, place)));
    }

    /** Copies {@code n} elements of an array, starting at {@code at}, to the first ones. */
    void write(long n, Object array, long at) {
        each(n, at, (part, place) -> part.inArray(array, place).copyTo(part));
    }

    private interface PartCopy {
        void copy(StridedOperand part, long place);
    }

    /** Copies the first {@code n} elements: the whole positions of the first axis, then recursively those of the next sub-tensor. */
    private void each(long n, long at, PartCopy copy) {
        StridedOperand part = this;
        long left = n;
        long place = at;
        for (long total = layout.totalSize(); left > 0 && left < total; total = part.layout.totalSize()) {
            long inner = total / part.layout.size(0);
            long whole = left / inner;
            if (whole > 0) {
                copy.copy(part.with(part.layout.part(0, whole)), place);
                left -= whole * inner;
                place += whole * inner;
            }
            if (left > 0) {
                part = part.with(part.layout.at((int) whole));
            }
        }
        if (left > 0) {
            copy.copy(part, place);
        }
    }

    /** A part of the elements, valid while this is open. */
    private StridedOperand with(Layout part) {
        return new StridedOperand(type, memory, block, start, part, isCopy);
    }

    /** Contiguous elements of an array, starting at {@code at}, of the same shape. */
    private StridedOperand inArray(Object array, long at) {
        return ofArray(type, array, new Layout(at, layout.sizes(), Layout.rowMajorStrides(layout.sizes())));
    }

    private static long[] geometry(Layout from, Layout to) {
        int rank = from.rank();
        long[] geometry = Arrays.copyOf(from.sizes(), 3 * rank);
        System.arraycopy(from.strides(), 0, geometry, rank, rank);
        System.arraycopy(to.strides(), 0, geometry, 2 * rank, rank);
        return geometry;
    }
}
