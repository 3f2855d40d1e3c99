package io.tensornio;

//#if float int long
import io.tensornio.internal.data.FloatCarrier;
//#end
import io.tensornio.internal.data.FloatView;
//#if float int long
import io.tensornio.internal.element.Encodings;
//#end
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Overrides;
import io.tensornio.internal.memory.ReadOnlyTensorException;
//#if buffer
import java.nio.FloatBuffer;
//#end
//~int,long import java.util.Arrays;

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
public abstract class AbstractFloatTensorData extends AbstractTensorData<FloatTensorData> implements FloatTensorData {
    private final FloatView whole;
    //#if float int long
    private final DataType type;
    //#end

    /**
     * Makes data of a fixed shape. It needs no memory, so it may have as many elements as a {@code long} can count.
     *
     * @param shape the size of each axis; none for a scalar
     * @throws IllegalArgumentException if a size is negative, or the product of the non-zero sizes is more than a {@code long} can hold
     */
    protected AbstractFloatTensorData(long... shape) {
        //#if float int long
        this(DataType.FLOAT, shape);
    }

    /**
     * Makes data of a fixed shape, and of any type that is read and written as {@code float}. What {@link #getAt} returns is as if it were stored: a
     * number is rounded before anybody sees it, and an integer that the type does not hold is an {@code IllegalStateException}.
     *
     * @param type the type of the elements
     * @param shape the size of each axis; none for a scalar
     * @throws IllegalArgumentException if the type is not read and written as {@code float}, a size is negative, or the product of the non-zero sizes
     *     is more than a {@code long} can hold
     */
    protected AbstractFloatTensorData(DataType type, long... shape) {
        //#end
        super(Shapes.checkSparse(shape));
        //#if float int long
        this.type = FloatCarrier.carrying(type).type();
        //#end
        whole = FloatView.of(new FloatElements(), this.shape);
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
        throw new ReadOnlyTensorException(dataType(), shape, "has no putAt");
    }

    @Override
    final FloatTensorData whole() {
        return whole;
    }

    @Override
    final FloatTensorData self() {
        return this;
    }

    /** Not private, as its constructor would be: that takes the compiler a class for each type. */
    final class FloatElements extends Elements implements FloatSource {
        FloatElements() {
        }

        //#if float int long
        @Override
        public DataType type() {
            return type;
        }

        //#end
        @Override
        public float read(long at) {
            //#if float
            return Encodings.rounded(type, getAt(Shapes.coordinates(shape, at)));
            //#end
            //~double,boolean,byte return getAt(Shapes.coordinates(shape, at));
            //~int,long float value = getAt(Shapes.coordinates(shape, at));
            //~int,long if (Encodings.isOutside(type, value)) {
            //~int,long     throw new IllegalStateException(AbstractFloatTensorData.this.getClass().getName() + ": getAt gave " + value + " at "
            //~int,long         + Arrays.toString(Shapes.coordinates(shape, at)) + ", which is no " + type);
            //~int,long }
            //~int,long return value;
        }

        @Override
        public void write(float value, long at) {
            checkWritable();
            //#if float int long
            putAt(Encodings.rounded(type, value), Shapes.coordinates(shape, at));
            //#end
            //~double,boolean,byte putAt(value, Shapes.coordinates(shape, at));
        }
    }

    @Override
    final boolean findPutAt() {
        return Overrides.overrides(getClass(), AbstractFloatTensorData.class, "putAt", float.class, long[].class);
    }

    @Override
    public final DataType dataType() {
        //#if float int long
        return type;
        //#end
        //~double,boolean,byte return DataType.FLOAT;
    }

    // ---- By way of a view of the elements ------------------------------------------------------------------------------

    @Override
    public float get() {
        return whole.get();
    }

    @Override
    public float get(int i) {
        return whole.get(i);
    }

    @Override
    public float get(int i, int j) {
        return whole.get(i, j);
    }

    @Override
    public float get(int i, int j, int k) {
        return whole.get(i, j, k);
    }

    @Override
    public float get(int i, int j, int k, int l) {
        return whole.get(i, j, k, l);
    }

    @Override
    public float get(int... indices) {
        return whole.get(indices);
    }

    @Override
    public void put(float value) {
        whole.put(value);
    }

    @Override
    public void put(float value, int i) {
        whole.put(value, i);
    }

    @Override
    public void put(float value, int i, int j) {
        whole.put(value, i, j);
    }

    @Override
    public void put(float value, int i, int j, int k) {
        whole.put(value, i, j, k);
    }

    @Override
    public void put(float value, int i, int j, int k, int l) {
        whole.put(value, i, j, k, l);
    }

    @Override
    public void put(float value, int... indices) {
        whole.put(value, indices);
    }

    @Override
    public void get(float[] array, int... indices) {
        whole.get(array, indices);
    }

    @Override
    public void put(float[] array, int... indices) {
        whole.put(array, indices);
    }

    //#if buffer
    @Override
    public void get(FloatBuffer buffer, int... indices) {
        whole.get(buffer, indices);
    }

    @Override
    public void put(FloatBuffer buffer, int... indices) {
        whole.put(buffer, indices);
    }
    //#end

    @Override
    public void get(FloatTensorData tensor, int... indices) {
        whole.get(tensor, indices);
    }

    @Override
    public void put(FloatTensorData tensor, int... indices) {
        whole.put(tensor, indices);
    }

    @Override
    public FloatTensorIterator scalars() {
        return whole.scalars();
    }

    @Override
    public FloatTensorElements elements() {
        return whole.elements();
    }
}
