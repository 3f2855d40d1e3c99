package io.tensornio.internal.data;

import io.tensornio.AbstractFloatTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.FloatBlock;
import io.tensornio.internal.element.FloatElement;
//#if float int long
import io.tensornio.internal.element.FloatNarrow;
//#end
//#if buffer
import io.tensornio.internal.element.FloatOtherBuffer;
//#end
import io.tensornio.internal.element.FloatWindows;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import io.tensornio.internal.memory.SharedMemory;
import io.tensornio.internal.ragged.RaggedShapes;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * Bulk copies between {@code float} data of any kinds. If both sides are contiguous, a copy is one of {@code java.nio}'s; else, for many elements
 * that native code may access, a native call; else, for strided data, a few loops; else it is element by element.
 */
public final class FloatCopies {
    private FloatCopies() {
    }

    /** Copies data to other data of the same shape, with which it may overlap; to a growing row, data of any length. */
    static void copy(FloatTensorData from, FloatTensorData to) {
        copy(from, to, from, true);
    }

    /** The same, for messages that name one side, the first if {@code isRead}, as the selection from {@code named} at the indices of a bulk call. */
    static void copy(FloatTensorData from, FloatTensorData to, FloatTensorData named, boolean isRead, int... indices) {
        if (to instanceof FloatRaggedBuilder) {
            to.put(from, new int[0]);
            return;
        }
        if (from instanceof FloatStrided && to instanceof FloatStrided
            && ((FloatStrided) from).isDenseLike((FloatStrided) to) && areDisjoint(from, to)) {
            copyDisjoint(from, to);        // a growing row, which the chunks below would extend again and again
            return;
        }
        // One of the two may be user-defined data, which may keep and change the array that it returns.
        long[] shape = from.shape();
        shape = shape == null ? null : shape.clone();
        if (!Arrays.equals(shape, to.shape())) {
            throw SelectionText.otherShape(named, isRead, shape, to.shape(), indices);
        }
        if (RaggedShapes.isRagged(shape)) {
            RaggedRows.checkSame(from, to);
        }
        if (Shapes.product(shape) == 0) {
            return;
        }
        long count = RaggedShapes.isRagged(shape) ? from.totalSize() : Shapes.product(shape);
        checkCapacity(to, count);
        if (areDisjoint(from, to)) {
            ((FloatData) from).checkReadable();            // otherwise the temporary's read checks this
            copyDisjoint(from, to);
        } else {
            Block between = between(RaggedShapes.isRagged(shape) ? new long[] {from.totalSize()} : shape);
            try {
                FloatTensorData copy = FloatView.of(between);
                if (RaggedShapes.isRagged(shape)) {
                    copyEach(from, copy);
                    checkCapacity(to, count);
                    copyEach(copy, to);
                    return;
                }
                copyDisjoint(from, copy);
                checkCapacity(to, count);           // again: user-defined data may have written to the target meanwhile
                copyDisjoint(copy, to);
            } finally {
                between.close();
            }
        }
    }

    private static void checkCapacity(FloatTensorData to, long count) {
        if (to instanceof FloatData) {
            ((FloatData) to).checkCapacity(count);
        }
    }

    /**
     * Copies data to new memory that no other code has access to.
     *
     * @param memory data of the same shape
     * @param from any data
     */
    public static void fill(FloatTensorData memory, FloatTensorData from) {
        OpenCheck.check(from);
        if (memory.totalSize() == 0) {
            return;
        }
        if (!Arrays.equals(from.shape(), memory.shape())) {
            throw new IllegalArgumentException("the shape of the data was " + Arrays.toString(memory.shape()) + ", and now is "
                + Arrays.toString(from.shape()));
        }
        copyDisjoint(from, memory);
    }

    /**
     * A staging buffer for a source that may overlap the target, which counts against the budget.
     *
     * @throws OutOfMemoryError if the memory is not available
     */
    private static Block between(long... shape) {
        try {
            Shapes.checkDense(shape, FloatElement.TYPE, FloatElement.BYTES);
            return FloatWindows.allocate(shape, false);
        } catch (OutOfMemoryError e) {
            throw new OutOfMemoryError("a copy of the shape " + Arrays.toString(shape) + " between data that may overlap needs a temporary: "
                + e.getMessage());
        }
    }

    /** Whether writing one cannot change the other: unknown for user-defined data; a complex view shares the memory that it reads. */
    private static boolean areDisjoint(FloatTensorData from, FloatTensorData to) {
        if (!(from instanceof FloatData) || !(to instanceof FloatData)) {
            return false;
        }
        return Source.areDisjoint((FloatData) from, ((FloatData) from).source(), (FloatData) to, ((FloatData) to).source())
            || ((FloatData) from).read() != null && !SharedMemory.isShared(from, to);
    }

