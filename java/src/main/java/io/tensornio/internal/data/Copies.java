package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.MappedSource;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Bytes;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import io.tensornio.internal.memory.SharedMemory;
import io.tensornio.internal.ragged.RaggedShapes;
import io.tensornio.internal.sparse.Sparse;
import java.util.Arrays;
import java.util.Objects;

/**
 * Bulk copies between data of any kinds, but strings. If both sides are contiguous, a copy is one of {@code java.nio}'s; else, for many elements
 * that native code may access, a native call; else, for strided data, a few loops; else it is element by element.
 */
public final class Copies {
    private Copies() {
    }

    /** An iterator that user-defined data returned. */
    static <I> I present(I scalars) {
        return Objects.requireNonNull(scalars, "scalars() gave null");
    }

    /**
     * Copies data to other data of the same shape, with which it may overlap; to a growing row, data of any length. Messages name one side, the first
     * if {@code isRead}, as the selection from {@code named} at the indices of a bulk call.
     */
    static <D extends TensorData<D>, A> void copy(PrimitiveCarrier<D, A> carrier, D from, D to, D named, boolean isRead, int... indices) {
        if (to instanceof OwnData && ((OwnData<?, ?>) to).growing() != null) {
            OwnData.<D, A>own(to).putData(from);
            return;
        }
        // One of the two may be user-defined data, which may keep and change the array that it returns.
        long[] shape = from.shape();
        shape = shape == null ? null : shape.clone();
        if (!Arrays.equals(shape, to.shape())) {
            throw SelectionText.otherShape(named, isRead, shape, to.shape(), indices);
        }
        boolean isRagged = RaggedShapes.isRagged(shape);
        if (isRagged) {
            RaggedRows.checkSame(from, to);
        }
        if (Shapes.product(shape) == 0) {
            return;
        }
        long count = isRagged ? from.totalSize() : Shapes.product(shape);
        checkCapacity(to, count);
        if (to.dataType() != from.dataType()) {
            carrier.of(to.dataType()).checkRange(from);
        }
        if (areDisjoint(from, to)) {
            ((OwnData<?, ?>) from).checkReadable();            // otherwise the temporary's read checks this
            copyDisjoint(carrier, from, to);
            return;
        }
        PrimitiveCarrier<D, A> own = carrier.of(from.dataType());
        Block between = between(own, isRagged ? new long[] {from.totalSize()} : shape);
        try {
            D copy = own.whole(between).self();
            if (isRagged) {
                carrier.copyEach(from, copy);
                checkCapacity(to, count);
                carrier.copyEach(copy, to);
                return;
            }
            copyDisjoint(carrier, from, copy);
            checkCapacity(to, count);           // again: user-defined data may have written to the target meanwhile
            copyDisjoint(carrier, copy, to);
        } finally {
            between.close();
        }
    }

    private static void checkCapacity(TensorData<?> to, long count) {
        if (to instanceof OwnData) {
            ((OwnData<?, ?>) to).checkCapacity(count);
        }
    }

    /** Copies data to new memory that no other code has access to. */
    public static <D extends TensorData<D>, A> void fill(PrimitiveCarrier<D, A> carrier, D memory, D from) {
        OpenCheck.check(from);
        if (memory.totalSize() == 0) {
            return;
        }
        if (!Arrays.equals(from.shape(), memory.shape())) {
            throw new IllegalArgumentException("the shape of the data was " + Arrays.toString(memory.shape()) + ", and now is "
                + Arrays.toString(from.shape()));
        }
        copyDisjoint(carrier, from, memory);
    }

    /**
     * A staging buffer for a source that may overlap the target, which counts against the budget.
     *
     * @throws OutOfMemoryError if the memory is not available
     */
    private static Block between(PrimitiveCarrier<?, ?> carrier, long... shape) {
        try {
            Shapes.checkDense(shape, carrier.type, carrier.bytes);
            return carrier.allocate(shape, false);
        } catch (OutOfMemoryError e) {
            throw new OutOfMemoryError("a copy of the shape " + Arrays.toString(shape) + " between data that may overlap needs a temporary: "
                + e.getMessage());
        }
    }

