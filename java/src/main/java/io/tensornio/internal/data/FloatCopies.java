package io.tensornio.internal.data;

import io.tensornio.AbstractFloatTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.FloatBlock;
import io.tensornio.internal.element.FloatElement;
//#if buffer
import io.tensornio.internal.element.FloatOtherBuffer;
//#end
import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import io.tensornio.internal.memory.SharedMemory;
import io.tensornio.internal.ragged.RaggedShapes;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * Copies in bulk between {@code float} data of any kinds. If both sides are contiguous, a copy is one of {@code java.nio}'s; else, of many
 * elements that native code may reach, a native one; else of strided data a few loops; else it goes element by element.
 */
public final class FloatCopies {
    /** Elements that are copied at a time where an array is between. */
    static final int CHUNK = 8192;

    private FloatCopies() {
    }

    /** Copies data to other data of the same shape, as if through a copy where the two overlap; to a row that grows, data of any length. */
    static void copy(FloatTensorData from, FloatTensorData to) {
        copy(from, to, from, true);
    }

    /** The same, of which one side, the first if {@code isRead}, is what the indices of a bulk call name in data: messages tell of these. */
    static void copy(FloatTensorData from, FloatTensorData to, FloatTensorData named, boolean isRead, int... indices) {
        if (to instanceof FloatRaggedBuilder) {
            to.put(from, new int[0]);
            return;
        }
        if (from instanceof FloatStrided && to instanceof FloatStrided
            && ((FloatStrided) from).isDenseLike((FloatStrided) to) && areDisjoint(from, to)) {
            copyDisjoint(from, to);        // a row, to which the arrays below would add as much again
            return;
        }
        // One of the two may be user-defined data, which may keep its array and change it.
        long[] shape = from.shape();
        shape = shape == null ? null : shape.clone();
        if (!Arrays.equals(shape, to.shape())) {
            throw FloatSelection.otherShape(named, isRead, shape, to.shape(), indices);
        }
        if (RaggedShapes.isRagged(shape)) {
            FloatRagged.checkSameRows(from, to);
        }
        if (Shapes.product(shape) == 0) {
            return;
        }
        long count = RaggedShapes.isRagged(shape) ? from.totalSize() : Shapes.product(shape);
        checkCapacity(to, count);
        if (areDisjoint(from, to)) {
            ((FloatData) from).checkReadable();            // else they are read to a temporary first
            copyDisjoint(from, to);
        } else {
            FloatBlock between = between(RaggedShapes.isRagged(shape) ? new long[] {from.totalSize()} : shape);
            try {
                FloatStrided copy = FloatStrided.of(between);
                if (RaggedShapes.isRagged(shape)) {
                    copyEach(from, copy);
                    checkCapacity(to, count);
                    copyEach(copy, to);
                    return;
                }
                copyDisjoint(from, copy);
                checkCapacity(to, count);           // again: the user's own data may have written it meanwhile
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
     * Copies data to new memory, which nobody else has seen.
     *
     * @param memory data of the same shape
     * @param from any data
     */
    public static void fill(FloatStrided memory, FloatTensorData from) {
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
     * Memory for a copy of what may overlap the target: within the budget, unlike a temporary of native code.
     *
     * @throws OutOfMemoryError if one block cannot hold it, or the memory is not available
     */
    static FloatBlock between(long... shape) {
        long n = Shapes.product(shape);
        if (n > FloatElement.MASK) {
            throw new OutOfMemoryError("a copy of the shape " + Arrays.toString(shape) + " between data that may overlap needs a temporary of " + n
                + " elements; one can have " + FloatElement.MASK);
        }
        return FloatBlock.uncleared(shape);
    }

    /** Whether writing one cannot change the other: nothing is known of data that users have made; a complex view is what it reads. */
    private static boolean areDisjoint(FloatTensorData from, FloatTensorData to) {
        if (!(from instanceof FloatData) || !(to instanceof FloatData)) {
            return false;
        }
        return Source.areDisjoint((FloatData) from, ((FloatData) from).source(), (FloatData) to, ((FloatData) to).source())
            || ((FloatData) from).read() != null && !SharedMemory.isShared(from, to);
    }

    /** Whether data lies in a buffer of the user's, of another class than the library's own. */
    private static boolean isOther(FloatTensorData data) {
        //#if buffer
        return data instanceof FloatView && ((FloatView) data).source() instanceof FloatOtherBuffer;
        //#end
        //~boolean return false;
    }

    /** Copies data to other data of the same shape that does not overlap it. */
    static void copyDisjoint(FloatTensorData from, FloatTensorData to) {
        if (FloatPieces.copy(from, to)) {
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
            copyThrough((FloatData) from, (FloatData) to, new float[Math.min(n, CHUNK)]);
        } else {
            copyEach(from, to);
        }
    }

    /** Copies strided data of many elements to other such data by one native call, if native code may reach both. */
    private static boolean copyByNativeCall(FloatTensorData from, FloatTensorData to) {
        if (!(from instanceof FloatData) || !(to instanceof FloatData) || from instanceof FloatArrayStrided && to instanceof FloatArrayStrided
            || from.totalSize() < StridedOperand.LEAST) {
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

    /** Copies parts that fit an array through it. */
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
                ((FloatData) view).checkWritable();         // which says why
            }
            throw new ReadOnlyTensorException(data.dataType(), data.shape(), "is read-only");
        }
    }

    /**
     * An operand whose memory has the elements from its start in row-major order: in place if they are contiguous in the library's memory or at the
     * start of an array, else in a copy.
     *
     * @param data any data
     * @param shape the shape that it said it has, checked
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     * @throws OutOfMemoryError if a copy does not fit the memory budget or one direct buffer
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

    /** A copy of data of a checked shape, as an operand that owns it. */
    static StridedOperand copied(FloatTensorData data, long... shape) {
        FloatBlock copy = FloatBlock.uncleared(shape.clone());
        try {
            fill(FloatStrided.of(copy), data);
            return StridedOperand.ofCopy(copy.rd, copy);
        } catch (Throwable e) {
            copy.close();
            throw e;
        }
    }

    /** Copies {@code n} elements between places of blocks, which have them and may be the same one; the places do not overlap. */
    static void copy(FloatBlock from, int at, FloatBlock to, int place, int n) {
        FloatBuffer source = from.readable();
        FloatBuffer target = to.writable();
        window(target, place, n).put(window(source, at, n));
    }

    /** A buffer over {@code n} elements from one on. */
    static FloatBuffer window(FloatBuffer buffer, int start, long n) {
        FloatBuffer window = buffer.duplicate();
        if (n > 0) {            // an empty selection may lie anywhere
            window.limit(start + (int) n);
            window.position(start);
        } else {
            window.limit(0);
        }
        return window;
    }
}
