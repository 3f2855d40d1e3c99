package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.internal.element.StringArray;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.Shapes;
import java.util.Arrays;
import java.util.Objects;

/** Makes {@code String} data over a user's arrays and buffers. */
public final class StringWrapping {
    private StringWrapping() {
    }

    /**
     * Data over an array.
     *
     * @param values the elements
     * @param shape the sizes
     * @return the data
     * @throws IllegalArgumentException if the array's length is not the number of elements of the shape, or a size is negative
     */
    public static StringTensorData of(String[] values, long... shape) {
        Objects.requireNonNull(values, "values");
        return over(values, 0, check(values.length, "the array has ", "", shape));
    }

    /**
     * Data of rank 1 over an array.
     *
     * @param values the elements
     * @return the data
     */
    public static StringTensorData of(String[] values) {
        return of(values, Objects.requireNonNull(values, "values").length);
    }

    private static long[] check(int given, String what, String unlessScalar, long... shape) {
        long[] own = Shapes.check(shape, StringElement.BYTES);
        if (Shapes.product(own) != given) {
            throw new IllegalArgumentException("the shape " + Arrays.toString(own) + " has " + Shapes.elements(Shapes.product(own)) + ", " + what
                + given + (own.length == 0 ? unlessScalar : ""));
        }
        return own;
    }

    private static StringTensorData over(String[] values, int from, long... shape) {
        StringArray array = new StringArray(values, from, shape);
        return StringView.of(array, shape);
    }
}
