package io.tensornio;

import io.tensornio.internal.data.StringView;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Overrides;
import io.tensornio.internal.memory.ReadOnlyTensorException;

/**
 * User-defined {@code String} data: a shape, and a method that returns each element. Everything else is provided. It is accepted wherever data is.
 *
 * <pre>{@code
 * StringTensorData names = new AbstractStringTensorData(3, 3) {
 *     protected String getAt(long[] indices) {
 *         return "cell " + indices[0] + "," + indices[1];
 *     }
 * };
 * Tensor<String> tensor = Tensors.create(names);
 * }</pre>
 *
 * <p>Data whose {@link #putAt} is overridden can be written. Both methods are called only with indices in bounds. Exceptions propagate.
 * If several threads use the data, both methods may be called concurrently.
 *
 * <p>As in {@link java.util.AbstractList}, other methods may be overridden for speed. An override must behave as the method it replaces: slices,
 * iterators and streams do not call it.
 */
public abstract class AbstractStringTensorData extends AbstractTensorData<StringTensorData> implements StringTensorData {
    private final StringView whole;

    /**
     * Makes data of a fixed shape. It needs no memory, so it may have as many elements as a {@code long} can count.
     *
     * @param shape the size of each axis; none for a scalar
     * @throws IllegalArgumentException if a size is negative, or the product of the non-zero sizes is more than a {@code long} can hold
     */
    protected AbstractStringTensorData(long... shape) {
        super(Shapes.checkSparse(shape));
        whole = StringView.of(new StringElements(), this.shape);
    }

    /**
     * Returns an element.
     *
     * @param indices one for each axis, in bounds; a new array, which may be kept
     * @return the element's value, which must not be null: reading a null is a {@link NullPointerException}
     */
    protected abstract String getAt(long[] indices);

    /**
     * Changes an element. Unless this method is overridden, the data is read-only.
     *
     * @param value the new value
     * @param indices one for each axis, in bounds; a new array, which may be kept
     * @throws java.nio.ReadOnlyBufferException if the data cannot be written
     */
    protected void putAt(String value, long[] indices) {
        throw new ReadOnlyTensorException(DataType.STRING, shape, "has no putAt");
    }

    @Override
    final StringTensorData whole() {
        return whole;
    }

    @Override
    final StringTensorData self() {
        return this;
    }

    final class StringElements extends Elements implements StringSource {
        StringElements() {
        }

        @Override
        public String read(long at) {
            return StringElement.present(getAt(Shapes.coordinates(shape, at)), "getAt gave", this, at);
        }
        @Override
        public void write(String value, long at) {
            checkWritable();
            check(value, at);
            putAt(value, Shapes.coordinates(shape, at));
        }
        @Override
        public String where(long at) {
            return StringElement.where(shape, at);
        }
    }

    @Override
    final boolean findPutAt() {
        return Overrides.overrides(getClass(), AbstractStringTensorData.class, "putAt", String.class, long[].class);
    }

    @Override
    public final DataType dataType() {
        return DataType.STRING;
    }

    @Override
    public byte[] getBytes(int... indices) {
        return whole.getBytes(indices);
    }

    @Override
    public void putBytes(byte[] bytes, int... indices) {
        whole.putBytes(bytes, indices);
    }

    // ---- By way of a view of the elements ------------------------------------------------------------------------------

    @Override
    public String get() {
        return whole.get();
    }

    @Override
    public String get(int i) {
        return whole.get(i);
    }

    @Override
    public String get(int i, int j) {
        return whole.get(i, j);
    }

    @Override
    public String get(int i, int j, int k) {
        return whole.get(i, j, k);
    }

    @Override
    public String get(int i, int j, int k, int l) {
        return whole.get(i, j, k, l);
    }

    @Override
    public String get(int... indices) {
        return whole.get(indices);
    }

    @Override
    public void put(String value) {
        whole.put(value);
    }

    @Override
    public void put(String value, int i) {
        whole.put(value, i);
    }

    @Override
    public void put(String value, int i, int j) {
        whole.put(value, i, j);
    }

    @Override
    public void put(String value, int i, int j, int k) {
        whole.put(value, i, j, k);
    }

    @Override
    public void put(String value, int i, int j, int k, int l) {
        whole.put(value, i, j, k, l);
    }

    @Override
    public void put(String value, int... indices) {
        whole.put(value, indices);
    }

    @Override
    public void get(String[] array, int... indices) {
        whole.get(array, indices);
    }

    @Override
    public void put(String[] array, int... indices) {
        whole.put(array, indices);
    }

    @Override
    public void get(StringTensorData tensor, int... indices) {
        whole.get(tensor, indices);
    }

    @Override
    public void put(StringTensorData tensor, int... indices) {
        whole.put(tensor, indices);
    }

    @Override
    public StringTensorIterator scalars() {
        return whole.scalars();
    }

    @Override
    public StringTensorElements elements() {
        return whole.elements();
    }
}