    /** Whether data is in a user's buffer whose class differs from the library's own. */
    private static boolean isOther(FloatTensorData data) {
        //#if buffer
        return data instanceof FloatView && ((FloatView) data).source() instanceof FloatOtherBuffer;
        //#end
        //~boolean return false;
    }

    /** Copies data to other data of the same shape that does not overlap it. */
    static void copyDisjoint(FloatTensorData from, FloatTensorData to) {
        if (FloatPieceCopies.copy(from, to)) {
            return;
        }
        if (isContiguous(from) && isContiguous(to)) {
            FloatStrided source = (FloatStrided) from;
            FloatStrided target = (FloatStrided) to;
            long n = source.totalSize();
            window(target.block.writable(), target.offset(), n).put(window(source.block.readable(), source.offset(), n));
            return;
        }
        if (copyByNativeCall(from, to)) {
            return;
        }
        if (isContiguous(to) && FloatSparse.of(from) != null) {
            FloatStrided target = (FloatStrided) to;
            FloatSparse.of(from).readAll(((FloatData) from).layout(), target.block, target.block.writable(), target.offset());
        //#if buffer
        } else if (isOther(from) && isContiguous(to) && ((FloatView) from).layout().isContiguous()) {
            int n = (int) from.totalSize();
            FloatStrided target = (FloatStrided) to;
            FloatBufferCopies.readByChunks((FloatData) from, n, window(target.block.writable(), target.offset(), n));
        } else if (isOther(to) && isContiguous(from) && ((FloatView) to).layout().isContiguous()) {
            int n = (int) to.totalSize();
            FloatStrided source = (FloatStrided) from;
            FloatBufferCopies.writeByChunks((FloatData) to, n, window(source.block.readable(), source.offset(), n));
        //#end
        } else if (from instanceof FloatData && to instanceof FloatData
            && (((FloatData) from).isCopiedByRows() || ((FloatData) to).isCopiedByRows())) {
            for (int i = 0; i < from.size(0); i++) {
                copyDisjoint(FloatSelection.withoutOnes(from.slice(i)), FloatSelection.withoutOnes(to.slice(i)));
            }
        } else if (to instanceof FloatArrayStrided && ((FloatArrayStrided) to).isContiguous() && from instanceof FloatData) {
            ((FloatData) from).readAll(((FloatArrayStrided) to).block.wr, ((FloatArrayStrided) to).offset());
        } else if (from instanceof FloatArrayStrided && ((FloatArrayStrided) from).isContiguous() && to instanceof FloatData) {
            ((FloatData) to).writeFirst((int) from.totalSize(), ((FloatArrayStrided) from).block.rd, ((FloatArrayStrided) from).offset());
        //#if buffer
        } else if (isOther(to) && from instanceof FloatData && ((FloatView) to).layout().isContiguous()) {
            int n = (int) to.totalSize();
            FloatBuffer buffer = ((FloatOtherBuffer) ((FloatView) to).source()).buffer;
            FloatBufferCopies.readByChunks((FloatData) from, n, window(buffer, (int) ((FloatView) to).layout().offset(), n));
        //#end
        } else if (from instanceof FloatData && to instanceof FloatData
            && ((FloatData) from).isCopiedAtOnce() && ((FloatData) to).isCopiedAtOnce()) {
            int n = (int) from.totalSize();
            copyThrough((FloatData) from, (FloatData) to, new float[Math.min(n, FloatData.CHUNK)]);
        } else {
            copyEach(from, to);
        }
    }

    /** Copies strided data of many elements by one native call, if native code may access both. */
    private static boolean copyByNativeCall(FloatTensorData from, FloatTensorData to) {
        if (!(from instanceof FloatData) || !(to instanceof FloatData) || from instanceof FloatArrayStrided && to instanceof FloatArrayStrided
            || from.totalSize() < StridedOperand.LEAST || from.dataType() != FloatElement.TYPE || to.dataType() != FloatElement.TYPE) {
            return false;
        }
        try (StridedOperand source = ((FloatData) from).operand(false);
            StridedOperand target = source == null ? null : ((FloatData) to).operand(true)) {
            if (target == null) {
                return false;
            }
            source.copyTo(target);
            return true;
        }
    }

    /** Copies through a staging array, in parts that fit it. */
    private static void copyThrough(FloatData from, FloatData to, float... chunk) {
        int n = (int) from.totalSize();
        if (n <= chunk.length) {
            from.readAll(chunk, 0);
            to.writeFirst(n, chunk, 0);
            return;
        }
        FloatData source = (FloatData) FloatSelection.withoutOnes(from);
        FloatData target = (FloatData) FloatSelection.withoutOnes(to);
        int rows = (int) source.size(0);
        int step = Math.max(1, chunk.length / (n / rows));
        for (int at = 0; at < rows; at += step) {
            int some = Math.min(step, rows - at);
            copyThrough(source.part(at, some), target.part(at, some), chunk);
        }
    }

