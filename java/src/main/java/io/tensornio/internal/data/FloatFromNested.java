package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
//#if primitive
import io.tensornio.internal.element.FloatArray;
//#end
import io.tensornio.internal.element.FloatElement;
//#if primitive
import io.tensornio.internal.element.FloatSource;
//#end
//#if primitive
import io.tensornio.internal.layout.ArrayLength;
//#end
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import java.lang.reflect.Array;
//#if buffer
import java.nio.FloatBuffer;
//#end
import java.util.Objects;

/**
 * Copies nested arrays to {@code float} data: {@code float[]}, {@code float[][]} and so on; at rank 0 a {@code Float}. {@link FloatToNested} is the
 * other direction.
 *
 * <p>Arrays for data that is in use are walked through twice: all rows are checked before anything is written, and again as each is copied, since
 * another thread may have replaced them. Arrays for a new tensor are walked through once: if a row is wrong, nobody has seen the tensor. Large arrays
 * are divided among several threads along the first axis.
 */
public final class FloatFromNested {
    //#if buffer
    /** Rows up to this long, in 32 bytes, are put together before they are written: a bulk call for such a row takes longer than for one of 64. */
    private static final int SHORT = 32 / FloatElement.BYTES;
    //#end
    /** From this many elements on, other threads help. */
    private static final int MANY = 1 << 20;
    /** For each thread, so that one which is late does not leave the others waiting. */
    private static final int PARTS = 2;
    //#if primitive
    private static final float[] NO_ROW = {};
    //#end
    private final long[] shape;
    /** The indices of the row that is walked through, for messages. */
    private final int[] place;
    /** What of the first axis is walked through: from there on, and up to here. */
    private int from;
    private int until;
    //#if buffer
    /** The elements in row-major order, from its position on; null if they are not all in one run. */
    private FloatBuffer buffer;
    /** Short rows on their way there, if rows are short. */
    private float[] few;
    //#end
    //~string /** What is to be written, once there is something: strings are checked whole before the first is written. */
    //~string private String[] all;
    //~string private int next;

    private FloatFromNested(long... shape) {
        this.shape = shape;
        place = new int[shape.length];
        until = shape.length == 0 ? 0 : (int) Math.min(shape[0], Integer.MAX_VALUE);
    }

    /**
     * How deep an object is nested.
     *
     * @param nested any object
     * @return 0 for a {@code Float}; -1 if it is neither that nor nested arrays of {@code float}
     */
    public static int rank(Object nested) {
        return Nested.rank(nested, float.class, Float.class);
    }

    /**
     * The shape of nested arrays, as the first rows have it. The others are looked at by {@link #fill}. Behind a size of 0 all sizes are 0.
     *
     * @param nested what has a {@link #rank}
     * @return the sizes of the first rows
     * @throws NullPointerException if a first row is null
     */
    public static long[] shape(Object nested) {
        Objects.requireNonNull(nested, "nested");
        long[] shape = new long[rank(nested)];
        Object first = nested;
        for (int d = 0; d < shape.length; d++) {
            if (first == null) {
                throw Nested.isNull(d, new int[shape.length]);
            }
            if (d == shape.length - 1) {
                shape[d] = ((float[]) first).length;
            } else {
                Object[] rows = (Object[]) first;
                if (rows.length == 0) {
                    break;
                }
                shape[d] = rows.length;
                first = rows[0];
            }
        }
        return shape;
    }

    /**
     * Checks all rows of nested arrays that memory ran out for: what is wrong with them counts more. Rows that stand at
     * many places can be more than anybody could walk through; then none is looked at.
     *
     * @param nested what has this {@link #shape}
     * @throws NullPointerException if a row is null
     * @throws IllegalArgumentException if a row is longer or shorter than the first one
     */
    public static void check(Object nested, long... shape) {
        long n = 1;
        for (long size : shape) {
            n = Math.min(n * size, 1L << Integer.SIZE);
        }
        if (n <= Integer.MAX_VALUE) {
            new FloatFromNested(shape).check(nested);
        }
    }

