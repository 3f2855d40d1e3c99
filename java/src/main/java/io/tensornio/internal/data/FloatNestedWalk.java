package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
//#if buffer
import io.tensornio.internal.element.FloatElement;
//#end
import io.tensornio.internal.layout.Shapes;
//#if buffer
import java.nio.FloatBuffer;
//#end
import java.util.Objects;

/**
 * A traversal of nested arrays of {@code float}, or of a range of their first axis, that checks each row, and copies it if there is a target.
 */
final class FloatNestedWalk {
    //#if buffer
    /** Rows up to this length, 32 bytes, are gathered in a staging array before they are written: the fixed cost of a bulk call would dominate. */
    private static final int SHORT = 32 / FloatElement.BYTES;
    //#end
    /** Rows up to this length are gathered by a loop: a call would dominate. */
    private static final int LOOPED = 8;
    /** From this number of elements on, other threads help. */
    private static final int MANY = 1 << 20;
    /** The number of parts for each thread, for load balancing. */
    private static final int PARTS = 2;

    private final long[] shape;
    /** The indices of the current row, for messages. */
    private final int[] indices;
    /** The range of the first axis that is traversed. */
    private final int from;
    private final int until;
    //#if buffer
    /** The target in row-major order, from its position on; null if the target is not a buffer. */
    private final FloatBuffer buffer;
    /** The staging array for short rows; null if rows are long. */
    private final float[] few;
    //#end

    /** A traversal that only checks, or copies to other data. */
    FloatNestedWalk(long... shape) {
        //#if buffer
        this(0, end(shape), null, null, shape);
        //#end
        //~boolean this(0, end(shape), shape);
    }

    //#if buffer
    /** A traversal that copies to a buffer, from its position on. */
    FloatNestedWalk(FloatBuffer buffer, long... shape) {
        this(0, end(shape), buffer,
            shape[shape.length - 1] > SHORT ? null : new float[SHORT + (int) Math.min(Shapes.product(shape), 256)], shape);
    }
    //#end

    //#if buffer
    private FloatNestedWalk(int from, int until, FloatBuffer buffer, float[] few, long... shape) {
        this.buffer = buffer;
        this.few = few;
    //#end
    //~boolean private FloatNestedWalk(int from, int until, long... shape) {
        this.from = from;
        this.until = until;
        this.shape = shape;
        indices = new int[shape.length];
    }

    private static int end(long... shape) {
        return shape.length == 0 ? 0 : (int) Math.min(shape[0], Integer.MAX_VALUE);
    }

    /** Checks all rows, and their number, before any is copied. */
    static void check(Object nested, long... shape) {
        Nested.checkRows(shape);
        if (shape.length > 0) {
            new FloatNestedWalk(shape).runInParallel(nested, null);
        }
    }

    /** Copies to an array of the shape, of rank 2 at least. */
    static void copy(Object nested, float[] all, long... shape) {
        new FloatNestedWalk(shape).copyTo(FloatTensorData.of(all, shape), nested);
    }

    /** Copies to data of the shape, of rank 1 at least. */
    static void copy(Object nested, FloatTensorData to, long... shape) {
        //#if buffer
        if (to instanceof FloatStrided && ((FloatStrided) to).isContiguous()) {
            FloatStrided target = (FloatStrided) to;
            FloatNestedWalk walk = new FloatNestedWalk(FloatCarrier.start(target.block.writable(), target), shape);
            if (target.block.isNative()) {
                walk.runInParallel(nested, null);
            } else {
                walk.copyTo(null, nested);      // a user's buffer may be confined to one thread
            }
            return;
        }
        // Where the first axis has a stride of 0, rows are the same elements, of which the last one counts.
        if (to instanceof FloatStrided && ((FloatStrided) to).block.isNative() && ((FloatStrided) to).layout().stride(0) != 0) {
            new FloatNestedWalk(shape).runInParallel(nested, to);
            return;
        }
        //#end
        new FloatNestedWalk(shape).copyTo(to, nested);
    }

    /** Like {@link #copyTo}, by several threads if there are many elements. */
    void runInParallel(Object nested, FloatTensorData to) {
        int threads = ParallelParts.threads();
        if (threads < 2 || shape.length < 2 || shape[0] < 2 || Shapes.product(shape) < MANY || ((Object[]) nested).length != shape[0]) {
            copyTo(to, nested);
            return;
        }
        FloatNestedWalk[] parts = new FloatNestedWalk[(int) Math.min(shape[0], (long) PARTS * threads)];
        for (int p = 0; p < parts.length; p++) {
            parts[p] = part(p, parts.length);       // before the first write, since the heap may be exhausted
        }
        try {
            ParallelParts.run(parts.length, p -> parts[p].copyTo(to, nested));
        } catch (RuntimeException | Error e) {
            new FloatNestedWalk(shape).copyTo(null, nested);    // usually throws the same exception with the caller's stack trace
            throw e;
        }
    }

    /** The traversal of one part of the first axis. */
    private FloatNestedWalk part(int number, int parts) {
        int begin = (int) (shape[0] * number / parts);
        int end = (int) (shape[0] * (number + 1) / parts);
        //#if buffer
        FloatBuffer own = null;
        if (buffer != null) {
            own = buffer.duplicate();
            own.position(buffer.position() + (int) (Shapes.product(shape) / shape[0]) * begin);
        }
        return new FloatNestedWalk(begin, end, own, few == null ? null : new float[few.length], shape);
        //#end
        //~boolean return new FloatNestedWalk(begin, end, shape);
    }

    /** Checks all rows, and copies each, before the next is checked, to the buffer, if there is one; else to data of the same shape, if not null. */
    void copyTo(FloatTensorData to, Object nested) {
        copy(nested, 0, to);
    }

