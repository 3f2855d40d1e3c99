package io.tensornio;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.support.Expect;
import io.tensornio.support.FloatOwn;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
//#if buffer
import java.nio.FloatBuffer;
//#end

/** {@code float} data of the user's own. */
@ExtendWith(MemoryBalance.class)
class FloatAbstractTest {
    /** A getter alone: the value of the row-major position; what matters of huge ones are its low bits. */
    private static class Getter extends AbstractFloatTensorData {
        private final long[] sizes;
        int asked;

        Getter(long... shape) {
            super(shape);
            sizes = shape.clone();
        }

        @Override
        protected float getAt(long[] indices) {
            asked++;
            assertEquals(sizes.length, indices.length);
            long at = 0;
            for (int d = 0; d < sizes.length; d++) {
                assertTrue(indices[d] >= 0 && indices[d] < sizes[d], () -> Arrays.toString(indices) + " of " + Arrays.toString(sizes));
                at = at * sizes[d] + indices[d];
            }
            return FloatValues.of((int) at);
        }
    }

    /** A setter that a class between has. */
    private abstract static class Setter extends AbstractFloatTensorData {
        final float[] values;

        Setter(int n) {
            super(n);
            values = FloatValues.zeros(n);
        }

        @Override
        protected void putAt(float value, long[] indices) {
            values[(int) indices[0]] = value;
        }
    }

    private static class SetterAbove extends Setter {
        SetterAbove(int n) {
            super(n);
        }

        @Override
        protected float getAt(long[] indices) {
            return values[(int) indices[0]];
        }
    }

    private static RuntimeException stop() {
        return new IllegalStateException("mine");
    }

    // ---- Writable or not -------------------------------------------------------------------------------------------

