package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.internal.element.ArrayMemory;
import io.tensornio.internal.element.EncodedSource;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.Shapes;
import java.util.Arrays;
import java.util.Objects;

/** Strings in arrays of bytes of the user's. */
public final class StringByteArrays extends ArrayMemory implements EncodedSource {
    private final byte[][] values;

    private StringByteArrays(byte[][] values, long[] shape) {
        super(values, 0, shape);
        this.values = values;
    }

    /**
     * A vector over arrays of bytes.
     *
     * @param values the bytes of each element
     * @return the data
     */
    public static StringTensorData of(byte[][] values) {
        return of(values, Objects.requireNonNull(values, "values").length);
    }

    /**
     * Data over arrays of bytes.
     *
     * @param values the bytes of each element
     * @param shape the sizes
     * @return the data
     * @throws IllegalArgumentException if there are not as many values as the shape has elements, or a size is negative
     */
    public static StringTensorData of(byte[][] values, long... shape) {
        Objects.requireNonNull(values, "values");
        long[] own = Shapes.check(shape, StringElement.BYTES);
        if (Shapes.product(own) != values.length) {
            throw new IllegalArgumentException("the shape " + Arrays.toString(own) + " has " + Shapes.elements(Shapes.product(own))
                + ", the array has " + values.length);
        }
        return StringView.of(new StringByteArrays(values, own), own);
    }

    @Override
    public String where(long at) {
        return StringElement.where(shape, at);
    }

    @Override
    public byte[] readBytes(long at) {
        return StringElement.present(values[(int) at], "the array has", this, at).clone();
    }

    @Override
    public void writeBytes(byte[] bytes, long at) {
        values[(int) at] = bytes.clone();
    }

    @Override
    public void checkBytes(byte[] bytes, long at) {
        // An array can hold any bytes.
    }

    @Override
    public void write(String value, long at) {
        values[(int) at] = StringElement.encode(value, this, at);
    }
}
