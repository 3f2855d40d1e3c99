package io.tensornio;

import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.ReadOnlyTensorException;

/**
 * What user-defined data of each element type has in common: all that depends on its shape alone, or is done by a view of its elements.
 *
 * @param <D> the class of the data, and of its views
 */
abstract class AbstractTensorData<D extends TensorData<D>> implements TensorData<D> {
    final long[] shape;
    /** Whether {@code putAt} is overridden; null until first needed. */
    private Boolean writable;

    /** Data of a shape that the caller may keep, and may not change. */
    AbstractTensorData(long... shape) {
        this.shape = shape;
    }

    /** All elements, as the library's own data. */
    abstract D whole();

    /** This. */
    abstract D self();

    /** Whether the class of this overrides {@code putAt}, which is looked up. */
    abstract boolean findPutAt();

    private boolean hasPutAt() {
        Boolean known = writable;           // read once: several threads may initialise it
        if (known == null) {
            known = findPutAt();
            writable = known;
        }
        return known;
    }

    /**
     * Whether this data cannot be written: by default, whether {@code putAt} is not overridden, which is found by looking for a method of that name.
     * Override this method for data that can be written only at times, and where methods are renamed after compilation (ProGuard, R8) or reflection
     * is not available (native images).
     *
     * @return true if this data cannot be written
     */
    @Override
    public boolean isReadOnly() {
        return !hasPutAt();
    }

    /** The elements by linear index; each type adds how one is read and written. */
    abstract class Elements implements Source {
        @Override
        public final boolean isReadOnly() {
            return AbstractTensorData.this.isReadOnly();
        }

        @Override
        public final void checkOpen() {
            // Only the subclass could have something to close.
        }

        @Override
        public final OpenCheck[] checks() {
            return new OpenCheck[0];
        }

        @Override
        public final void checkWritable() {
            if (isReadOnly()) {
                throw new ReadOnlyTensorException(dataType(), shape, hasPutAt() ? "is read-only, as its isReadOnly() says" : "has no putAt");
            }
        }

        @Override
        public final Object memory() {
            return null;
        }

        @Override
        public final boolean mayShare(Object memory) {
            return true;
        }
    }

    @Override
    public final int rank() {
        return shape.length;
    }

    @Override
    public final long size(int axis) {
        return Shapes.size(shape, axis);
    }

    @Override
    public final long totalSize() {
        return Shapes.product(shape);
    }

    @Override
    public final long[] shape() {
        return shape.clone();
    }

    @Override
    public D slice() {
        return self();
    }

    @Override
    public D slice(int i) {
        return whole().slice(i);
    }

    @Override
    public D slice(int i, int j) {
        return whole().slice(i, j);
    }

    @Override
    public D slice(int i, int j, int k) {
        return whole().slice(i, j, k);
    }

    @Override
    public D slice(int i, int j, int k, int l) {
        return whole().slice(i, j, k, l);
    }

    @Override
    public D slice(int... indices) {
        return whole().slice(indices);
    }

    @Override
    public D slice(TensorIndex... indices) {
        return whole().slice(indices);
    }

    @Override
    public D transpose() {
        return whole().transpose();
    }

    @Override
    public D permute(int... axes) {
        return whole().permute(axes);
    }

    @Override
    public D broadcastTo(long... sizes) {
        return whole().broadcastTo(sizes);
    }

    @Override
    public D reshape(long... sizes) {
        return whole().reshape(sizes);
    }

    @Override
    public D flatten() {
        return whole().flatten();
    }

    @Override
    public D flatten(int first, int last) {
        return whole().flatten(first, last);
    }

    @Override
    public D unflatten(int axis, long... sizes) {
        return whole().unflatten(axis, sizes);
    }

    @Override
    public D expandDims(int axis) {
        return whole().expandDims(axis);
    }

    @Override
    public D squeeze(int... axes) {
        return whole().squeeze(axes);
    }

    @Override
    public D diagonal(int axis1, int axis2) {
        return whole().diagonal(axis1, axis2);
    }

    @Override
    public D flip(int... axes) {
        return whole().flip(axes);
    }

    @Override
    public D slidingWindow(int axis, long size, long step) {
        return whole().slidingWindow(axis, size, step);
    }

    @Override
    public boolean isContiguous() {
        return whole().isContiguous();
    }

    @Override
    public boolean sharesMemoryWith(TensorData<?> other) {
        return whole().sharesMemoryWith(other);
    }

    @Override
    public TensorDescription description() {
        return whole().description();
    }

    @Override
    public boolean equals(Object other) {
        return this == other || whole().equals(other);
    }

    @Override
    public int hashCode() {
        return whole().hashCode();
    }

    @Override
    public String toString() {
        return whole().toString();
    }
}
