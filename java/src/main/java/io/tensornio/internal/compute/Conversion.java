package io.tensornio.internal.compute;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.data.AnyData;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;

/** Conversions of dense data to another type of elements: a comprehension of one statement each, which reads the data at any strides in one pass. */
public final class Conversion {
    private Conversion() {
    }

    /**
     * A tensor of converted elements.
     *
     * @param data dense data
     * @param type the type
     * @return a tensor, which the caller closes
     * @throws IllegalArgumentException if either type is STRING, or the data is ragged
     */
    public static Tensor<?> of(TensorData<?> data, DataType type) {
        return program(data, type, false).run(data)[0];
    }

    /**
     * A tensor of elements that are multiplied, added to, and converted.
     *
     * @param data dense data
     * @param type the type
     * @param scale what elements are multiplied by
     * @param offset what is then added
     * @return a tensor, which the caller closes
     * @throws IllegalArgumentException if either type is STRING, or the data is ragged
     */
    public static Tensor<?> of(TensorData<?> data, DataType type, double scale, double offset) {
        return program(data, type, true).run(data, scale, offset)[0];
    }

    /**
     * Writes converted elements to other data, which may overlap.
     *
     * @param data dense data
     * @param target data of the same shape
     * @throws IllegalArgumentException if either type is STRING, the data is ragged, or shapes differ
     * @throws ReadOnlyBufferException if the target cannot be written
     */
    public static void into(TensorData<?> data, TensorData<?> target) {
        into(target, program(data, check(data, target).dataType(), false), data);
    }

    /**
     * The same for elements that are multiplied, and added to.
     *
     * @param data dense data
     * @param target data of the same shape
     * @param scale what elements are multiplied by
     * @param offset what is then added
     * @throws IllegalArgumentException if either type is STRING, the data is ragged, or shapes differ
     * @throws ReadOnlyBufferException if the target cannot be written
     */
    public static void into(TensorData<?> data, TensorData<?> target, double scale, double offset) {
        into(target, program(data, check(data, target).dataType(), true), data, scale, offset);
    }

    private static void into(TensorData<?> target, Program program, Object... inputs) {
        program.runInto(inputs, Collections.singletonList(target));
    }

    private static TensorData<?> check(TensorData<?> data, TensorData<?> target) {
        AnyData.checkWritable(Objects.requireNonNull(target, "target"));
        if (!Arrays.equals(data.shape(), target.shape())) {
            throw new IllegalArgumentException("data of shape " + Arrays.toString(data.shape()) + " converted to data of shape "
                + Arrays.toString(target.shape()));
        }
        return target;
    }

    private static Program program(TensorData<?> data, DataType type, boolean scaled) {
        DataType from = Objects.requireNonNull(data, "data").dataType();
        Objects.requireNonNull(type, "type");
        if (from == DataType.STRING || type == DataType.STRING) {
            throw new IllegalArgumentException(from + " is not converted to " + type + ": strings are not numbers");
        }
        StringBuilder loops = new StringBuilder();
        for (int d = 0; d < data.rank(); d++) {
            loops.append(d == 0 ? "" : ",").append('i').append(d);
        }
        String element = "x[" + loops + "]";
        return ProgramCache.ofText("y[" + loops + "] = " + (scaled ? scaled(from, type, element) : plain(from, type, element)));
    }

    private static String plain(DataType from, DataType type, String element) {
        if (from == type) {
            return element;
        }
        // Of UINT64 other integers have the lowest bits, like its own bits as INT64.
        boolean byBits = from == DataType.UINT64 && !type.isFloat() && type != DataType.INT64;
        return Cast.word(type) + "(" + (byBits ? "long(" + element + ")" : element) + ")";
    }

    private static String scaled(DataType from, DataType type, String element) {
        String wide = isShort(from) && isShort(type) ? "float" : "double";
        String value = wide + "(" + element + ") * s + o";
        if (type.isFloat()) {
            return Cast.word(type) + "(" + value + ")";
        }
        return Cast.word(type) + "(" + (type == DataType.BOOL ? value : "round(" + value + ")") + ")";
    }

    /** Whether it is computed with as FLOAT: a floating-point number of at most 32 bits, or an integer of at most 16. */
    private static boolean isShort(DataType type) {
        return type.isFloat() ? type != DataType.DOUBLE : type.isInteger() && type.byteSize() <= 2;
    }
}