    /** Checks the arrays at a depth and copies them: to the buffer, if there is one; else to data, if it is not null. */
    private void copy(Object nested, int depth, FloatTensorData to) {
        if (depth == shape.length - 1) {
            float[] row = (float[]) nested;
            if (row.length != shape[depth]) {
                throw Nested.length(row.length, shape[depth], depth, indices);
            }
            copyRow(row, to);
            return;
        }
        Object[] rows = (Object[]) nested;
        if (rows.length != shape[depth]) {
            throw Nested.length(rows.length, shape[depth], depth, indices);
        }
        if (to == null && depth >= shape.length - 3) {
            if (depth == shape.length - 2) {
                rows((float[][]) rows, depth);
            } else {
                planes((float[][][]) rows, depth);
            }
            return;
        }
        if (to instanceof FloatData && ((FloatData) to).isCopiedAtOnce() && to.totalSize() <= FloatData.CHUNK) {
            float[] all = new float[(int) to.totalSize()];          // gathered, since rows may be short
            gather(rows, depth, all, 0);
            ((FloatData) to).writeFirst(all.length, all, 0);
            return;
        }
        for (int i = first(depth), n = end(depth); i < n; i++) {
            Object row = rows[i];
            indices[depth] = i;
            if (row == null) {
                throw Nested.isNull(depth + 1, indices);
            }
            copy(row, depth + 1, to == null ? null : Objects.requireNonNull(to.slice(i), "slice() gave null"));
        }
    }

    /** Checks the arrays at a depth and copies them to an array, starting at {@code at}; returns the index after them. */
    private int gather(Object nested, int depth, float[] all, int at) {
        int n = (int) shape[depth];
        int length = depth == shape.length - 1 ? ((float[]) nested).length : ((Object[]) nested).length;
        if (length != n) {
            throw Nested.length(length, n, depth, indices);
        }
        if (depth == shape.length - 1) {
            System.arraycopy(nested, 0, all, at, n);
            return at + n;
        }
        int end = at;
        if (depth == shape.length - 2) {
            float[][] rows = (float[][]) nested;
            int columns = (int) shape[depth + 1];
            for (int i = 0; i < n; i++, end += columns) {
                float[] row = rows[i];
                checkRow(row, columns, i, depth);
                if (columns > LOOPED) {
                    System.arraycopy(row, 0, all, end, columns);
                } else {
                    for (int k = 0; k < row.length; k++) {
                        all[end + k] = row[k];
                    }
                }
            }
            return end;
        }
        Object[] rows = (Object[]) nested;
        for (int i = 0; i < n; i++) {
            Object row = rows[i];
            indices[depth] = i;
            if (row == null) {
                throw Nested.isNull(depth + 1, indices);
            }
            end = gather(row, depth + 1, all, end);
        }
        return end;
    }

    /**
     * Like {@link #copy}, for the last three axes: as nested loops, since rows may be so short that calls would dominate.
     */
    private void planes(float[][][] planes, int depth) {
        long n = shape[depth + 1];
        for (int i = first(depth), end = end(depth); i < end; i++) {
            float[][] rows = planes[i];
            indices[depth] = i;
            if (rows == null || rows.length != n) {
                throw rows == null ? Nested.isNull(depth + 1, indices) : Nested.length(rows.length, n, depth + 1, indices);
            }
            rows(rows, depth + 1);
        }
    }

    private int first(int depth) {
        return depth == 0 ? from : 0;
    }

    /** The end of the range of an axis that is traversed; the length of its arrays was checked. */
    private int end(int depth) {
        return depth == 0 ? until : (int) shape[depth];
    }

    private void rows(float[][] rows, int depth) {
        //#if buffer
        if (buffer != null) {
            copyRows(rows, depth);
            return;
        }
        //#end
        checkRows(rows, depth);
    }

    /** Checks the lengths of the innermost rows in a separate loop, so that their cache misses overlap. */
    private void checkRows(float[][] rows, int depth) {
        long n = shape[depth + 1];
        for (int i = first(depth), end = end(depth); i < end; i++) {
            float[] row = rows[i];
            checkRow(row, n, i, depth);
        }
    }

    //#if buffer
    /** Checks the innermost rows again, since they may have been replaced, and copies them to the buffer. */
    private void copyRows(float[][] rows, int depth) {
        FloatBuffer b = buffer;
        long n = shape[depth + 1];
        int end = end(depth);
        if (n > SHORT) {
            for (int i = first(depth); i < end; i++) {
                float[] row = rows[i];
                checkRow(row, n, i, depth);
                b.put(row);
            }
            return;
        }
        int count = 0;
        for (int i = first(depth); i < end; i++) {
            float[] row = rows[i];
            checkRow(row, n, i, depth);
            for (int k = 0; k < row.length; k++) {
                few[count + k] = row[k];
            }
            count += row.length;
            if (count > few.length - SHORT) {
                b.put(few, 0, count);
                count = 0;
            }
        }
        b.put(few, 0, count);
    }
    //#end

    /** Checks the row at an index below the current row. */
    private void checkRow(float[] row, long n, int i, int depth) {
        if (row == null || row.length != n) {
            indices[depth] = i;
            throw row == null ? Nested.isNull(depth + 1, indices) : Nested.length(row.length, n, depth + 1, indices);
        }
    }

    private void copyRow(float[] row, FloatTensorData to) {
        //#if buffer
        if (buffer != null) {
            buffer.put(row);
            return;
        }
        //#end
        if (to != null) {
            to.copyFrom(row);
        }
    }
}
