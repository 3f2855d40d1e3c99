package io.tensornio.value;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.MemoryStats;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SequenceOpsTest {
    /** 0, 1, 2 ... of a shape. */
    static Tensor<Float> range(long... shape) {
        return Tensors.denseFloat(shape, data -> {
            float[] values = new float[(int) data.totalSize()];
            for (int i = 0; i < values.length; i++) {
                values[i] = i;
            }
            data.copyFrom(values);
        });
    }

    static void equals(Object nested, AnyTensor<?> tensor) {
        Tensor<?> expected = Tensors.ofNested(nested);
        assertEquals(Value.of(expected), Value.of(tensor));
        expected.close();
    }

    @Test
    void listsStayAsTheyAre() {
        Tensor<Float> x = ValueTest.floats(1);
        Tensor<Float> y = ValueTest.floats(2);
        Value list = SequenceOps.construct(x);
        SequenceOps.insert(list, y, 0);
        SequenceOps.erase(list);
        assertEquals(1, SequenceOps.length(list));
        assertSame(x, SequenceOps.at(list, 0));
        x.close();
        y.close();
    }

    @Test
    void anEmptiedListKeepsItsType() {
        Tensor<Float> x = ValueTest.floats(1);
        Tensor<Long> i = ValueTest.longs(1);
        Value emptied = SequenceOps.erase(Value.list(x));
        assertEquals(0, SequenceOps.length(emptied));
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.insert(emptied, i), "INT64", "FLOAT");
        assertSame(x, SequenceOps.at(SequenceOps.insert(emptied, x), 0));
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.insert(SequenceOps.empty(DataType.BOOL), i), "INT64", "BOOL");
        assertSame(i, SequenceOps.at(SequenceOps.insert(Value.list(), i, 0), -1));
        x.close();
        i.close();
    }

    @Test
    void wrongPositionsAreTold() {
        Tensor<Float> x = ValueTest.floats(1);
        Value list = Value.list(x, x);
        Expect.exactly(IndexOutOfBoundsException.class, () -> SequenceOps.insert(list, x, 3), "position 3", "2 items", "-2 to 2");
        Expect.exactly(IndexOutOfBoundsException.class, () -> SequenceOps.insert(list, x, -3), "position -3", "2 items");
        Expect.exactly(IndexOutOfBoundsException.class, () -> SequenceOps.erase(list, 2), "position 2", "-2 to 1");
        Expect.exactly(IndexOutOfBoundsException.class, () -> SequenceOps.at(list, -3), "position -3");
        Expect.exactly(IndexOutOfBoundsException.class, () -> SequenceOps.erase(Value.list()), "0 items");
        Expect.exactly(IllegalStateException.class, () -> SequenceOps.length(Value.of(x)), "TENSOR", "LIST");
        Expect.exactly(IllegalStateException.class, () -> SequenceOps.at(Value.list(list), 0), "LIST", "TENSOR");
        Expect.exactly(IllegalArgumentException.class, SequenceOps::construct, "empty(DataType)");
        x.close();
    }

    @Test
    void splitsOfEveryType() {
        List<Object> all = Arrays.asList(new float[] {1, 2, 3}, new double[] {1, 2, 3}, new int[] {1, 2, 3}, new long[] {1, 2, 3},
            new boolean[] {true, false, true}, new byte[] {1, 2, 3}, new String[] {"a", "", "\u00fc"});
        for (Object nested : all) {
            Tensor<?> whole = Tensors.ofNested(nested);
            try (Value parts = SequenceOps.splitToSequence(whole, 0, 2)) {
                assertEquals(2, SequenceOps.length(parts));
                assertEquals(whole.dataType(), SequenceOps.at(parts, 1).dataType());
                Tensor<?> again = SequenceOps.concatFromSequence(parts, 0, false);
                equals(nested, again);
                again.close();
            }
            assertFalse(whole.isClosed());
            whole.close();
        }
    }

    @Test
    void splitSizesMayBeZeroAndMustAddUp() {
        Tensor<Float> x = range(4, 2);
        try (Value parts = SequenceOps.splitToSequence(x, -2, new long[] {0, 3, 1})) {
            assertArrayEquals(new long[] {0, 2}, SequenceOps.at(parts, 0).shape());
            equals(new float[][] {{0, 1}, {2, 3}, {4, 5}}, SequenceOps.at(parts, 1));
            equals(new float[][] {{6, 7}}, SequenceOps.at(parts, 2));
        }
        for (long[] sizes : new long[][] {{3}, {5}, {2, 3}, {5, -1}, {}, {Long.MAX_VALUE, Long.MAX_VALUE, 6}}) {
            Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.splitToSequence(x, 0, sizes), Arrays.toString(sizes), "axis 0", "4");
        }
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.splitToSequence(x, 0, 0), "0", "at least 1");
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.splitToSequence(x, 0, -2), "-2", "at least 1");
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.splitToSequence(x, 2, true), "axis 2", "rank 2", "-2 to 1");
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.splitToSequence(x, -3, true), "axis -3");
        x.close();
        Tensor<Float> scalar = Tensors.denseFloat(new long[0], data -> { });
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.splitToSequence(scalar, 0, true), "axis 0", "rank 0");
        scalar.close();
    }

    @Test
    void sparseTensorsSplitAndJoinAsDenseOnes() {
        Tensor<Float> x = range(2, 3);
        SparseTensor<Float> sparse = SparseTensor.fromDense(x.floatData());
        try (Value parts = SequenceOps.splitToSequence(sparse, 1, false)) {
            equals(new float[] {1, 4}, SequenceOps.at(parts, 1));
        }
        Tensor<?> joined = SequenceOps.concatFromSequence(Value.list(sparse, x), 0, false);
        equals(new float[][] {{0, 1, 2}, {3, 4, 5}, {0, 1, 2}, {3, 4, 5}}, joined);
        joined.close();
        sparse.close();
        x.close();
    }

    @Test
    void raggedTensorsAreRefusedWithWhatHelps() {
        RaggedTensor<Float> ragged = Tensors.raggedOfNested(new float[][] {{1}, {2, 3}});
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.splitToSequence(ragged, 0, true), "FLOAT", "toDense(padding)");
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.concatFromSequence(Value.list(ragged), 0, true), "item 0",
            "toDense(padding)");
        ragged.close();
    }

    @Test
    void whatCannotBeJoinedIsTold() {
        Tensor<Float> x = range(2, 3);
        Tensor<Float> y = range(2, 4);
        Tensor<Float> v = range(2);
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.concatFromSequence(Value.list(), 0, false), "empty list");
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.concatFromSequence(Value.list(x, y), 0, false), "item 1", "[2, 4]", "[2, 3]",
            "axis 0");
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.concatFromSequence(Value.list(x, y), 0, true), "item 1", "equal");
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.concatFromSequence(Value.list(x, v), 0, false), "item 1", "[2]");
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.concatFromSequence(Value.list(x), 2, false), "axis 2", "rank 2");
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.concatFromSequence(Value.list(x), 3, true), "axis 3", "new axis", "rank 2");
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.concatFromSequence(Value.list(x), -4, true), "axis -4");
        Expect.exactly(IllegalStateException.class, () -> SequenceOps.concatFromSequence(Value.list(Value.list()), 0, false), "LIST", "TENSOR");
        x.close();
        y.close();
        v.close();
    }

    @Test
    void theWorkedValuesOfTheContract() {
        try (Value list = Value.list(Tensors.ofNested(new float[][] {{1, 2}}), Tensors.ofNested(new float[][] {{3, 4}}));
                Tensor<?> stacked = SequenceOps.concatFromSequence(list, -1, true)) {
            equals(new float[][][] {{{1, 3}, {2, 4}}}, stacked);
        }
    }

    @Test
    void aMapThatThrowsClosesWhatItHasMadeButNoItems() {
        Tensor<Float> x = ValueTest.floats(1);
        Tensor<Float> y = ValueTest.floats(2);
        Tensor<Float> z = ValueTest.floats(3);
        List<Tensor<Float>> made = new ArrayList<>();
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> SequenceOps.map(Value.list(x, y, z), item -> {
            if (item == x) {
                return x;
            }
            if (item == z) {
                throw new IllegalStateException("no");
            }
            made.add(ValueTest.floats(5));
            return made.get(0);
        }));
        assertEquals("no", e.getMessage());
        assertTrue(made.get(0).isClosed());
        assertFalse(x.isClosed() || y.isClosed() || z.isClosed());
        Expect.exactly(NullPointerException.class, () -> SequenceOps.map(Value.list(x), item -> null), "result");
        List<AnyTensor<?>> mixed = new ArrayList<>();
        Expect.exactly(IllegalArgumentException.class, () -> SequenceOps.map(Value.list(x, y), item -> {
            mixed.add(mixed.isEmpty() ? ValueTest.floats(1) : ValueTest.longs(1));
            return mixed.get(mixed.size() - 1);
        }), "item 1", "INT64", "FLOAT");
        assertTrue(mixed.get(0).isClosed() && mixed.get(1).isClosed());
        Arrays.asList(x, y, z).forEach(Tensor::close);
    }

    @Test
    void aSplitThatFailsLeavesNothing() {
        Tensor<Float> x = range(4);
        x.close();
        long alive = MemoryStats.current().tensorsAlive();
        assertThrows(IllegalStateException.class, () -> SequenceOps.splitToSequence(x, 0, true));
        assertEquals(alive, MemoryStats.current().tensorsAlive());
    }

    @Test
    void randomProgramsDoWhatListsDo() {
        List<Tensor<Float>> tensors = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            tensors.add(ValueTest.floats(i));
        }
        Seeds.each(2, 100, (random, done) -> {
            Value value = random.nextBoolean() ? Value.list() : SequenceOps.empty(DataType.FLOAT);
            List<Tensor<Float>> model = new ArrayList<>();
            for (int step = 0; step < 100; step++) {
                Tensor<Float> item = tensors.get(random.nextInt(tensors.size()));
                int n = model.size();
                int call = random.nextInt(5);
                done.append(call).append(' ');
                if (call == 0) {
                    value = SequenceOps.insert(value, item);
                    model.add(item);
                } else if (call == 1) {
                    int at = random.nextInt(n + 1);
                    value = SequenceOps.insert(value, item, at < n && random.nextBoolean() ? at - n : at);
                    model.add(at, item);
                } else if (call == 2 && n > 0) {
                    value = SequenceOps.erase(value);
                    model.remove(n - 1);
                } else if (call == 3 && n > 0) {
                    int at = random.nextInt(n);
                    value = SequenceOps.erase(value, random.nextBoolean() ? at - n : at);
                    model.remove(at);
                } else if (n > 0) {
                    int at = random.nextInt(n);
                    assertSame(model.get(at), SequenceOps.at(value, random.nextBoolean() ? at - n : at));
                }
                assertEquals(Value.list(model), value);
                assertEquals(model.size(), SequenceOps.length(value));
            }
        });
        tensors.forEach(Tensor::close);
    }
}
