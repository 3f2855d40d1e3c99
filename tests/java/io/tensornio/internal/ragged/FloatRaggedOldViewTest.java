package io.tensornio.internal.ragged;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.excl;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.tensornio.FloatTensorData;
import io.tensornio.SparseTensor;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatOwn;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if buffer
import io.tensornio.support.FloatBuffers;
import java.nio.FloatBuffer;
//#end

/** Bulk reads of ragged {@code float} data through views that are older than its rows: what they are read to gets all elements or none. */
@ExtendWith(MemoryBalance.class)
class FloatRaggedOldViewTest {
    private static float[] array(int from, int n) {
        return FloatValues.array(from, n);
    }

    private static int size(FloatTensorData data) {
        return (int) data.totalSize();
    }

    /** Views of one row of four positions. */
    private static Map<String, FloatTensorData> oneRow(FloatTensorData data) {
        Map<String, FloatTensorData> views = new LinkedHashMap<>();
        views.put("a part", data.slice(at(0), range(0, 4)));
        views.put("backwards", data.slice(at(0), flip()));
        views.put("by list", data.slice(at(0), incl(0, 1, 3, 2)));
        views.put("without one", data.slice(at(0), excl(1)));
        views.put("of all rows", data.slice(all()).slice(0));
        views.put("the same position of all rows", data.slice(flip()).slice(all(), at(3)));
        return views;
    }

    /** Views of several rows of four positions. */
    private static Map<String, FloatTensorData> allRows(FloatTensorData data) {
        Map<String, FloatTensorData> views = new LinkedHashMap<>();
        views.put("all rows", data.slice(all()));
        views.put("backwards", data.slice(flip()));
        views.put("each backwards", data.slice(all(), flip()));
        views.put("by list", data.slice(incl(1, 0)));
        return views;
    }

    /** Makes a row shorter than views of it, and checks that what is done with each of them throws. */
    private static void tooLate(Function<FloatTensorData, Map<String, FloatTensorData>> views, BiConsumer<String, FloatTensorData> read) {
        for (int unit = 1; unit <= 2; unit++) {
            int n = unit;
            Tensors.raggedFloat(unit == 1 ? new long[] {2, -1} : new long[] {2, -1, 2}, data -> {
                data.put(array(1, 4 * n), 0);
                data.put(array(9, 4 * n), 1);
                Map<String, FloatTensorData> all = views.apply(data);
                data.put(array(20, 2 * n), 0);
                all.forEach((name, view) -> Expect.thrown(IndexOutOfBoundsException.class, () -> read.accept(name, view), "the element [0, ",
                    n == 1 ? "2 elements now" : "2 positions now"));
            }).close();
        }
    }

    /** Reads, and checks that data is as it was, also if the read throws. */
    private static void unchanged(String name, FloatTensorData target, Runnable read) {
        float[] before = FloatValues.all(target);
        try {
            read.run();
        } finally {
            assertArrayEquals(before, FloatValues.all(target), name);
        }
    }

    @Test
    void arraysStayAsTheyWere() {
        BiConsumer<String, FloatTensorData> read = (name, view) -> {
            float[] array = array(40, size(view) + 3);
            unchanged(name, FloatTensorData.of(array), () -> view.get(array, new int[0]));
        };
        tooLate(FloatRaggedOldViewTest::oneRow, read);
        tooLate(FloatRaggedOldViewTest::allRows, read);
        tooLate(FloatRaggedOldViewTest::oneRow, (name, view) -> {
            float[] array = array(40, size(view));
            unchanged(name, FloatTensorData.of(array), () -> view.copyTo(array));
        });
    }

    //#if buffer
    @Test
    void buffersStayAsTheyWere() {
        for (String kind : FloatBuffers.KINDS) {
            BiConsumer<String, FloatTensorData> read = (name, view) -> {
                FloatBuffer buffer = FloatBuffers.of(kind, size(view));
                int position = buffer.position();
                float[] before = FloatBuffers.content(buffer.duplicate());
                try {
                    view.get(buffer);
                } finally {
                    assertEquals(position, buffer.position(), name);
                    assertArrayEquals(before, FloatBuffers.content(buffer), name);
                }
            };
            tooLate(FloatRaggedOldViewTest::oneRow, read);
            tooLate(FloatRaggedOldViewTest::allRows, read);
        }
    }
    //#end

    /** Copies old views of a row to data, in both directions of a call. */
    private static void toOther(Function<FloatTensorData, FloatTensorData> target) {
        tooLate(FloatRaggedOldViewTest::oneRow, (name, view) -> {
            FloatTensorData to = target.apply(view);
            unchanged(name, to, () -> view.get(to));
        });
        tooLate(FloatRaggedOldViewTest::oneRow, (name, view) -> {
            FloatTensorData to = target.apply(view);
            unchanged(name, to, () -> to.put(view));
        });
    }

    private static long[] twice(long... shape) {
        long[] twice = new long[shape.length + 1];
        System.arraycopy(shape, 0, twice, 1, shape.length);
        twice[0] = 2;
        return twice;
    }

    @Test
    void dataOverMemoryOfTheUserStaysAsItWas() {
        toOther(view -> FloatTensorData.of(array(40, size(view)), view.shape()));
        toOther(view -> FloatTensorData.of(array(40, size(view)), view.shape()).slice(flip()));
        toOther(view -> FloatOwn.of(view.shape()));
        //#if buffer
        toOther(view -> FloatTensorData.of(FloatBuffers.of("direct", size(view)), view.shape()));
        //#end
    }

