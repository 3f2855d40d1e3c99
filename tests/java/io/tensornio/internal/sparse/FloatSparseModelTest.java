package io.tensornio.internal.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.LongValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.NaiveView;
import io.tensornio.support.Pick;
import io.tensornio.support.Seeds;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
//~int,byte import java.util.stream.IntStream;
//~long import java.util.stream.LongStream;
//~boolean,string import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if floating
import java.util.stream.DoubleStream;
//#end

/** Random programs that fill and read a sparse {@code float} tensor, held against a map from positions to values. */
@ExtendWith(MemoryBalance.class)
class FloatSparseModelTest {
    /** For each type; with a depth of 17 they are 100,000. */
    private static final int PROGRAMS = 1000;

    @Test
    void programs() {
        Seeds.each(0, PROGRAMS, (random, done) -> new Program(random, done).run());
    }

    private static final class Program {
        private final Random random;
        private final StringBuilder done;
        private final NaiveView whole;
        private final int numValues;
        /** What was put, in row-major order. */
        private final Map<Integer, Float> stored = new TreeMap<>();
        private final List<FloatTensorData> kept = new ArrayList<>();
        private int made;

        Program(Random random, StringBuilder done) {
            this.random = random;
            this.done = done;
            int[] shape = new int[random.nextInt(5)];
            for (int d = 0; d < shape.length; d++) {
                shape[d] = random.nextInt(30) == 0 ? 0 : 1 + random.nextInt(shape.length > 2 ? 4 : random.nextBoolean() ? 6 : 40);
            }
            whole = NaiveView.of(shape);
            numValues = random.nextInt(4) == 0 ? whole.size() : random.nextInt(whole.size() + 1);
            done.append(", shape ").append(Arrays.toString(shape)).append(" for ").append(numValues);
        }

        private float expected(int position) {
            Float value = stored.get(position);
            return value == null ? FloatValues.ZERO : value;
        }

        private float[] expected(NaiveView view) {
            float[] expected = new float[view.size()];
            for (int i = 0; i < expected.length; i++) {
                expected[i] = expected(view.positions[i]);
            }
            return expected;
        }

        private SparseTensor<Float> make(Consumer<FloatTensorData> init) {
            //~string if (random.nextBoolean()) {
            //~string     return Tensors.sparseString(whole.longShape(), numValues, 20, ' ', init);
            //~string }
            return Tensors.sparseFloat(whole.longShape(), numValues, init);
        }

        void run() {
            boolean completes = random.nextInt(5) > 0;
            if (!completes) {
                IllegalStateException[] thrown = new IllegalStateException[1];
                try (SparseTensor<Float> tensor = make(this::fill)) {
                    assertEquals(numValues, stored.size());
                    check(tensor);
                } catch (IllegalStateException e) {
                    thrown[0] = e;
                }
                if (thrown[0] != null) {
                    assertTrue(stored.size() < numValues, "fewer values");
                    Expect.says(thrown[0], "FLOAT", Arrays.toString(whole.shape), "has " + stored.size(), "numValues is " + numValues);
                    for (FloatTensorData data : kept) {
                        Expect.thrown(TensorClosedException.class, data::slice, "FLOAT", Arrays.toString(whole.shape));
                        Expect.thrown(TensorClosedException.class, () -> data.put(FloatValues.zeros(0), new int[0]), "FLOAT");
                    }
                }
                return;
            }
            try (SparseTensor<Float> tensor = make(data -> {
                fill(data);
                complete(data);
            })) {
                check(tensor);
            }
            for (FloatTensorData data : kept) {
                Expect.thrown(TensorClosedException.class, data::scalars, "FLOAT", Arrays.toString(whole.shape));
            }
        }

        // ---- Writes ------------------------------------------------------------------------------------------------

        private void fill(FloatTensorData data) {
            kept.add(data);
            for (int steps = random.nextInt(whole.size() > 30 ? 40 : 12); steps > 0 && whole.size() > 0; steps--) {
                write(data);
                if (random.nextInt(6) == 0) {
                    done.append(" read");
                    int i = random.nextInt(whole.size());
                    assertEquals(expected(i), data.get(coordinates(i)), "read while it is filled");
                }
                if (random.nextInt(20) == 0) {
                    assertArrayEquals(expected(whole), FloatValues.all(data), "all while it is filled");
                    assertEquals(FloatTensorData.of(expected(whole), whole.longShape()), data);
                }
            }
        }

