package io.tensornio;

import io.tensornio.internal.data.FloatView;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Overrides;
import io.tensornio.internal.memory.ReadOnlyTensorException;

/**
 * User-defined {@code float} data: a shape, and a method that returns each element. Everything else is provided. It is accepted wherever data is.
 *
 * <pre>{@code
 * FloatTensorData identity = new AbstractFloatTensorData(3, 3) {
 *     protected float getAt(long[] indices) {
 //#if float double int long
 *         return indices[0] == indices[1] ? 1 : 0;
 //#end
 //~boolean *         return indices[0] == indices[1];
 //~byte *         return (byte) (indices[0] == indices[1] ? 1 : 0);
 *     }
 * };
 * Tensor<Float> tensor = Tensors.create(identity);
 * }</pre>
 *
 * <p>Data whose {@link #putAt} is overridden can be written. Both methods are called only with indices in bounds. Exceptions propagate.
 * If several threads use the data, both methods may be called concurrently.
 *
 * <p>As in {@link java.util.AbstractList}, other methods may be overridden for speed. An override must behave as the method it replaces: slices,
 * iterators and streams do not call it.
 */
public abstract class AbstractFloatTensorData extends FloatForwarding {
    private final FloatView whole;
    /** Whether {@link #putAt} is overridden; null until first needed. */
    private Boolean writable;

    /**
     * Makes data of a fixed shape. It needs no memory, so it may have as many elements as a {@code long} can count.
     *
     * @param shape the size of each axis; none for a scalar
     * @throws IllegalArgumentException if a size is negative, or the product of the non-zero sizes is more than a {@code long} can hold
     */
    protected AbstractFloatTensorData(long... shape) {
        super(Shapes.checkSparse(shape));
        whole = FloatView.of(new Elements(), this.shape);
    }

    /**
     * Returns an element.
     *
     * @param indices one for each axis, in bounds; a new array, which may be kept
     * @return the element's value
     */
    protected abstract float getAt(long[] indices);

    /**
     * Changes an element. Unless this method is overridden, the data is read-only.
     *
     * @param value the new value
     * @param indices one for each axis, in bounds; a new array, which may be kept
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     */
    protected void putAt(float value, long[] indices) {
        throw new ReadOnlyTensorException(DataType.FLOAT, shape, "has no putAt");
    }

    @Override
    final FloatTensorData whole() {
        return whole;
    }

    @Override
    final FloatTensorData self() {
        return this;
    }

    /** The elements by linear index. */
    private final class Elements implements FloatSource {
        @Override
        public float read(long at) {
            return getAt(Shapes.coordinates(shape, at));
        }

        @Override
        public void write(float value, long at) {
            checkWritable();
            putAt(value, Shapes.coordinates(shape, at));
        }

        @Override
        public boolean isReadOnly() {
            return AbstractFloatTensorData.this.isReadOnly();
        }

        @Override
        public void checkOpen() {
            // Only the subclass could have something to close.
        }

        @Override
        public OpenCheck[] checks() {
            return new OpenCheck[0];
        }

        @Override
        public void checkWritable() {
            if (isReadOnly()) {
                throw new ReadOnlyTensorException(DataType.FLOAT, shape, hasPutAt() ? "is read-only, as its isReadOnly() says" : "has no putAt");
            }
        }

        @Override
        public Object memory() {
            return null;
        }

        @Override
        public boolean mayShare(Object memory) {
            return true;
        }
    }

    /**
     * Whether this data cannot be written: by default, whether {@link #putAt} is not overridden, which is found by looking for a method of that name.
     * Override this method for data that can be written only at times, and where methods are renamed after compilation (ProGuard, R8) or reflection
     * is not available (native images).
     *
     * @return true if this data cannot be written
     */
    @Override
    public boolean isReadOnly() {
        return !hasPutAt();
    }

    private boolean hasPutAt() {
        Boolean known = writable;           // read once: several threads may initialise it
        if (known == null) {
            known = Overrides.overrides(getClass(), AbstractFloatTensorData.class, "putAt", float.class, long[].class);
            writable = known;
        }
        return known;
    }

    @Override
    public final DataType dataType() {
        return DataType.FLOAT;
    }
}
