package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.internal.element.FloatArray;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.ArrayLength;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import java.lang.reflect.Array;
import java.util.Objects;

/**
 * Copies nested arrays to {@code float} data: {@code float[]}, {@code float[][]} and so on; at rank 0 a {@code Float}. {@link FloatNestedWalk}
 * goes through the rows; {@link FloatToNested} is the other direction.
 *
 * <p>Arrays for existing data are traversed twice: all rows are checked before the first write, and again as each is
 * copied, since another thread may have replaced them. Arrays for a new tensor are traversed once: if a row is wrong,
 * the tensor is dropped. Large arrays are divided among several threads along the first axis.
 */
public final class FloatFromNested {
    private static final float[] NO_ROW = {};

    private FloatFromNested() {
    }

    /**
     * The nesting depth of an object.
     *
     * @param nested any object
     * @return 0 for a {@code Float}; -1 if it is neither that nor nested arrays of {@code float}
     */
    public static int rank(Object nested) {
        return Nested.rank(nested, float.class, Float.class);
    }

    /**
     * The shape of nested arrays, from the first row on each axis. {@link #fill} checks the others. After a size of 0 all sizes are 0.
     *
     * @param nested an object that has a {@link #rank}
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
     * Checks all rows of nested arrays after an allocation for them has failed: an error in them takes precedence. If
     * one row is referenced so often that there are too many to traverse, none is checked.
     *
     * @param nested arrays with this {@link #shape}
     * @throws NullPointerException if a row is null
     * @throws IllegalArgumentException if a row is longer or shorter than the first one
     */
    public static void check(Object nested, long... shape) {
        long n = 1;
        for (long size : shape) {
            n = Math.min(n * size, 1L << Integer.SIZE);
        }
        if (n <= Integer.MAX_VALUE) {
            FloatNestedWalk.check(nested, shape);
        }
    }

    /**
     * Writes all elements of data, up to the first error.
     *
     * @param to data that can be written
     * @param nested arrays, which should have the data's shape
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
        long[] shape = to.shape();
        Nested.checkRows(shape);
        FloatNestedWalk.copy(nested, to, shape);
    }

    /**
     * Writes a sub-tensor.
     *
     * @param data any data
     * @param nested arrays, which should have the shape of the sub-tensor
     * @param indices one index for each leading axis
     * @throws IllegalStateException if it exceeds the capacity of sparse data under construction
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
        long[] shape = to.shape();
        Nested.checkUniform(shape);
        if (rank(nested) != shape.length) {
            throw Nested.misfit(nested, float.class, Float.class, shape);
        }
        FloatNestedWalk.check(nested, shape);
        if (to instanceof FloatData) {
            ((FloatData) to).checkCapacity(to.totalSize());
        }
        if (shape.length > 1 && mayShare(to, shape[shape.length - 1]) && to.totalSize() <= ArrayLength.MOST) {
            to.copyFrom(flat(nested, shape));
            return;
        }
        fill(to, nested);
    }

    /**
     * A single boxed element.
     *
     * @throws IllegalArgumentException if the object is not a boxed element
     */
    static float single(Object nested) {
        if (rank(nested) != 0) {
            throw Nested.misfit(nested, float.class, Float.class);
        }
        return (Float) nested;
    }

    /** Whether writing a row may change the {@code n} elements that are still to be read. */
    private static boolean mayShare(FloatTensorData to, long n) {
        FloatSource source = to instanceof FloatData ? ((FloatData) to).source() : null;
        return source == null || (source instanceof FloatArray ? ((FloatArray) source).rd.length == n : source.mayShare(NO_ROW));
    }

    /**
     * The elements of nested arrays in row-major order.
     *
     * @param nested any object
     * @param shape the expected shape; the first size may be -1 for any
     * @throws IllegalArgumentException if the shape differs
     */
    static float[] flat(Object nested, long... shape) {
        if (rank(nested) != shape.length) {
            throw Nested.misfit(nested, float.class, Float.class, shape);
        }
        long[] own = shape.clone();
        own[0] = own[0] < 0 ? Array.getLength(nested) : own[0];
        FloatNestedWalk.check(nested, own);
        if (own.length == 1) {
            return (float[]) nested;
        }
        float[] all = new float[Nested.length(Shapes.product(own))];
        FloatNestedWalk.copy(nested, all, own);
        return all;
    }
}
