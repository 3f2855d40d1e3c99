package io.tensornio.internal.data;

import static io.tensornio.TensorIndex.flip;
import static io.tensornio.internal.data.FloatBytes.BYTES;
import static io.tensornio.internal.data.FloatBytes.CHUNK;
import static io.tensornio.internal.data.FloatBytes.VIEWS;
import static io.tensornio.internal.data.FloatBytes.all;
import static io.tensornio.internal.data.FloatBytes.decoded;
import static io.tensornio.internal.data.FloatBytes.encoded;
import static io.tensornio.internal.data.FloatBytes.expected;
import static io.tensornio.internal.data.FloatBytes.io;
import static io.tensornio.internal.data.FloatBytes.model;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.internal.data.FloatBytes.Source;
import io.tensornio.internal.data.FloatBytes.Target;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.NaiveView;
import io.tensornio.support.Pick;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code float} data as bytes, in streams of them. */
@ExtendWith(MemoryBalance.class)
class FloatEncodingTest {
    @Test
    void readsWhatTheJdkWouldWrite() {
        try (Tensor<Float> tensor = FloatValues.tensor(4, 3, 5)) {
            for (Pick[] picks : VIEWS) {
                float[] expected = expected(NaiveView.of(4, 3, 5).slice(picks));
                FloatTensorData data = tensor.floatData().slice(Pick.indices(picks));
                for (boolean alias : new boolean[] {false, true}) {
                    Target target = new Target();
                    if (alias) {
                        data.writeTo(target);
                    } else {
                        data.read(target);
                    }
                    assertArrayEquals(encoded(expected), target.bytes.toByteArray(), Arrays.toString(picks));
                    assertArrayEquals(expected, decoded(target.bytes.toByteArray(), expected.length), Arrays.toString(picks));
                    assertFalse(target.flushed || target.closed);
                    assertEquals(expected.length == 0 ? 0 : 1, target.writes.size());
                }
            }
        }
    }

    @Test
    void writesWhatTheJdkWrote() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4, 3, 5}, whole -> {
            for (Pick[] picks : VIEWS) {
                NaiveView view = NaiveView.of(4, 3, 5).slice(picks);
                byte[] bytes = encoded(FloatValues.array(100, view.size() + 3));
                for (boolean alias : new boolean[] {false, true}) {
                    FloatValues.fill(whole);
                    Source source = new Source(bytes);
                    FloatTensorData data = whole.slice(Pick.indices(picks));
                    if (alias) {
                        data.readFrom(source);
                    } else {
                        data.write(source);
                    }
                    assertArrayEquals(model(view, view.size()), FloatValues.all(whole), Arrays.toString(picks));
                    io(() -> assertEquals(3 * BYTES, source.available(), "left for others"));
                    assertFalse(source.closed);
                    assertEquals(view.size() == 0 ? 0 : 1, source.requests.size());
                }
            }
        })) {
            assertEquals(60, tensor.numElements());
        }
    }

    @Test
    void sizesAroundAChunk() {
        int chunk = CHUNK / BYTES;
        for (long[] shape : new long[][] {{chunk - 1}, {chunk}, {chunk + 1}, {2 * chunk + 1}, {3, chunk - 1}, {2, 1, chunk + 1}, {1, chunk + 1, 1},
            {chunk, 3},
            {chunk + 5, 1, 3}, {7, 11, 13, 17, 3}}) {
            int n = Arrays.stream(shape).mapToInt(size -> (int) size).reduce(1, (a, b) -> a * b);
            float[] values = FloatValues.array(7, n);
            byte[] bytes = encoded(values);
            TensorIndex[] backwards = new TensorIndex[shape.length];
            Arrays.fill(backwards, flip());
            for (TensorIndex[] indices : new TensorIndex[][] {{}, backwards}) {
                try (Tensor<Float> tensor = Tensors.denseFloat(shape, data -> {
                    Source source = new Source(bytes);
                    data.slice(indices).write(source);
                    assertTrue(source.requests.stream().allMatch(asked -> asked > 0 && asked <= CHUNK), source.requests::toString);
                    assertTrue(source.requests.size() <= 2 + 3L * n * BYTES / CHUNK, source.requests::toString);
                })) {
                    FloatTensorData data = tensor.floatData().slice(indices);
                    assertArrayEquals(values, all(data), Arrays.toString(shape));
                    Target target = new Target();
                    data.read(target);
                    assertArrayEquals(bytes, target.bytes.toByteArray(), Arrays.toString(shape));
                    assertTrue(target.writes.stream().allMatch(size -> size > 0 && size <= CHUNK), target.writes::toString);
                    assertTrue(target.writes.size() <= 2 + 3L * n * BYTES / CHUNK, target.writes::toString);
                }
            }
        }
    }

    //#if float
    private static final float NAN = Float.intBitsToFloat(0x7fc12345);

    private static long bits(float value) {
        return Float.floatToRawIntBits(value);
    }
    //#end
    //~double private static final double NAN = Double.longBitsToDouble(0xfff8123456789abcL);

    //~double private static long bits(double value) {
    //~double     return Double.doubleToRawLongBits(value);
    //~double }

    //#if floating
    @Test
    void allBitsAreKept() {
        float[] values = {NAN, -0.0f, Float.MIN_VALUE, Float.NEGATIVE_INFINITY};
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {4}, data -> data.put(values))) {
            Target target = new Target();
            tensor.floatData().read(target);
            try (Tensor<Float> copy = Tensors.denseFloat(new long[] {4}, data -> data.write(new Source(target.bytes.toByteArray())))) {
                for (int i = 0; i < 4; i++) {
                    assertEquals(bits(values[i]), bits(copy.floatData().get(i)));
                }
            }
        }
    }
    //#end

    //~boolean @Test
    //~boolean void anyByteButZeroIsTrue() {
    //~boolean     try (Tensor<Boolean> tensor = Tensors.denseBoolean(new long[] {5},
    //~boolean         data -> data.write(new Source((byte) 2, (byte) 0, (byte) -1, (byte) 128, (byte) 1)))) {
    //~boolean         assertArrayEquals(new boolean[] {true, false, true, true, true}, FloatValues.all(tensor.booleanData()));
    //~boolean         Target target = new Target();
    //~boolean         tensor.booleanData().read(target);
    //~boolean         assertArrayEquals(new byte[] {1, 0, 1, 1, 1}, target.bytes.toByteArray());
    //~boolean     }
    //~boolean }
}