    @Test
    void aGetterAloneIsReadOnly() {
        Getter data = new Getter(2, 3);
        assertTrue(data.isReadOnly());
        assertTrue(data.slice(1).isReadOnly());
        String[] says = {"FLOAT", "[2, 3]", "putAt"};
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.OWN), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.OWN, 0), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.OWN, 0, 0), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.OWN, 0, 0, 0), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.OWN, 0, 0, 0, 0), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.OWN, new int[] {9, 9}), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> data.copyFrom(FloatValues.zeros(7)), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.zeros(0), 0), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatOwn.of(2, 3)), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> FloatOwn.of(2, 3).get(data), "FLOAT", "[2, 3]");
        Expect.thrown(ReadOnlyBufferException.class, () -> FloatTensorData.of(FloatValues.zeros(6), 2, 3).get(data), "FLOAT", "[2, 3]");
        Expect.thrown(ReadOnlyBufferException.class, () -> data.scalars().put(FloatValues.OWN), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> data.scalars().onEach(() -> FloatValues.OWN), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> data.elements().put(FloatValues.zeros(1)), says);
        Expect.thrown(ReadOnlyBufferException.class, () -> data.slice(incl(1, 0, 1)).slice(0).put(FloatValues.OWN, 0), says);
        //#if buffer
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatBuffer.allocate(1)), says);
        //#end
        assertEquals(0, data.asked);
        assertArrayEquals(FloatValues.array(0, 6), FloatValues.all(data));
    }

    @Test
    void aSetterMakesItWritable() {
        FloatOwn data = FloatOwn.of(2, 3);
        assertFalse(data.isReadOnly());
        assertFalse(data.slice(flip()).isReadOnly());
        data.put(FloatValues.of(5), 1, 2);
        assertEquals(1, data.writes);
        assertEquals(0, data.reads);
        assertEquals(FloatValues.of(5), data.values[5]);
        data.slice(flip()).put(FloatValues.of(6), 0, 0);
        assertEquals(FloatValues.of(6), data.values[3]);
    }

    @Test
    void aSetterOfAClassBetweenCounts() {
        SetterAbove data = new SetterAbove(3);
        assertFalse(data.isReadOnly());
        data.copyFrom(FloatValues.array(1, 3));
        assertArrayEquals(FloatValues.array(1, 3), data.values);
        AbstractFloatTensorData below = new SetterAbove(2) { };
        assertFalse(below.isReadOnly());
        below.put(FloatValues.of(4), 1);
        assertEquals(FloatValues.of(4), below.get(1));
    }

    /** A method of that name with other parameters is no setter. */
    @Test
    void anOverloadIsNoSetter() {
        AbstractFloatTensorData data = new Getter(2) {
            @SuppressWarnings("unused")
            protected void putAt(float value, int[] indices) {
                throw new AssertionError();
            }
        };
        assertTrue(data.isReadOnly());
    }

    @Test
    void allThatIsRefusedForWantOfPutAtSaysSo() {
        FloatTensorData data = new AbstractFloatTensorData(2) {
            @Override
            protected float getAt(long[] indices) {
                return FloatValues.OWN;
            }
        };
        float[] values = FloatValues.zeros(2);
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(values), "[2]", "has no putAt");
        Expect.thrown(ReadOnlyBufferException.class, () -> data.putNested(values), "[2]", "has no putAt");
        Expect.thrown(ReadOnlyBufferException.class, () -> FloatTensorData.of(values).get(data), "[2]", "has no putAt");
    }

    @Test
    void isReadOnlyMayChange() {
        boolean[] locked = {false};
        FloatOwn data = new FloatOwn(FloatValues.zeros(2), 0, 2) {
            @Override
            public boolean isReadOnly() {
                return locked[0];
            }
        };
        FloatTensorData view = data.slice(flip());
        view.put(FloatValues.of(1), 0);
        locked[0] = true;
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.OWN, 1), "[2]", "is read-only, as its isReadOnly() says");
        Expect.thrown(ReadOnlyBufferException.class, () -> view.put(FloatValues.OWN, 1), "[2]", "is read-only, as its isReadOnly() says");
        Expect.thrown(ReadOnlyBufferException.class, () -> FloatTensorData.of(FloatValues.zeros(2)).get(data), "[2]",
            "is read-only, as its isReadOnly() says");
        assertEquals(FloatValues.of(1), data.values[1]);
        locked[0] = false;
        data.put(FloatValues.of(2), 1);
        assertEquals(FloatValues.of(2), view.get(0));
    }

    /** Data that says it can be written, and has no setter. */
    @Test
    void withoutASetterNothingIsWrittenWhateverIsReadOnlySays() {
        Getter data = new Getter(2) {
            @Override
            public boolean isReadOnly() {
                return false;
            }
        };
        Expect.thrown(ReadOnlyBufferException.class, () -> data.put(FloatValues.OWN, 1), "FLOAT", "[2]", "putAt");
        Expect.thrown(ReadOnlyBufferException.class, () -> data.copyFrom(FloatValues.zeros(2)), "FLOAT", "[2]", "putAt");
    }

    // ---- Shapes ----------------------------------------------------------------------------------------------------

    @Test
    void wrongShapes() {
        Expect.thrown(IllegalArgumentException.class, () -> new Getter(2, -1), "[2, -1]", "negative", "axis 1");
        Expect.thrown(IllegalArgumentException.class, () -> new Getter(1L << 32, 1L << 32), "more elements");
        Expect.thrown(IllegalArgumentException.class, () -> new Getter(Long.MAX_VALUE, 2), "more elements");
        Expect.thrown(NullPointerException.class, () -> new Getter((long[]) null), "shape");
        long[] shape = {2, 3};
        Getter data = new Getter(shape);
        shape[0] = -5;
        data.shape()[1] = 99;
        assertArrayEquals(new long[] {2, 3}, data.shape());
        assertEquals(2, data.rank());
        assertEquals(3, data.size(1));
        Expect.thrown(IllegalArgumentException.class, () -> data.size(2), "axis 2", "[2, 3]");
    }

    @Test
    void allThatReadsOfEveryRank() {
        for (long[] shape : new long[][] {{}, {4}, {2, 3}, {2, 1, 3}, {2, 2, 2, 2}, {1, 2, 3, 2, 1}, {1, 2, 1, 2, 1, 2, 3}, {0}, {3, 0, 2}}) {
            Getter data = new Getter(shape);
            int n = (int) data.totalSize();
            assertArrayEquals(FloatValues.array(0, n), FloatValues.all(data));
            assertEquals(n, data.asked);
            float[] array = FloatValues.zeros(n);
            data.copyTo(array);
            assertArrayEquals(FloatValues.array(0, n), array);
            try (Tensor<Float> copy = Tensors.create(data); Tensor<Float> same = FloatValues.tensor(shape)) {
                assertEquals(copy.floatData(), data);
                assertEquals(same.floatData().toString(), data.toString());
            }
        }
        assertSame(DataType.FLOAT, new Getter().dataType());
    }

    @Test
    void onlyWhatIsAskedForIsComputed() {
        Getter data = new Getter(10, 10);
        assertEquals(FloatValues.of(35), data.get(3, 5));
        data.slice(flip(), step(3)).slice(2);
        assertEquals(1, data.asked);
        data.get(FloatValues.zeros(5), 9, 5);
        assertEquals(6, data.asked);
        Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(10, 0), "index 10");
        Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(FloatValues.zeros(99), new int[0]), "100 elements");
        assertEquals(6, data.asked);
    }

    @Test
    void hugeShapes() {
        long n = 1L << 40;
        Getter data = new Getter(n);
        assertEquals(n, data.totalSize());
        assertEquals(FloatValues.of(Integer.MAX_VALUE), data.get(Integer.MAX_VALUE));
        assertEquals(FloatValues.of((int) (n - 1)), data.slice(at(-1)).get());
        float[] array = FloatValues.zeros(3);
        data.slice(range(n - 3, n)).copyTo(array);
        assertArrayEquals(FloatValues.array(-3, 3), array);
        data.slice(flip()).slice(range(0, 3)).copyTo(array);
        assertArrayEquals(new float[] {FloatValues.of(-1), FloatValues.of(-2), FloatValues.of(-3)}, array);
        data.slice(step(1L << 39)).get(array, 0);
        assertEquals(FloatValues.of(0), array[1]);
        try (Tensor<Float> copy = Tensors.create(data.slice(range((1L << 32) + 5, (1L << 32) + 8)))) {
            assertArrayEquals(FloatValues.array(5, 3), FloatValues.all(copy.floatData()));
        }
        assertArrayEquals(new float[] {FloatValues.of(-7), FloatValues.of(7)}, FloatValues.all(data.slice(incl(-7, 7))));
        Expect.thrown(IndexOutOfBoundsException.class, () -> data.copyTo(FloatValues.zeros(4)), Expect.elements(n), "room for 4");
        Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(at(n)), String.valueOf(n));
        FloatTensorIterator scalars = data.scalars();
        assertEquals(FloatValues.of(0), scalars.get());
        assertEquals(FloatValues.of(1), scalars.get());
        assertTrue(scalars.hasMoreElements());
        assertEquals(FloatValues.of(0), data.elements().get().get());

        Getter cube = new Getter(1L << 20, 1L << 19, 1L << 19);
        assertEquals(FloatValues.of(7), cube.get((1 << 20) - 1, 0, 7));
        assertEquals(FloatValues.of(-1), cube.slice(at(-1), at(-1), at(-1)).get());
        cube.get(array, 5, 6, (1 << 19) - 2 - 1);
        assertArrayEquals(FloatValues.array(7 * (1 << 19) - 3, 3), array);
    }

    @Test
    void hugeDataIsPrintedInShort() {
        String text = new Getter(1L << 40).toString();
        Getter part = new Getter(6);
        assertTrue(text.contains("..."), text);
        assertTrue(text.startsWith("FLOAT[1099511627776]"), text);
        String last = FloatTensorData.of(FloatValues.array(-1, 1), new long[0]).toString();
        assertTrue(text.contains(last.substring(last.lastIndexOf(' ') + 1)), text + " should have " + last);
        assertEquals(0, part.asked);
    }

    // ---- Getters that misbehave ------------------------------------------------------------------------------------

    @Test
    void whatAGetterThrowsPassesThrough() {
        for (int when : new int[] {0, 5, 20_000}) {
            RuntimeException mine = stop();
            int[] asked = {0};
            FloatTensorData data = new AbstractFloatTensorData(20_001) {
                @Override
                protected float getAt(long[] indices) {
                    if (indices[0] == when) {
                        throw mine;
                    }
                    asked[0]++;
                    return FloatValues.FOREIGN;
                }
            };
            long before = MemoryStats.current().tensorsAlive();
            float[] array = FloatValues.zeros(20_001);
            assertSame(mine, assertThrows(RuntimeException.class, () -> Tensors.create(data)));
            assertEquals(when, asked[0]);
            assertSame(mine, assertThrows(RuntimeException.class, () -> data.get(when)));
            assertSame(mine, assertThrows(RuntimeException.class, () -> data.copyTo(array)));
            assertSame(mine, assertThrows(RuntimeException.class, () -> FloatTensorData.of(array).put(data)));
            assertSame(mine, assertThrows(RuntimeException.class, () -> data.get(FloatTensorData.of(array))));
            assertArrayEquals(FloatValues.zeros(20_001), array);
            assertSame(mine, assertThrows(RuntimeException.class, data::hashCode));
            Tensors.denseFloat(new long[] {20_001}, target ->
                assertSame(mine, assertThrows(RuntimeException.class, () -> target.put(data)))).close();
            assertTrue(MemoryStats.current().tensorsAlive() <= before);
        }
    }

    @Test
    void whatASetterThrowsPassesThrough() {
        RuntimeException mine = stop();
        FloatTensorData data = new FloatOwn(FloatValues.zeros(4), 0, 4) {
            @Override
            protected void putAt(float value, long[] indices) {
                if (indices[0] == 2) {
                    throw mine;
                }
                super.putAt(value, indices);
            }
        };
        assertSame(mine, assertThrows(RuntimeException.class, () -> data.put(FloatValues.OWN, 2)));
        assertSame(mine, assertThrows(RuntimeException.class, () -> data.copyFrom(FloatValues.array(0, 4))));
        assertSame(mine, assertThrows(RuntimeException.class, () -> data.put(FloatTensorData.of(FloatValues.zeros(4)))));
        FloatTensorIterator scalars = data.scalars().put(FloatValues.of(1)).put(FloatValues.of(2));
        assertSame(mine, assertThrows(RuntimeException.class, () -> scalars.put(FloatValues.of(3))));
        assertSame(mine, assertThrows(RuntimeException.class, () -> scalars.put(FloatValues.of(3))));
    }

    @Test
    void aGetterThatAnswersDifferentlyEachTime() {
        FloatTensorData data = new AbstractFloatTensorData(5, 5) {
            private int n;

            @Override
            protected float getAt(long[] indices) {
                Arrays.fill(indices, -1);
                return FloatValues.of(n++);
            }
        };
        try (Tensor<Float> first = Tensors.create(data); Tensor<Float> second = Tensors.create(data)) {
            assertArrayEquals(FloatValues.array(0, 25), FloatValues.all(first.floatData()));
            assertArrayEquals(FloatValues.array(25, 25), FloatValues.all(second.floatData()));
        }
    }

    @Test
    void aGetterThatClosesATensorMeanwhile() {
        for (int n : new int[] {6, 30_000}) {
            Tensor<Float> tensor = FloatValues.tensor(n);
            FloatTensorData inside = tensor.floatData();
            FloatTensorData data = new AbstractFloatTensorData(n) {
                @Override
                protected float getAt(long[] indices) {
                    if (indices[0] == 4) {
                        tensor.close();
                    }
                    return inside.get((int) indices[0]);
                }
            };
            long before = MemoryStats.current().tensorsAlive();
            float[] array = FloatValues.zeros(n);
            Expect.thrown(TensorClosedException.class, () -> Tensors.create(data), "FLOAT", "[" + n + "]", "closed");
            Expect.thrown(TensorClosedException.class, () -> FloatTensorData.of(array).put(data), "closed");
            assertArrayEquals(FloatValues.zeros(n), array);
            assertTrue(MemoryStats.current().tensorsAlive() < before);
        }
    }

    @Test
    void aSetterThatClosesTheTensorThatIsRead() {
        for (int n : new int[] {6, 30_000}) {
            for (TensorIndex view : new TensorIndex[] {all(), flip(), incl(3, 0, 1)}) {
                Tensor<Float> tensor = FloatValues.tensor(n);
                FloatTensorData source = tensor.floatData().slice(view);
                float[] expected = FloatValues.all(source);
                FloatOwn target = new FloatOwn(FloatValues.zeros(expected.length), 0, expected.length) {
                    @Override
                    protected void putAt(float value, long[] indices) {
                        tensor.close();
                        super.putAt(value, indices);
                    }
                };
                target.put(source);
                assertArrayEquals(expected, target.values);
                Expect.thrown(TensorClosedException.class, () -> source.get(target), "closed");
            }
        }
    }

    /** A getter that throws in the init of a tensor leaves that one to its init. */
    @Test
    void aGetterThatMakesTensors() {
        FloatTensorData data = new AbstractFloatTensorData(3) {
            @Override
            protected float getAt(long[] indices) {
                try (Tensor<Float> inner = FloatValues.tensor(3)) {
                    return inner.floatData().get((int) indices[0]);
                }
            }
        };
        try (Tensor<Float> tensor = Tensors.create(data)) {
            assertArrayEquals(FloatValues.array(0, 3), FloatValues.all(tensor.floatData()));
        }
    }
}