    private static void copyEach(FloatTensorData from, FloatTensorData to) {
        FloatTensorIterator source = Objects.requireNonNull(from.scalars(), "scalars() gave null");
        FloatTensorIterator target = Objects.requireNonNull(to.scalars(), "scalars() gave null");
        while (target.hasMoreElements()) {
            target.put(source.get());
        }
    }

    private static boolean isContiguous(FloatTensorData data) {
        return data instanceof FloatStrided && ((FloatStrided) data).isContiguous();
    }

    static void checkWritable(FloatTensorData data) {
        if (data instanceof FloatData) {
            ((FloatData) data).checkWritable();
        } else if (data.isReadOnly()) {
            FloatTensorData view = data instanceof AbstractFloatTensorData ? data.slice(new TensorIndex[0]) : null;
            if (view instanceof FloatData) {
                ((FloatData) view).checkWritable();         // throws the exception with the reason
            }
            throw new ReadOnlyTensorException(data.dataType(), data.shape(), "is read-only");
        }
    }

    /**
     * An operand with contiguous elements from the start of its memory: in place if they are so in the library's memory or in an array, else a copy.
     *
     * @param data any data
     * @param shape its checked shape
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     * @throws OutOfMemoryError if a copy does not fit the memory budget
     */
    static StridedOperand contiguous(FloatTensorData data, long... shape) {
        if (data instanceof FloatArrayStrided && ((FloatArrayStrided) data).isContiguous() && ((FloatArrayStrided) data).offset() == 0) {
            return ((FloatArrayStrided) data).operand(false);
        }
        if (isContiguous(data) && ((FloatStrided) data).block.isNative()) {
            FloatStrided own = (FloatStrided) data;
            FloatBuffer elements = window(own.block.readable(), own.offset(), own.totalSize()).slice();
            return StridedOperand.of(elements, own.block, own.offset(), Layout.rowMajor(shape));
        }
        return copied(data, shape);
    }

    /** A block with the elements of data, which shares the memory if the data is the whole of a published tensor; one buffer holds them. */
    static FloatBlock share(FloatTensorData data, long... shape) {
        if (data instanceof FloatStrided) {
            FloatStrided all = (FloatStrided) data;
            FloatBlock block = all.block;
            if (block.isNative() && block.wr == null && all.isContiguous() && all.totalSize() == Shapes.product(block.shape())) {
                return new FloatBlock(block, shape);
            }
        }
        FloatBlock copy = FloatBlock.uncleared(shape);
        fill(copy, data);
        return copy;
    }

    /** Copies data to a new block, which is closed if that fails. */
    private static void fill(Block block, FloatTensorData data) {
        try {
            fill(FloatView.of(block), data);
        } catch (Throwable e) {
            block.close();
            throw e;
        }
    }

    /** A copy of data of a checked shape, owned by the operand. */
    static StridedOperand copied(FloatTensorData data, long... shape) {
        //#if float int long
        Block copy = FloatNarrow.allocate(data.dataType(), shape.clone(), false);
        //#end
        //~double,boolean,byte Block copy = FloatWindows.allocate(shape.clone(), false);
        fill(copy, data);
        //#if float int long
        if (copy instanceof FloatNarrow) {
            return StridedOperand.ofCopy(((FloatNarrow) copy).first(false), copy);
        }
        //#end
        return StridedOperand.ofCopy(copy instanceof FloatBlock ? ((FloatBlock) copy).rd : ((FloatWindows) copy).first(false), copy);
    }

    /** Copies {@code n} elements from {@code at} to {@code toAt}, between blocks that may be the same; the ranges are valid and disjoint. */
    static void copy(FloatBlock from, int at, FloatBlock to, int toAt, int n) {
        FloatBuffer source = from.readable();
        FloatBuffer target = to.writable();
        window(target, toAt, n).put(window(source, at, n));
    }

    /** A new buffer, positioned at the first element of contiguous data. */
    static FloatBuffer start(FloatBuffer all, FloatStrided data) {
        FloatBuffer own = all.duplicate();
        if (data.totalSize() > 0) {         // empty data may have any offset
            own.position(data.offset());
        }
        return own;
    }

    /** A buffer over {@code n} elements starting at {@code start}. */
    static FloatBuffer window(FloatBuffer buffer, int start, long n) {
        FloatBuffer window = buffer.duplicate();
        if (n > 0) {            // an empty selection may have any offset
            window.limit(start + (int) n);
            window.position(start);
        } else {
            window.limit(0);
        }
        return window;
    }
}