    /** Whether writing one cannot change the other: unknown for user-defined data; a complex view shares the memory that it reads. */
    static boolean areDisjoint(TensorData<?> from, TensorData<?> to) {
        if (!(from instanceof OwnData) || !(to instanceof OwnData)) {
            return false;
        }
        OwnData<?, ?> one = (OwnData<?, ?>) from;
        OwnData<?, ?> other = (OwnData<?, ?>) to;
        return Source.areDisjoint(one, one.source(), other, other.source()) || one.read() != null && !SharedMemory.isShared(from, to);
    }

    /** Copies data to other data of the same shape that does not overlap it. */
    static <D extends TensorData<D>, A> void copyDisjoint(PrimitiveCarrier<D, A> carrier, D from, D to) {
        if (PieceCopies.copy(carrier, from, to)) {
            return;
        }
        OwnData<D, A> source = from instanceof OwnData ? OwnData.own(from) : null;
        OwnData<D, A> target = to instanceof OwnData ? OwnData.own(to) : null;
        if (source != null && target != null && copyMapped(source, target)) {
            return;
        }
        boolean isAlike = source != null && target != null && source.carrier() == target.carrier();
        boolean isRun = isAlike && target.isRun();
        if (isRun && source.isRun()) {
            carrier.of(to.dataType()).copyRun(source, target);
        } else if (source == null || target == null) {
            carrier.copyEach(from, to);
        } else if (!isAlike || !copyByNativeCall(source, target)) {
            copyInJava(carrier.of(to.dataType()), source, target, isRun);
        }
    }

    /** Reads elements of a mapped file into native memory, if they are contiguous there. */
    private static boolean copyMapped(OwnData<?, ?> from, OwnData<?, ?> to) {
        if (!(from.source() instanceof MappedSource) || from.totalSize() == 0 || from.dataType() != to.dataType()) {
            return false;
        }
        try (StridedOperand target = to.operand(true)) {
            if (target == null || !target.isRun()) {
                return false;
            }
            ((MappedSource) from.source()).elements().read(from.layout(), new Bytes(target.contiguousBytes()));
            return true;
        }
    }

    private static <D extends TensorData<D>, A> void copyInJava(PrimitiveCarrier<D, A> carrier, OwnData<D, A> from, OwnData<D, A> to,
            boolean isRun) {
        Sparse entries = isRun ? from.published() : null;
        if (entries != null) {
            carrier.copyEntries(entries, from.layout(), to);
        } else if (carrier.copyRunOfOther(from.self(), to.self())) {
            return;
        } else if (from.isCopiedByRows() || to.isCopiedByRows()) {
            for (int i = 0; i < from.size(0); i++) {
                copyDisjoint(carrier, DataPart.withoutOnes(from.slice(i)), DataPart.withoutOnes(to.slice(i)));
            }
        } else if (to.isArrayRun()) {
            from.readAll(to.array(), to.offset());
        } else if (from.isArrayRun()) {
            to.writeFirst((int) from.totalSize(), from.array(), from.offset());
        } else if (carrier.copyToOther(from.self(), to.self())) {
            return;
        } else if (from.isCopiedAtOnce() && to.isCopiedAtOnce()) {
            copyThrough(from, to, carrier.array((int) Math.min(from.totalSize(), OwnData.CHUNK)));
        } else {
            carrier.copyEach(from.self(), to.self());
        }
    }

    /** Copies strided data of many elements by one native call, if native code may access both. */
    private static boolean copyByNativeCall(OwnData<?, ?> from, OwnData<?, ?> to) {
        if (from.isInArray() && to.isInArray() || from.totalSize() < StridedOperand.LEAST) {
            return false;
        }
        try (StridedOperand source = from.operand(false); StridedOperand target = source == null ? null : to.operand(true)) {
            if (target == null) {
                return false;
            }
            source.copyTo(target);
            return true;
        }
    }

