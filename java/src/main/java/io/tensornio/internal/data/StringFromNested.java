package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import java.lang.reflect.Array;
import java.util.Objects;

/**
 * Copies nested arrays to {@code String} data: {@code String[]}, {@code String[][]} and so on; at rank 0 a {@code String}. {@link StringNestedWalk}
 * goes through the rows; {@link StringToNested} is the other direction.
 *
 * <p>Arrays for existing data are traversed twice: all rows are checked before the first write, and again as each is
 * copied, since another thread may have replaced them. Arrays for a new tensor are traversed once: if a row is wrong,
 * the tensor is dropped. Large arrays are divided among several threads along the first axis.
 */
public final class StringFromNested {
    private StringFromNested() {
    }

    /**
     * The nesting depth of an object.
     *
     * @param nested any object
     * @return 0 for a {@code String}; -1 if it is neither that nor nested arrays of {@code String}
     */
    public static int rank(Object nested) {
        return Nested.rank(nested, String.class, String.class);
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
                shape[d] = ((String[]) first).length;
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
            StringNestedWalk.check(nested, shape);
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
    public static void fill(StringTensorData to, Object nested) {
        if (to.rank() == 0) {
            String value = (String) nested;
            to.put(value);
            return;
        }
        long[] shape = to.shape();
        Nested.checkRows(shape);
        String[] all = new String[Nested.length(to.totalSize())];         // they are checked whole before the first is written
        new StringNestedWalk(all, shape).run(nested);
        to.copyFrom(all);
    }

    /**
     * Writes a sub-tensor.
     *
     * @param data any data
     * @param nested arrays, which should have the shape of the sub-tensor
     * @param indices one index for each leading axis
     * @throws IllegalStateException if it exceeds the capacity of sparse data under construction
     */
    public static void put(StringTensorData data, Object nested, int... indices) {
        Objects.requireNonNull(nested, "nested");
        Objects.requireNonNull(indices, "indices");
        OpenCheck.check(data);
        StringCopies.checkWritable(data);
        if (data instanceof StringRaggedBuilder) {
            ((StringRaggedBuilder) data).setNested(nested, indices.clone());
            return;
        }
        StringTensorData to = Objects.requireNonNull(data.slice(indices), "slice() gave null");
        long[] shape = to.shape();
        Nested.checkUniform(shape);
        if (rank(nested) != shape.length) {
            throw Nested.misfit(nested, String.class, String.class, shape);
        }
        StringNestedWalk.check(nested, shape);
        if (to instanceof StringData) {
            ((StringData) to).checkCapacity(to.totalSize());
        }
        fill(to, nested);
    }

    /**
     * A single boxed element.
     *
     * @throws IllegalArgumentException if the object is not a boxed element
     */
    static String single(Object nested) {
        if (rank(nested) != 0) {
            throw Nested.misfit(nested, String.class, String.class);
        }
        return (String) nested;
    }

    /**
     * The elements of nested arrays in row-major order.
     *
     * @param nested any object
     * @param shape the expected shape; the first size may be -1 for any
     * @throws IllegalArgumentException if the shape differs
     */
    static String[] flat(Object nested, long... shape) {
        if (rank(nested) != shape.length) {
            throw Nested.misfit(nested, String.class, String.class, shape);
        }
        long[] own = shape.clone();
        own[0] = own[0] < 0 ? Array.getLength(nested) : own[0];
        StringNestedWalk.check(nested, own);
        if (own.length == 1) {
            return (String[]) nested;
        }
        String[] all = new String[Nested.length(Shapes.product(own))];
        new StringNestedWalk(all, own).run(nested);
        return all;
    }
}