    @Test
    void denseDataStaysAsItWas() {
        BiFunction<FloatTensorData, FloatTensorData, FloatTensorData> first = (dense, view) -> dense.slice(0).slice(range(0, view.size(0)));
        for (long[] shape : new long[][] {{2, 4}, {2, 4, 2}}) {
            Tensors.denseFloat(shape, dense -> {
                FloatValues.fill(dense);
                toOther(view -> dense.rank() == view.rank() + 1 ? first.apply(dense, view) : FloatOwn.of(view.shape()));
                toOther(view -> dense.rank() == view.rank() + 1 ? first.apply(dense, view).slice(flip()) : FloatOwn.of(view.shape()));
            }).close();
        }
    }

    @Test
    void sparseDataStillTakesOtherElements() {
        tooLate(FloatRaggedOldViewTest::oneRow, (name, view) -> {
            float[] values = array(60, size(view));
            IndexOutOfBoundsException[] thrown = {null};
            try (SparseTensor<Float> sparse = Tensors.sparseFloat(twice(view.shape()), values.length, data -> {
                thrown[0] = Expect.thrown(IndexOutOfBoundsException.class, () -> view.get(data.slice(0)));
                data.put(values, 1);
            })) {
                assertArrayEquals(values, FloatValues.all(sparse.floatData().slice(1)), name);
                assertArrayEquals(FloatValues.zeros(values.length), FloatValues.all(sparse.floatData().slice(0)), name);
            }
            throw thrown[0];
        });
    }

    @Test
    void otherRowsStayAsTheyWere() {
        tooLate(FloatRaggedOldViewTest::allRows, (name, view) -> {
            int n = size(view) / 2;
            Tensors.raggedFloat(view.shape(), other -> {
                other.put(array(40, n), 0);
                other.put(array(50, n), 1);
                unchanged(name, other, () -> Expect.thrown(IndexOutOfBoundsException.class, () -> view.get(other.slice(all()))));
                unchanged(name, other, () -> other.slice(flip()).put(view));
            }).close();
        });
    }

    @Test
    void rowsOfTheSameTensorStayAsTheyWere() {
        Tensors.raggedFloat(new long[] {2, -1}, data -> {
            data.put(array(1, 4), 0);
            data.put(array(9, 4), 1);
            Map<String, FloatTensorData> views = oneRow(data);
            FloatTensorData all = data.slice(all());
            FloatTensorData backwards = data.slice(flip());
            data.put(array(20, 2), 0);
            views.forEach((name, view) -> {
                FloatTensorData to = data.slice(at(1), range(0, view.size(0)));
                unchanged(name, to, () -> Expect.thrown(IndexOutOfBoundsException.class, () -> to.put(view), "2 elements now"));
            });
            unchanged("all", data, () -> Expect.thrown(IndexOutOfBoundsException.class, () -> all.put(backwards), "2 elements now"));
        }).close();
    }

    /** A debugger may ask for it. */
    @Test
    void oldViewsSayWhatTheyAre() {
        Tensors.raggedFloat(new long[] {2, -1}, data -> {
            data.put(array(1, 4), 0);
            data.put(array(9, 4), 1);
            Map<String, FloatTensorData> views = oneRow(data);
            views.putAll(allRows(data));
            data.put(array(20, 2), 0);
            views.forEach((name, view) -> assertEquals(view.dataType() + Arrays.toString(view.shape()) + " (a row has become shorter)",
                view.toString(), name));
            assertFalse(data.toString().contains("shorter"));
            assertFalse(data.slice(at(1), flip()).toString().contains("shorter"));
        }).close();
    }

    @Test
    void whatIsThereIsReadThroughOldViews() {
        Tensors.raggedFloat(new long[] {3, -1}, data -> {
            data.put(array(1, 4), 0);
            data.put(array(9, 4), 1);
            FloatTensorData row = data.slice(at(1), flip());
            FloatTensorData rows = data.slice(all());
            FloatTensorData first = data.slice(range(0, 2)).slice(all(), at(0));
            data.put(array(20, 6), 0);
            data.put(array(30, 5), 2);
            data.put(array(40, 40), 0);
            float[] four = FloatValues.zeros(4);
            row.get(four, new int[0]);
            assertArrayEquals(new float[] {FloatValues.of(12), FloatValues.of(11), FloatValues.of(10), FloatValues.of(9)}, four);
            float[] eight = FloatValues.zeros(8);
            rows.get(eight, new int[0]);
            assertArrayEquals(array(40, 4), Arrays.copyOf(eight, 4));
            assertArrayEquals(array(9, 4), Arrays.copyOfRange(eight, 4, 8));
            float[] two = FloatValues.zeros(2);
            first.get(two, new int[0]);
            assertArrayEquals(new float[] {FloatValues.of(40), FloatValues.of(9)}, two);
        }).close();
    }

    @Test
    void aLostElementIsToldWithThePositionsThatItsRowHas() {
        Tensors.raggedFloat(new long[] {1, -1, 2}, data -> {
            data.put(array(1, 4), 0);
            FloatTensorData second = data.slice(0, 1);
            data.put(array(5, 2), 0);
            Expect.thrown(IndexOutOfBoundsException.class, () -> second.put(FloatValues.of(7), 0),
                "the element [0, 1, 0] of the shape [1, -1, 2], whose row has 1 position now");
            data.put(new float[0], 0);
            Expect.thrown(IndexOutOfBoundsException.class, () -> second.get(0), "whose row has 0 positions now");
        }).close();
    }
}
