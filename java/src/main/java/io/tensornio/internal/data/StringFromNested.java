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
 * <p>Arrays for data that is in use are walked through twice: all rows are checked before anything is written, and again as each is copied, since
 * another thread may have replaced them. Arrays for a new tensor are walked through once: if a row is wrong, nobody has seen the tensor. Large arrays
 * are divided among several threads along the first axis.
 */
public final class StringFromNested {
    private StringFromNested() {
    }

    /**
     * How deep an object is nested.
     *
     * @param nested any object
     * @return 0 for a {@code String}; -1 if it is neither that nor nested arrays of {@code String}
     */
    public static int rank(Object nested) {
        return Nested.rank(nested, String.class, String.class);
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
            StringNestedWalk.check(nested, shape);
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
     * @param nested what should be of the shape of the sub-tensor
     * @param indices one index for each leading axis
     * @throws IllegalStateException if it exceeds the capacity of sparse data that is being filled
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
     * An element alone.
     *
     * @throws IllegalArgumentException if the object is none
     */
    static String single(Object nested) {
        if (rank(nested) != 0) {
            throw Nested.misfit(nested, String.class, String.class);
        }
        return (String) nested;
    }

    /**
     * What nested arrays have, in row-major order.
     *
     * @param nested any object
     * @param shape what its shape should be; the first size may be -1 for any
     * @throws IllegalArgumentException if it is another
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
