package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.FloatFlow;
import io.tensornio.support.FloatOwn;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if buffer
import io.tensornio.support.FloatBuffers;
import java.nio.FloatBuffer;
//#end

/** {@code float} data of many more axes than a stack can recurse over, nearly all of them of size 1. */
@ExtendWith(MemoryBalance.class)
class FloatDeepTest {
    private static final int RANK = 10_000;
    private static final int MIDDLE = 6000;
    /** More than a chunk of a copy to a buffer. */
    private static final int LONG = 24_000;

    private static long[] shape(int last) {
        long[] shape = new long[RANK];
        Arrays.fill(shape, 1);
        shape[3000] = 2;
        shape[MIDDLE] = 3;
        shape[RANK - 1] = last;
        return shape;
    }

    private static TensorIndex[] inTheMiddle(TensorIndex index) {
        TensorIndex[] indices = new TensorIndex[MIDDLE + 1];
        Arrays.fill(indices, TensorIndex.all());
        indices[MIDDLE] = index;
        return indices;
    }

    /** Runs a check on views of filled data of every kind; they have {@code 6 * last} elements. */
    private static void onEach(int last, BiConsumer<String, FloatTensorData> check) {
        Map<String, FloatTensorData> all = new LinkedHashMap<>();
        all.put("array", FloatTensorData.of(FloatValues.zeros(6 * last), shape(last)));
        if (last < 100) {
            all.put("own", FloatOwn.of(shape(last)));
        }
        //#if buffer
        for (String kind : new String[] {"direct", "direct, swapped"}) {
            all.put(kind, FloatTensorData.of(FloatBuffers.of(kind, 6 * last), shape(last)));
        }
        //#end
        Tensors.denseFloat(shape(last), memory -> {
            all.put("native", memory);
            all.forEach((kind, data) -> {
                FloatValues.fill(data);
                check.accept(kind, data);
                FloatValues.fill(data);
                check.accept(kind + ", backwards", data.slice(inTheMiddle(flip())));
                FloatValues.fill(data);
                check.accept(kind + ", by list", data.slice(inTheMiddle(incl(1, 0, 2))));
            });
        }).close();
    }

    /** Runs it on short data and on such as is copied in chunks. */
    private static void onAll(BiConsumer<String, FloatTensorData> check) {
        onEach(20, check);
        onEach(LONG / 6 + 1, check);
    }

    private static int size(FloatTensorData data) {
        return (int) data.totalSize();
    }

    @Test
    void arrays() {
        onAll((kind, data) -> {
            float[] array = FloatValues.zeros(size(data));
            data.copyTo(array);
            assertArrayEquals(FloatValues.all(data), array, kind);
            for (int n : new int[] {array.length, array.length - 1, 1}) {
                float[] values = FloatValues.array(n, n);
                System.arraycopy(values, 0, array, 0, n);
                data.copyFrom(values);
                assertArrayEquals(array, FloatValues.all(data), kind);
            }
        });
    }

    //#if buffer
    @Test
    void buffers() {
        onAll((kind, data) -> {
            for (String bufferKind : new String[] {"heap", "direct"}) {
                float[] before = FloatValues.all(data);
                FloatBuffer buffer = FloatBuffers.of(bufferKind, before.length);
                data.get(buffer);
                assertArrayEquals(FloatBuffers.withMargins(before), FloatBuffers.content(buffer), kind);
                for (int n : new int[] {before.length, before.length - 1}) {
                    FloatBuffer values = FloatBuffers.filled(n, n).get(bufferKind);
                    System.arraycopy(FloatValues.array(n, n), 0, before, 0, n);
                    data.put(values);
                    assertArrayEquals(before, FloatValues.all(data), kind);
                }
            }
        });
    }
    //#end

    @Test
    void otherData() {
        onAll((kind, data) -> {
            float[] values = FloatValues.array(9, size(data));
            FloatTensorData other = FloatTensorData.of(values, data.shape());
            FloatTensorData backwards = other.slice(inTheMiddle(flip()));
            data.put(backwards);
            assertArrayEquals(FloatValues.all(backwards), FloatValues.all(data), kind);
            assertTrue(data.equals(backwards) && backwards.equals(data) && !data.equals(other), kind);
            assertEquals(backwards.hashCode(), data.hashCode(), kind);
            data.get(other);
            assertArrayEquals(FloatValues.all(data), values, kind);
            data.put(data.slice(inTheMiddle(flip())));
            assertArrayEquals(FloatValues.all(backwards), FloatValues.all(data), kind);
            try (Tensor<Float> copy = Tensors.create(data)) {
                assertEquals(data, copy.floatData(), kind);
            }
        });
    }

    @Test
    void bytes() {
        onAll((kind, data) -> {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            data.writeTo(bytes);
            float[] values = FloatValues.all(data);
            data.copyFrom(FloatValues.zeros(values.length));
            data.readFrom(new ByteArrayInputStream(bytes.toByteArray()));
            assertArrayEquals(values, FloatValues.all(data), kind);
        });
    }

    @Test
    void bytesOfOneLongRow() {
        long[] shape = new long[4 * RANK];
        Arrays.fill(shape, 1);
        shape[shape.length - 1] = 70_000;               // more than a chunk of bytes
        FloatTensorData data = FloatTensorData.of(FloatValues.array(0, 70_000), shape);
        FloatTensorData copy = FloatTensorData.of(FloatValues.zeros(70_000), shape);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        data.writeTo(bytes);
        copy.readFrom(new ByteArrayInputStream(bytes.toByteArray()));
        assertEquals(data, copy);
    }

    @Test
    void streams() {
        onEach(20, (kind, data) -> {
            Object values = FloatFlow.objects(FloatValues.all(data));
            assertEquals(values, FloatFlow.of(data).collect(Collectors.toList()), kind);
            assertEquals(values, FloatFlow.of(data).parallel().collect(Collectors.toList()), kind);
            FloatFlow.put(data, FloatFlow.values(5, size(data)));
            assertArrayEquals(FloatValues.array(5, size(data)), FloatValues.all(data), kind);
        });
    }

    @Test
    void rowsAndText() {
        onEach(20, (kind, data) -> {
            int rows = 0;
            for (FloatTensorData row : data.elements()) {
                assertEquals(RANK - 1, row.rank());
                assertArrayEquals(FloatValues.all(data), FloatValues.all(row), kind);
                rows++;
            }
            assertEquals(1, rows);
            data.elements().put(FloatValues.array(7, size(data)));
            assertArrayEquals(FloatValues.array(7, size(data)), FloatValues.all(data), kind);
            assertTrue(data.toString().endsWith("[...]"), kind);
        });
    }
}