    /**
     * Writes all of some data, up to what is wrong.
     *
     * @param to data that can be written
     * @param nested what has the data's shape, or should have it
     * @throws NullPointerException if a row is null
     * @throws IllegalArgumentException if a row is longer or shorter than the first one
     * @throws OutOfMemoryError if there are no elements, but more rows than an {@code int} can count
     */
    public static void fill(FloatTensorData to, Object nested) {
        if (to.rank() == 0) {
            float value = (Float) nested;
            to.put(value);
            return;
        }
        FloatFromNested walk = new FloatFromNested(to.shape());
        Nested.checkRows(walk.shape);
        //#if buffer
        if (to instanceof FloatStrided && ((FloatStrided) to).isContiguous()) {
            FloatStrided target = (FloatStrided) to;
            walk.buffer = start(target.block.writable(), target);
            if (walk.shape[walk.shape.length - 1] <= SHORT) {
                walk.few = new float[SHORT + (int) Math.min(to.totalSize(), 256)];
            }
            if (target.block.isNative()) {
                walk.all(nested);
            } else {
                walk.copy(nested, 0, null);         // a buffer of the user's may be for one thread only
            }
            return;
        }
        //#end
        //#if primitive
        walk.copy(nested, 0, to);
        //#end
        //~string walk.all = new String[Nested.length(to.totalSize())];
        //~string walk.copy(nested, 0, null);
        //~string to.copyFrom(walk.all);
    }

    /**
     * Writes a sub-tensor.
     *
     * @param data any data
     * @param nested what should be of the shape of the sub-tensor
     * @param indices one index for each leading axis
     * @throws IllegalStateException if sparse data that is being filled has no room for all of it
     */
    public static void put(FloatTensorData data, Object nested, int... indices) {
        Objects.requireNonNull(nested, "nested");
        Objects.requireNonNull(indices, "indices");
        OpenCheck.check(data);
        FloatCopies.checkWritable(data);
        if (data instanceof FloatRaggedBuilder) {
            ((FloatRaggedBuilder) data).setNested(nested, indices.clone());
            return;
        }
        FloatTensorData to = Objects.requireNonNull(data.slice(indices), "slice() gave null");
        FloatFromNested walk = new FloatFromNested(to.shape());
        Nested.checkUniform(walk.shape);
        if (rank(nested) != walk.shape.length) {
            throw Nested.misfit(nested, float.class, Float.class, walk.shape);
        }
        walk.check(nested);
        if (to instanceof FloatData) {
            ((FloatData) to).checkCapacity(to.totalSize());
        }
        //#if primitive
        if (walk.shape.length > 1 && mayShare(to, walk.shape[walk.shape.length - 1]) && to.totalSize() <= ArrayLength.MOST) {
            to.copyFrom(flat(nested, walk.shape));
            return;
        }
        //#end
        fill(to, nested);
    }

    /**
     * An element alone.
     *
     * @throws IllegalArgumentException if the object is none
     */
    static float single(Object nested) {
        if (rank(nested) != 0) {
            throw Nested.misfit(nested, float.class, Float.class);
        }
        return (Float) nested;
    }

    //#if primitive
    /** Whether writing a row may change those that are still to be read, which have {@code n} elements. */
    private static boolean mayShare(FloatTensorData to, long n) {
        FloatSource source = to instanceof FloatData ? ((FloatData) to).source() : null;
        return source == null || (source instanceof FloatArray ? ((FloatArray) source).rd.length == n : source.mayShare(NO_ROW));
    }
    //#end

    /**
     * What nested arrays have, in row-major order.
     *
     * @param nested any object
     * @param shape what its shape should be; the first size may be -1 for any
     * @throws IllegalArgumentException if it is another
     */
    static float[] flat(Object nested, long... shape) {
        if (rank(nested) != shape.length) {
            throw Nested.misfit(nested, float.class, Float.class, shape);
        }
        long[] own = shape.clone();
        own[0] = own[0] < 0 ? Array.getLength(nested) : own[0];
        FloatFromNested walk = new FloatFromNested(own);
        walk.check(nested);
        if (own.length == 1) {
            return (float[]) nested;
        }
        float[] all = new float[Nested.length(Shapes.product(own))];
        //#if primitive
        fill(FloatTensorData.of(all, own), nested);
        //#end
        //~string walk.all = all;
        //~string walk.copy(nested, 0, null);
        return all;
    }

    /** Checks all rows, and their number. */
    private void check(Object nested) {
        Nested.checkRows(shape);
        if (shape.length > 0) {
            all(nested);
        }
    }

