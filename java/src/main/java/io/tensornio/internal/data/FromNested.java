package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.element.ArrayMemory;
import io.tensornio.internal.layout.ArrayLength;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import java.lang.reflect.Array;
import java.util.Objects;

/**
 * Copies nested arrays to data: {@code float[]}, {@code float[][]} and so on; at rank 0 an object such as {@code Float}. {@code FloatNestedWalk} and
 * its siblings go through the rows; {@link ToNested} is the other direction.
 *
 * <p>Arrays for existing data are traversed twice: all rows are checked before the first write, and again as each is
 * copied, since another thread may have replaced them. Arrays for a new tensor are traversed once: if a row is wrong,
 * the tensor is dropped. Large arrays are divided among several threads along the first axis.
 */
public final class FromNested {
    private FromNested() {
    }

    /**
     * The shape of nested arrays, from the first row on each axis. {@link #fill} checks the others. After a size of 0 all sizes are 0.
     *
     * @param nested an object that has a rank
     * @return the sizes of the first rows
     * @throws NullPointerException if a first row is null
     */
    static long[] shape(Carrier<?, ?> carrier, Object nested) {
        Objects.requireNonNull(nested, "nested");
        long[] shape = new long[carrier.rank(nested)];
        Object first = nested;
        for (int d = 0; d < shape.length; d++) {
            if (first == null) {
                throw Nested.isNull(d, new int[shape.length]);
            }
            if (d == shape.length - 1) {
                shape[d] = Array.getLength(first);
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
    static void check(Carrier<?, ?> carrier, Object nested, long... shape) {
        long n = 1;
        for (long size : shape) {
            n = Math.min(n * size, 1L << Integer.SIZE);
        }
        if (n <= Integer.MAX_VALUE) {
            carrier.checkRows(nested, shape);
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
    static <D extends TensorData<D>, A> void fill(Carrier<D, A> carrier, D to, Object nested) {
        if (to.rank() == 0) {
            carrier.putOne(to, nested);
            return;
        }
        long[] shape = to.shape();
        Nested.checkRows(shape);
        carrier.copyRows(nested, to, shape);
    }

    /**
     * Writes a sub-tensor.
     *
     * @param carrier that of the elements
     * @param data any data
     * @param nested arrays, which should have the shape of the sub-tensor
     * @param indices one index for each leading axis
     * @throws IllegalStateException if it exceeds the capacity of sparse data under construction
     */
    public static <D extends TensorData<D>, A> void put(Carrier<D, A> carrier, D data, Object nested, int... indices) {
        Objects.requireNonNull(nested, "nested");
        Objects.requireNonNull(indices, "indices");
        OpenCheck.check(data);
        Copies.checkWritable(carrier, data);
        GrowingPart<D, A> part = data instanceof OwnData ? OwnData.<D, A>own(data).growing() : null;
        if (part != null) {
            setNested(carrier, data, part, nested, indices.clone());
            return;
        }
        D to = Objects.requireNonNull(data.slice(indices), "slice() gave null");
        long[] shape = to.shape();
        Nested.checkUniform(shape);
        if (carrier.rank(nested) != shape.length) {
            throw carrier.misfit(nested, shape);
        }
        carrier.checkRows(nested, shape);
        if (to instanceof OwnData) {
            OwnData.<D, A>own(to).checkCapacity(to.totalSize());
        }
        boolean isGathered = shape.length > 1 && (carrier.of(data.dataType()).isRanged() || mayShare(carrier, to, shape[shape.length - 1]));
        if (isGathered && to.totalSize() <= ArrayLength.MOST) {
            carrier.put(to, flat(carrier, nested, shape));
            return;
        }
        fill(carrier, to, nested);
    }

    /**
     * Sets a row to nested arrays, or writes the sub-tensor at one position of it.
     *
     * @throws IllegalArgumentException if the indices select several rows, or the object is of another class
     */
    private static <D extends TensorData<D>, A> void setNested(Carrier<D, A> carrier, D data, GrowingPart<D, A> part, Object nested, int... own) {
        part.checkPut(own);
        long[] shape = part.sizes(own);
        if (shape.length > 0) {
            carrier.set(data, flat(carrier, nested, shape), part.isRow(own) ? Array.getLength(nested) : 0, own);
        } else if (carrier.rank(nested) == 0) {
            carrier.putOne(data, nested, own);
        } else {
            throw carrier.misfit(nested);
        }
    }

    /** Whether writing a row may change the {@code n} elements that are still to be read. */
    private static <D extends TensorData<D>, A> boolean mayShare(Carrier<D, A> carrier, D to, long n) {
        OwnData<D, A> own = to instanceof OwnData ? OwnData.own(to) : null;
        return own == null || (own.source() instanceof ArrayMemory ? carrier.length(own.array()) == n : own.source().mayShare(carrier.array(0)));
    }

    /**
     * The elements of nested arrays in row-major order.
     *
     * @param nested any object
     * @param shape the expected shape; the first size may be -1 for any
     * @throws IllegalArgumentException if the shape differs
     */
    static <D extends TensorData<D>, A> A flat(Carrier<D, A> carrier, Object nested, long... shape) {
        if (carrier.rank(nested) != shape.length) {
            throw carrier.misfit(nested, shape);
        }
        long[] own = shape.clone();
        own[0] = own[0] < 0 ? Array.getLength(nested) : own[0];
        carrier.checkRows(nested, own);
        if (own.length == 1) {
            return carrier.asArray(nested);
        }
        A all = carrier.array(Nested.length(Shapes.product(own)));
        carrier.copyRows(nested, all, own);
        return all;
    }
}
