package io.tensornio.axes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.Axis;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.internal.axes.AxisLists;
import java.util.Arrays;

/** Axes and tensors for tests, and what is said of results. */
final class NamedGiven {
    static final Axis C = Axis.of("C", 3);
    static final Axis D = Axis.of("D", 2);
    static final Axis H = Axis.of("H", 2);
    static final Axis N = Axis.of("N", 2);
    static final Axis W = Axis.of("W", 4);

    private NamedGiven() {
    }

    static NamedTensor floats(Object nested, Axis... axes) {
        float[] flat = flatten(nested);
        long[] shape = new long[axes.length];
        for (int n = 0; n < shape.length; n++) {
            shape[n] = axes[n].length();
        }
        return NamedTensor.of(FloatTensorData.of(flat, shape), axes);
    }

    private static float[] flatten(Object nested) {
        if (nested instanceof float[]) {
            return (float[]) nested;
        }
        float[] flat = {};
        for (Object part : (Object[]) nested) {
            float[] more = flatten(part);
            int from = flat.length;
            flat = Arrays.copyOf(flat, from + more.length);
            System.arraycopy(more, 0, flat, from, more.length);
        }
        return flat;
    }

    static NamedTensor counted(Axis... axes) {
        int size = 1;
        for (Axis axis : axes) {
            size *= (int) axis.length();
        }
        float[] values = new float[size];
        for (int n = 0; n < size; n++) {
            values[n] = n;
        }
        return floats(values, axes);
    }

    static void assertIs(NamedTensor actual, String axes, float... values) {
        assertEquals(axes, AxisLists.text(actual.axes().toArray(new Axis[0])));
        try (Tensor<Float> tensor = actual.floatTensor()) {
            float[] elements = new float[(int) tensor.numElements()];
            tensor.floatData().reshape(-1).get(elements);
            assertArrayEquals(values, elements);
        }
    }
}