        /** Puts new elements until there are as many as there must be. */
        private void complete(FloatTensorData data) {
            for (int i : Pick.all(whole.size()).chosen) {
                if (stored.size() < numValues && !stored.containsKey(i)) {
                    put(data, i);
                }
            }
        }

        private float value() {
            return random.nextInt(6) == 0 ? FloatValues.ZERO : FloatValues.of(++made);
        }

        private int[] coordinates(int position) {
            return whole.indices().get(position);
        }

        private void put(FloatTensorData data, int position) {
            float value = value();
            FloatValues.put(data, value, coordinates(position));
            stored.put(position, value);
        }

        /** One put, or one of many elements through a slice. */
        private void write(FloatTensorData data) {
            Pick[] picks = Pick.random(random, whole.shape);
            NaiveView view = whole.slice(picks);
            FloatTensorData slice = data.slice(Pick.set(picks));
            if (random.nextInt(3) > 0 || view.size() == 0) {
                int position = random.nextInt(whole.size());
                done.append(" put ").append(position);
                if (stored.containsKey(position) || stored.size() < numValues) {
                    put(data, position);
                } else {
                    Expect.thrown(IllegalStateException.class, () -> data.put(value(), coordinates(position)), "FLOAT", Arrays.toString(whole.shape),
                        "numValues = " + numValues, Arrays.toString(coordinates(position)));
                }
                return;
            }
            int kind = random.nextInt(4);
            boolean some = kind == 0 || kind == 3;
            float[] values = new float[some ? random.nextInt(view.size() + 1) : view.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = value();
            }
            done.append(" bulk ").append(kind).append(" of ").append(values.length).append(" to ").append(Arrays.toString(picks));
            Map<Integer, Float> before = new TreeMap<>(stored);
            boolean fits = true;
            for (int i = 0; i < values.length && fits; i++) {
                fits = stored.containsKey(view.positions[i]) || stored.size() < numValues;
                if (fits) {
                    stored.put(view.positions[i], values[i]);
                }
            }
            if (fits) {
                put(slice, kind, values);
            } else {
                Expect.thrown(IllegalStateException.class, () -> put(slice, kind, values),
                    "FLOAT", Arrays.toString(whole.shape), "numValues = " + numValues);
                if (kind < 3) {             // a stream writes what fits
                    stored.clear();
                    stored.putAll(before);
                }
                assertArrayEquals(expected(whole), FloatValues.all(data), "after a put that has failed");
            }
        }

        private static void put(FloatTensorData slice, int kind, float... values) {
            switch (kind) {
                case 0:
                    slice.put(values, new int[0]);
                    break;
                case 1:
                    slice.put(FloatTensorData.of(values, slice.shape()));
                    break;
                case 2:
                    FloatTensorData.of(values, slice.shape()).get(slice);
                    break;
                default:
                    //#if float
                    DoubleStream.Builder stream = DoubleStream.builder();
                    //#end
                    //~double DoubleStream.Builder stream = DoubleStream.builder();
                    //~int,byte IntStream.Builder stream = IntStream.builder();
                    //~long LongStream.Builder stream = LongStream.builder();
                    //~boolean,string Stream.Builder<Float> stream = Stream.builder();
                    for (float value : values) {
                        //#if !byte
                        stream.add(value);
                        //#end
                        //~byte stream.add(value & 0xff);
                    }
                    slice.put(stream.build());
            }
        }

        // ---- Reads -------------------------------------------------------------------------------------------------