    /** Copies through a staging array, in parts that fit it. */
    private static <D extends TensorData<D>, A> void copyThrough(OwnData<D, A> from, OwnData<D, A> to, A chunk) {
        int n = (int) from.totalSize();
        int most = from.carrier().length(chunk);
        if (n <= most) {
            from.readAll(chunk, 0);
            to.writeFirst(n, chunk, 0);
            return;
        }
        OwnData<D, A> source = OwnData.own(DataPart.withoutOnes(from.self()));
        OwnData<D, A> target = OwnData.own(DataPart.withoutOnes(to.self()));
        int rows = (int) source.size(0);
        int step = Math.max(1, most / (n / rows));
        for (int at = 0; at < rows; at += step) {
            int some = Math.min(step, rows - at);
            copyThrough(source.part(at, some), target.part(at, some), chunk);
        }
    }

    /** Throws if data of any class is closed or cannot be written. */
    static <D extends TensorData<D>> void checkWritable(Carrier<D, ?> carrier, D data) {
        if (data instanceof OwnData) {
            ((OwnData<?, ?>) data).checkWritable();
        } else if (data.isReadOnly()) {
            D view = carrier.isUsers(data) ? data.slice(new TensorIndex[0]) : null;
            if (view instanceof OwnData) {
                ((OwnData<?, ?>) view).checkWritable();         // throws the exception with the reason
            }
            throw new ReadOnlyTensorException(data.dataType(), data.shape(), "is read-only");
        }
    }

    // ---- Operands ----------------------------------------------------------------------------------------------------

    /**
     * An operand with contiguous elements from the start of its memory: in place if they are so in the library's memory or in an array, else a copy.
     *
     * @param data any data
     * @param shape its checked shape
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     * @throws OutOfMemoryError if a copy does not fit the memory budget
     */
    static <D extends TensorData<D>, A> StridedOperand contiguous(PrimitiveCarrier<D, A> carrier, D data, long... shape) {
        OwnData<D, A> own = data instanceof OwnData ? OwnData.own(data) : null;
        if (own != null && own.isArrayRun() && own.offset() == 0) {
            return own.operand(false);
        }
        Block block = own == null || own.carrier() != carrier ? null : own.run();
        if (block != null) {
            return StridedOperand.of(carrier.window(block, own.offset(), own.totalSize()), block, own.offset(), Layout.rowMajor(shape));
        }
        return copied(carrier, data, shape);
    }

    /** A block with the elements of data, which shares the memory if the data is the whole of a published tensor; one buffer holds them. */
    static <D extends TensorData<D>, A> Block share(PrimitiveCarrier<D, A> carrier, D data, long... shape) {
        Block block = data instanceof OwnData ? ((OwnData<?, ?>) data).run() : null;
        if (block != null && ((Source) block).isReadOnly() && data.totalSize() == Shapes.product(block.shape())) {
            return carrier.sharing(block, shape);
        }
        return copy(carrier, carrier.uncleared(shape), data);
    }

    /** Copies data to a new block, which is closed if that fails. */
    private static <D extends TensorData<D>, A> Block copy(PrimitiveCarrier<D, A> carrier, Block block, D data) {
        try {
            fill(carrier, carrier.whole(block).self(), data);
            return block;
        } catch (Throwable e) {
            block.close();
            throw e;
        }
    }

    /** A copy of data of a checked shape, owned by the operand, with strides of its own: of a constant there is one element, with strides of 0. */
    static <D extends TensorData<D>, A> StridedOperand elsewhere(PrimitiveCarrier<D, A> carrier, D data, long... shape) {
        Source source = data instanceof OwnData ? ((OwnData<?, ?>) data).source() : null;
        if (!(source instanceof Made) || !((Made) source).isConstant() || Shapes.product(shape) == 0) {
            return copied(carrier, data, shape);
        }
        Block one = copy(carrier, carrier.allocate(new long[0], false), data.slice(new int[shape.length]));
        return StridedOperand.ofCopy(carrier.buffer(one, false), one, new Layout(0, shape, new long[shape.length]));
    }

    /** A copy of data of a checked shape, owned by the operand. */
    static <D extends TensorData<D>, A> StridedOperand copied(PrimitiveCarrier<D, A> carrier, D data, long... shape) {
        Block copy = copy(carrier, carrier.allocate(shape.clone(), false), data);
        return StridedOperand.ofCopy(carrier.buffer(copy, false), copy);
    }
}
