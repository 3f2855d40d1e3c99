package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.ellipsis;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.FloatKinds;
import io.tensornio.support.FloatValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Copies of {@code float} data with gaps in memory of every kind, against elements that are read and written one by one: few elements, for which
 * loops are made, and so many that there is a native call or an array between.
 */
class FloatGapsTest {
    private static final long[][] SHAPES = {{5}, {3, 4}, {40, 1, 20}, {2, 700}, {3000, 3}, {300, 4}, {2, 3, 2, 2, 30}};

    /** The usual selections: crop, flipped, every second, one channel; all of them of the data's own rank. */
    private static List<FloatTensorData> selections(FloatTensorData data) {
        List<FloatTensorData> some = new ArrayList<>();
        long last = data.size(data.rank() - 1);
        some.add(data);
        some.add(data.slice(ellipsis(), range(0, Math.max(1, last - 1))));
        some.add(data.slice(ellipsis(), flip()));
        some.add(data.slice(step(2)));
        some.add(data.slice(ellipsis(), range(0, 1)));
        return some;
    }

    /** The elements, read one by one. */
    private static float[] each(FloatTensorData data) {
        float[] all = new float[(int) data.totalSize()];
        FloatTensorIterator scalars = data.scalars();
        for (int i = 0; i < all.length; i++) {
            all[i] = scalars.get();
        }
        return all;
    }

    private static void number(FloatTensorData data, int from) {
        FloatTensorIterator scalars = data.scalars();
        for (int i = from; scalars.hasMoreElements(); i++) {
            scalars.put(FloatValues.of(i));
        }
    }

    @Test
    void arraysAndDataOfEveryKindAreCopiedAsOneByOne() {
        for (long[] shape : SHAPES) {
            FloatKinds.each(shape, all -> all.forEach((name, data) -> {
                int which = 0;
                number(data, 1);
                for (FloatTensorData part : selections(data)) {
                    String where = name + ", selection " + which++ + " of " + Arrays.toString(shape);
                    float[] expected = each(part);
                    float[] read = new float[expected.length];
                    part.copyTo(read);
                    assertArrayEquals(expected, read, where);
                    assertArrayEquals(expected, FloatValues.all(FloatTensorData.of(read, part.shape())), where);
                    assertEquals(FloatTensorData.of(read, part.shape()), part, where);
                    try (Tensor<Float> copy = Tensors.create(part)) {
                        assertArrayEquals(expected, each(copy.floatData()), where);
                        assertEquals(copy.floatData(), part, where);
                    }
                }
            }));
        }
    }

    @Test
    void whatIsWrittenAtOnceIsWhatIsWrittenOneByOneAndNothingElse() {
        for (long[] shape : SHAPES) {
            FloatKinds.each(shape, all -> all.forEach((name, data) -> {
                int count = selections(data).size();
                for (int which = 0; which < count; which++) {
                    String where = name + ", selection " + which + " of " + Arrays.toString(shape);
                    FloatTensorData part = selections(data).get(which);
                    float[] values = new float[(int) part.totalSize()];
                    for (int i = 0; i < values.length; i++) {
                        values[i] = FloatValues.of(i + 7);
                    }
                    number(data, 1);
                    FloatTensorIterator scalars = part.scalars();
                    for (float value : values) {
                        scalars.put(value);
                    }
                    float[] expected = each(data);

                    number(data, 1);
                    part.copyFrom(values);
                    assertArrayEquals(expected, each(data), where);

                    number(data, 1);
                    part.put(FloatTensorData.of(values, part.shape()));
                    assertArrayEquals(expected, each(data), where);

                    // Some of them alone.
                    number(data, 1);
                    float[] first = Arrays.copyOf(values, values.length * 2 / 3);
                    float[] some = each(part);
                    System.arraycopy(first, 0, some, 0, first.length);
                    part.copyFrom(first);
                    assertArrayEquals(some, each(part), where);
                }
            }));
        }
    }

    @Test
    void dataOfEveryKindIsCopiedToDataOfEveryOther() {
        for (long[] shape : SHAPES) {
            FloatKinds.each(shape, all -> {
                // Each copies other numbers, so that the target has none of them before.
                int start = 0;
                for (Map.Entry<String, FloatTensorData> from : all.entrySet()) {
                    number(from.getValue(), ++start);
                    float[] expected = each(from.getValue());
                    for (Map.Entry<String, FloatTensorData> to : all.entrySet()) {
                        if (from.getValue() != to.getValue()) {
                            number(from.getValue(), start);     // the last target may be in the same memory
                            to.getValue().put(from.getValue());
                            assertArrayEquals(expected, each(to.getValue()), () -> from.getKey() + " to " + to.getKey() + Arrays.toString(shape));
                        }
                    }
                }
            });
        }
    }

    @Test
    void nestedArraysOfDataOfEveryKindAreItsElements() {
        for (long[] shape : SHAPES) {
            FloatKinds.each(shape, all -> all.forEach((name, data) -> {
                number(data, 1);
                float[] expected = each(data);
                Object nested = data.toNested();
                number(data, 9);
                data.putNested(nested);
                assertArrayEquals(expected, each(data), name + Arrays.toString(shape));
            }));
        }
    }
}