        private void check(SparseTensor<Float> tensor) {
            assertEquals(numValues, stored.size());
            assertArrayEquals(new long[] {numValues, whole.rank()}, tensor.indices().shape());
            int n = 0;
            float[] values = new float[numValues];
            long[] indices = new long[numValues * whole.rank()];
            for (Map.Entry<Integer, Float> entry : stored.entrySet()) {
                for (int d = 0; d < whole.rank(); d++) {
                    indices[n * whole.rank() + d] = coordinates(entry.getKey())[d];
                }
                values[n++] = entry.getValue();
            }
            assertArrayEquals(indices, LongValues.all(tensor.indices().longData()));
            assertArrayEquals(values, FloatValues.all(tensor.values().floatData()));
            kept.add(tensor.floatData());
            for (FloatTensorData data : kept) {
                check(data, whole);
                assertTrue(data.isReadOnly());
                Pick[] picks = Pick.random(random, whole.shape);
                done.append(" then ").append(Arrays.toString(picks));
                check(data.slice(Pick.set(picks)), whole.slice(picks));
            }
            if (whole.rank() == 2) {
                checkRows(tensor);
            }
            float[] all = expected(whole);
            FloatTensorData dense = FloatTensorData.of(all, whole.longShape());
            try (Tensor<Float> copy = tensor.toDense();
                 SparseTensor<Float> again = SparseTensor.fromDense(dense);
                 SparseTensor<Float> other = Tensors.sparseFloat(tensor.indices().longData(), tensor.values().floatData(), whole.longShape())) {
                assertArrayEquals(all, FloatValues.all(copy.floatData()));
                for (FloatTensorData equal : new FloatTensorData[] {dense, copy.floatData(), again.floatData(), other.floatData()}) {
                    assertEquals(equal, tensor.floatData());
                    assertEquals(tensor.floatData(), equal);
                    assertEquals(equal.hashCode(), tensor.floatData().hashCode());
                }
                assertTrue(Objects.deepEquals(copy.floatData().toNested(), tensor.floatData().toNested()), "nested arrays");
                assertArrayEquals(bytes(dense), bytes(tensor.floatData()));
                if (all.length > 0) {
                    int i = random.nextInt(all.length);
                    all[i] = FloatValues.OWN == all[i] ? FloatValues.FOREIGN : FloatValues.OWN;
                    try (SparseTensor<Float> unequal = SparseTensor.fromDense(dense)) {
                        assertNotEquals(tensor.floatData(), dense);
                        assertNotEquals(tensor.floatData(), unequal.floatData());
                        assertFalse(unequal.floatData().equals(again.floatData()));
                    }
                }
            }
        }

        private static byte[] bytes(FloatTensorData data) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            data.read(out);
            return out.toByteArray();
        }

        private void checkRows(SparseTensor<Float> tensor) {
            long[] starts = LongValues.all(tensor.rowPointers().longData());
            long[] columns = LongValues.all(tensor.columnIndices().longData());
            assertEquals(whole.shape[0] + 1, starts.length);
            int n = 0;
            for (int i = 0; i < whole.shape[0]; i++) {
                assertEquals(n, starts[i]);
                for (int j = 0; j < whole.shape[1]; j++) {
                    if (stored.containsKey(i * whole.shape[1] + j)) {
                        assertEquals(j, columns[n++]);
                    }
                }
            }
            assertEquals(n, starts[whole.shape[0]]);
        }

        private void check(FloatTensorData data, NaiveView view) {
            float[] expected = expected(view);
            assertArrayEquals(view.longShape(), data.shape());
            assertArrayEquals(expected, FloatValues.all(data), "scalars");
            float[] bulk = FloatValues.filled(expected.length + 2, FloatValues.OWN);
            data.copyTo(bulk);
            assertArrayEquals(expected, Arrays.copyOf(bulk, expected.length), "bulk");
            assertEquals(FloatValues.OWN, bulk[expected.length]);
            int n = 0;
            for (int[] at : view.indices()) {
                assertEquals(expected[n++], FloatValues.get(data, at));
            }
            //#if floating
            double[] streamed = data.stream().toArray();
            //#end
            //~int,byte int[] streamed = data.stream().toArray();
            //~long long[] streamed = data.stream().toArray();
            //~boolean,string Object[] streamed = data.stream().toArray();
            assertEquals(expected.length, streamed.length);
            for (int i = 0; i < expected.length; i++) {
                //#if !byte
                assertEquals(expected[i], streamed[i]);
                //#end
                //~byte assertEquals(expected[i] & 0xff, streamed[i]);
            }
            if (view.rank() > 0) {
                int i = 0;
                for (FloatTensorData element : data.elements()) {
                    assertArrayEquals(expected(view.sub(i++)), FloatValues.all(element), "element");
                }
                assertEquals(view.shape[0], i);
            }
            try (Tensor<Float> copy = Tensors.create(data)) {
                assertEquals(copy.floatData(), data);
                assertEquals(copy.floatData().hashCode(), data.hashCode());
                assertEquals(copy.floatData().toString(), data.toString());
            }
        }
    }
}