    /** Checks all rows, and copies them to the buffer, if there is one; by several threads if that is worth it. */
    private void all(Object nested) {
        int threads = ParallelParts.threads();
        if (threads < 2 || shape.length < 2 || shape[0] < 2 || Shapes.product(shape) < MANY || ((Object[]) nested).length != shape[0]) {
            copy(nested, 0, null);
            return;
        }
        FloatFromNested[] parts = new FloatFromNested[(int) Math.min(shape[0], (long) PARTS * threads)];
        for (int p = 0; p < parts.length; p++) {
            parts[p] = part(p, parts.length);       // before the first writes anything, as there may be no heap for them
        }
        try {
            ParallelParts.run(parts.length, p -> parts[p].copy(nested, 0, null));
        } catch (RuntimeException | Error e) {
            new FloatFromNested(shape).copy(nested, 0, null);       // mostly throws the same, with the caller's stack trace
            throw e;
        }
    }

    /** The walk through one of some parts of the first axis. */
    private FloatFromNested part(int number, int parts) {
        FloatFromNested part = new FloatFromNested(shape);
        part.from = (int) (shape[0] * number / parts);
        part.until = (int) (shape[0] * (number + 1) / parts);
        //#if buffer
        if (buffer != null) {
            part.buffer = buffer.duplicate();
            part.buffer.position(buffer.position() + (int) (Shapes.product(shape) / shape[0]) * part.from);
            part.few = few == null ? null : new float[few.length];
        }
        //#end
        return part;
    }

    /** Checks the arrays at a depth and copies them: to the buffer, if there is one; else to data, if it is not null. */
    private void copy(Object nested, int depth, FloatTensorData to) {
        if (depth == shape.length - 1) {
            float[] row = (float[]) nested;
            if (row.length != shape[depth]) {
                throw Nested.length(row.length, shape[depth], depth, place);
            }
            copyRow(row, to);
            return;
        }
        Object[] rows = (Object[]) nested;
        if (rows.length != shape[depth]) {
            throw Nested.length(rows.length, shape[depth], depth, place);
        }
        if (to == null && depth >= shape.length - 3) {
            if (depth == shape.length - 2) {
                rows((float[][]) rows, depth);
            } else {
                planes((float[][][]) rows, depth);
            }
            return;
        }
        for (int i = first(depth), n = end(depth); i < n; i++) {
            Object row = rows[i];
            place[depth] = i;
            if (row == null) {
                throw Nested.isNull(depth + 1, place);
            }
            copy(row, depth + 1, to == null ? null : Objects.requireNonNull(to.slice(i), "slice() gave null"));
        }
    }

    /**
     * As {@link #copy}, for the last three axes: by loops that the compiler makes one of, since rows may be so short that a call for each few counts.
     */
    private void planes(float[][][] planes, int depth) {
        long n = shape[depth + 1];
        for (int i = first(depth), end = end(depth); i < end; i++) {
            float[][] rows = planes[i];
            place[depth] = i;
            if (rows == null || rows.length != n) {
                throw rows == null ? Nested.isNull(depth + 1, place) : Nested.length(rows.length, n, depth + 1, place);
            }
            rows(rows, depth + 1);
        }
    }

    private int first(int depth) {
        return depth == 0 ? from : 0;
    }

    /** Behind the last index of an axis that is walked through; arrays that are were found to be as long as it. */
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

    /** Checks the innermost rows: a loop that has nothing else in it, so that what it waits for is memory. */
    private void checkRows(float[][] rows, int depth) {
        long n = shape[depth + 1];
        for (int i = first(depth), end = end(depth); i < end; i++) {
            float[] row = rows[i];
            checkRow(row, n, i, depth);
            //~string place[depth] = i;
            //~string copyRow(row, null);
        }
    }

    //#if buffer
    /** Checks the innermost rows again, as they may be others by now, and copies them to the buffer. */
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

    /** Checks the row at an index after those of the place. */
    private void checkRow(float[] row, long n, int i, int depth) {
        if (row == null || row.length != n) {
            place[depth] = i;
            throw row == null ? Nested.isNull(depth + 1, place) : Nested.length(row.length, n, depth + 1, place);
        }
    }

    private void copyRow(float[] row, FloatTensorData to) {
        //~string for (int i = 0; i < row.length; i++) {
        //~string     if (row[i] == null) {
        //~string         place[place.length - 1] = i;
        //~string         throw Nested.isNull(place.length, place);
        //~string     }
        //~string }
        //~string if (all != null) {
        //~string     System.arraycopy(row, 0, all, next, row.length);
        //~string     next += row.length;
        //~string }
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

    //#if buffer
    /** A buffer of its own, at the first element of data without gaps. */
    static FloatBuffer start(FloatBuffer all, FloatStrided data) {
        FloatBuffer own = all.duplicate();
        if (data.totalSize() > 0) {         // an empty one may lie anywhere
            own.position(data.offset());
        }
        return own;
    }
    //#end
}
