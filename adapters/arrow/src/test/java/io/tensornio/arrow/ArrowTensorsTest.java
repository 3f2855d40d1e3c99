package io.tensornio.arrow;

import static io.tensornio.support.Expect.depth;
import static io.tensornio.support.Expect.thrown;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.interop.Pin;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.hash.ArrowBufHasher;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.ExtensionTypeVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.impl.UnionListWriter;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.ExtensionTypeRegistry;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Vectors there and back. Closing the allocator checks that Arrow's memory was given back. */
class ArrowTensorsTest {
    private final long before = MemoryStats.current().bytesInUse();
    private final BufferAllocator allocator = new RootAllocator();

    @AfterEach
    void allMemoryIsGivenBack() {
        allocator.close();
        assertTrue(MemoryStats.current().bytesInUse() <= before, () -> MemoryStats.current() + " was " + before);
    }

    private Float4Vector floats(float... values) {
        Float4Vector vector = new Float4Vector("f", allocator);
        vector.allocateNew(values.length);
        for (int n = 0; n < values.length; n++) {
            vector.set(n, values[n]);
        }
        vector.setValueCount(values.length);
        return vector;
    }

    @Test
    void everyKindGoesThereAndBack() {
        Object[] nested = {new float[] {1, Float.NaN}, new double[] {1, -0.0}, new int[] {-1, 2}, new long[] {Long.MIN_VALUE, 2},
            new boolean[] {true, false, true, true, false, false, true, true, true, false}, new byte[] {(byte) 200, 0}, new String[] {"", "é", "b"},
            new float[0], new float[][] {{1, 2, 3}, {4, 5, 6}}, new boolean[][][] {{{true}, {false}}, {{true}, {true}}}, new int[3][0]};
        for (Object one : nested) {
            try (Tensor<?> tensor = Tensors.ofNested(one); FieldVector vector = ArrowTensors.toVector("v", tensor, allocator);
                AnyTensor<?> back = ArrowTensors.of(vector)) {
                if (tensor.rank() == 1) {
                    vector.validateFull();
                } else if (tensor.numElements() > 0) {
                    vector.validate();              // the full one fails at every list of fixed size, and this at those of size 0
                }
                assertEquals("v", vector.getName());
                assertEquals(tensor.data(), back.data(), () -> vector.getField() + " of " + tensor);
            }
        }
    }

    @Test
    void typesThatAreStoredNarrowGoThereAndBack() {
        for (DataType type : DataType.values()) {
            if (type == DataType.STRING) {
                continue;
            }
            try (Tensor<Integer> ints = Tensors.ofNested(new int[][] {{0, 1, 2}, {3, 4, 127}});
                Tensor<?> tensor = Tensors.convert(ints.intData(), type)) {
                if (type == DataType.BFLOAT16) {
                    thrown(IllegalArgumentException.class, () -> ArrowTensors.toVector(tensor, allocator), "BFLOAT16");
                    continue;
                }
                try (FieldVector vector = ArrowTensors.toVector(tensor, allocator); AnyTensor<?> back = ArrowTensors.of(vector)) {
                    assertEquals(tensor.data(), back.data(), type::name);
                }
            }
        }
    }

    @Test
    void racingThreadsCloseWhatAVectorReads() throws InterruptedException {
        for (int round = 0; round < 100 * depth(); round++) {
            Tensor<Long> tensor = Tensors.denseLong(new long[] {1000}, data -> data.put(42, 999));
            AtomicReference<Throwable> failed = new AtomicReference<>();
            Thread[] team = new Thread[3];
            for (int n = 0; n < team.length; n++) {
                boolean closes = n == 0;
                team[n] = new Thread(() -> {
                    try {
                        if (closes) {
                            tensor.close();
                            return;
                        }
                        FieldVector vector = ArrowTensors.toVector(tensor, allocator);
                        ArrowTensors.inPlace(vector, seen -> {
                            vector.close();
                            try (Pin pin = Pin.of(seen)) {
                                assertEquals(42, pin.buffer().getLong(8 * 999));
                            }
                            return null;
                        });
                    } catch (TensorClosedException e) {
                        // the other thread was faster
                    } catch (Throwable e) {
                        failed.set(e);
                    }
                });
                team[n].start();
            }
            for (Thread member : team) {
                member.join();
            }
            assertEquals(null, failed.get());
        }
        awaitFree();
    }

    @Test
    void raggedTensorsAreListsThereAndBack() {
        Object[] nested = {new float[][] {{1}, {}, {2, 3}}, new int[][][] {{{1, 2}, {}}, {}, {{3}}}, new String[][] {{"a"}, {}, {"b", ""}},
            new boolean[][] {{}, {true, false, true}, {false}}, new long[][] {{}, {}}};
        for (Object one : nested) {
            try (AnyTensor<?> tensor = Tensors.raggedOfNested(one); FieldVector vector = ArrowTensors.toVector(tensor, allocator);
                AnyTensor<?> back = ArrowTensors.of(vector)) {
                assertEquals(tensor.data(), back.data(), () -> vector.getField() + " of " + tensor);
            }
        }
    }

    @Test
    void aPartOfAListBeginsInTheMiddleOfItsValues() {
        try (ListVector list = ListVector.empty("l", allocator)) {
            UnionListWriter writer = list.getWriter();
            int value = 0;
            for (int n = 0; n < 4; n++) {
                writer.startList();
                for (int i = 0; i < n; i++) {
                    writer.bit().writeBit(value++ % 3 == 0 ? 1 : 0);
                }
                writer.endList();
            }
            list.setValueCount(4);
            list.getOffsetBuffer().setInt(0, 1);        // as a file may have it: the first value belongs to no list
            list.getOffsetBuffer().setInt(4, 1);
            try (AnyTensor<?> back = ArrowTensors.of(list)) {
                assertArrayEquals(new boolean[][] {{}, {}, {false, false}, {true, false, false}}, back.toNested(boolean[][].class));
            }
        }
    }

    private static long address(Tensor<?> tensor) {
        try (Pin pin = Pin.of(tensor)) {
            return pin.address();
        }
    }

    @Test
    void numbersAreNotCopiedOnTheWayOut() {
        Tensor<Float> tensor = Tensors.denseFloat(new long[] {100_000}, data -> data.put(7, 99_999));
        long address = address(tensor);
        try (FieldVector vector = ArrowTensors.toVector(tensor, allocator)) {
            assertEquals(address, vector.getDataBufferAddress());
            tensor.close();
            assertEquals(7, ((Float4Vector) vector).get(99_999));
        }
        assertThrows(TensorClosedException.class, () -> ArrowTensors.toVector(tensor, allocator));
    }

    @Test
    void numbersAreReadInPlaceAndTheirMemoryStaysForTheCall() {
        Float4Vector vector = floats(1, 2, 3);
        Tensor<?>[] kept = new Tensor<?>[1];
        long sum = ArrowTensors.inPlace(vector, tensor -> {
            kept[0] = tensor;
            assertEquals(vector.getDataBufferAddress(), address(tensor));
            vector.close();
            try (Tensor<?> copy = Tensors.denseFloat(tensor.shape(), data -> { })) {
                return tensor.numElements() + copy.numElements();
            }
        });
        assertEquals(6, sum);
        assertThrows(TensorClosedException.class, () -> kept[0].floatData());
        awaitFree();
    }

    private void awaitFree() {
        for (int n = 0; n < 200 && allocator.getAllocatedMemory() > 0; n++) {
            System.gc();
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void ofCopies() {
        try (Float4Vector vector = floats(1, 2); AnyTensor<?> copy = ArrowTensors.of(vector)) {
            vector.set(0, 9);
            assertEquals(1, copy.floatData().get(0));
        }
    }

    @Test
    void otherLayoutsAreCopied() {
        try (Tensor<Integer> columns = Tensors.denseInt(TensorLayout.columnMajor(2, 3), data -> data.put(new int[] {1, 2, 3, 4, 5, 6}));
            FieldVector vector = ArrowTensors.toVector(columns, allocator); AnyTensor<?> back = ArrowTensors.of(vector)) {
            assertArrayEquals(new int[][] {{1, 2, 3}, {4, 5, 6}}, back.toNested(int[][].class));
            assertNotEquals(address(columns), ((FixedShapeTensorVector) vector).getUnderlyingVector().getDataVector().getDataBufferAddress());
        }
    }

    @Test
    void theExtensionTypeSurvivesAStream() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Tensor<?> tensor = Tensors.ofNested(new float[][][] {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}});
            FieldVector vector = ArrowTensors.toVector("t", tensor, allocator)) {
            VectorSchemaRoot root = new VectorSchemaRoot(Collections.singletonList(vector));
            try (ArrowStreamWriter writer = new ArrowStreamWriter(root, null, bytes)) {
                writer.writeBatch();
            }
            try (ArrowStreamReader reader = new ArrowStreamReader(new ByteArrayInputStream(bytes.toByteArray()), allocator)) {
                assertTrue(reader.loadNextBatch());
                FieldVector read = reader.getVectorSchemaRoot().getVector("t");
                assertEquals(FixedShapeTensorType.of(2, 2), read.getField().getType());
                try (AnyTensor<?> back = ArrowTensors.of(read)) {
                    assertEquals(tensor.data(), back.data());
                }
            }
        }
    }

    @Test
    void columnsOfOneTypeAreAMatrix() {
        try (Float4Vector a = floats(1, 2, 3); Float4Vector b = floats(4, 5, 6);
            Tensor<?> matrix = ArrowTensors.matrix(new VectorSchemaRoot(Arrays.asList(a, b)))) {
            a.set(0, 9);
            b.set(2, 9);                // seen by no tensor that was copied
            assertArrayEquals(new float[][] {{1, 4}, {2, 5}, {3, 6}}, matrix.toNested(float[][].class));
        }
        try (Float4Vector a = floats(1); Float8Vector b = new Float8Vector("d", allocator)) {
            b.setSafe(0, 1);
            b.setValueCount(1);
            thrown(IllegalArgumentException.class, () -> ArrowTensors.matrix(new VectorSchemaRoot(Arrays.asList(a, b))),
                "`d`", "DOUBLE", "`f`", "FLOAT");
        }
        thrown(IllegalArgumentException.class, () -> ArrowTensors.matrix(new VectorSchemaRoot(Collections.emptyList())), "without columns");
    }

    @Test
    void nullsTimesAndWhatIsNotInPlaceAreRefusedByName() {
        try (IntVector vector = new IntVector("i", allocator)) {
            vector.setSafe(0, 1);
            vector.setNull(1);
            vector.setValueCount(2);
            thrown(IllegalArgumentException.class, () -> ArrowTensors.of(vector), "`i`", "Int(32, true)", "1 nulls", "at 1");
        }
        try (DateDayVector vector = new DateDayVector("d", allocator)) {
            thrown(IllegalArgumentException.class, () -> ArrowTensors.of(vector), "`d`", "Date");
        }
        try (BitVector vector = new BitVector("b", allocator)) {
            thrown(IllegalArgumentException.class, () -> ArrowTensors.inPlace(vector, t -> t), "`b`", "Bool", "in place");
        }
        try (AnyTensor<Float> sparse = Tensors.sparseFloat(new long[] {3}, 1, data -> data.put(1, 0)); Tensor<?> scalar = Tensors.ofNested(1f)) {
            thrown(IllegalArgumentException.class, () -> ArrowTensors.toVector(sparse, allocator), "toDense()");
            thrown(IllegalArgumentException.class, () -> ArrowTensors.toVector(scalar, allocator), "scalar");
        }
    }

    @Test
    void aNullIsFoundWhereverItIs() {
        for (int count = 1; count < 140; count += 1 + count / 8) {
            for (int at = 0; at < count; at++) {
                try (Float4Vector vector = floats(new float[count])) {
                    ArrowTensors.of(vector).close();
                    vector.setNull(at);
                    thrown(IllegalArgumentException.class, () -> ArrowTensors.of(vector), "1 nulls", "at " + at);
                    thrown(IllegalArgumentException.class, () -> ArrowTensors.inPlace(vector, t -> t), "1 nulls", "at " + at);
                }
            }
        }
    }

    @Test
    void decimalsTimesAndViewsAreRefusedByName() {
        ArrowType[] types = {new ArrowType.Decimal(10, 2, 128), new ArrowType.Timestamp(TimeUnit.SECOND, null),
            new ArrowType.Duration(TimeUnit.SECOND), ArrowType.Utf8View.INSTANCE, ArrowType.BinaryView.INSTANCE, new ArrowType.ListView(),
            ArrowType.Binary.INSTANCE, ArrowType.Null.INSTANCE, ArrowType.Struct.INSTANCE};
        for (ArrowType type : types) {
            Field field = type instanceof ArrowType.ListView ? lists(type, ints()) : new Field("l", new FieldType(true, type, null), null);
            try (FieldVector vector = field.createVector(allocator)) {
                thrown(IllegalArgumentException.class, () -> ArrowTensors.of(vector), "`l`", type.toString());
                thrown(IllegalArgumentException.class, () -> ArrowTensors.inPlace(vector, t -> t), "`l`", type.toString());
                VectorSchemaRoot root = new VectorSchemaRoot(Collections.singletonList(vector));
                thrown(IllegalArgumentException.class, () -> ArrowTensors.matrix(root), "`l`", type.toString());
            }
        }
    }

    /** A type of an application's own, of the same name. */
    private static final class OtherType extends ArrowType.ExtensionType {
        @Override
        public ArrowType storageType() {
            return new ArrowType.FixedSizeList(2);
        }

        @Override
        public String extensionName() {
            return FixedShapeTensorType.NAME;
        }

        @Override
        public boolean extensionEquals(ArrowType.ExtensionType other) {
            return other instanceof OtherType;
        }

        @Override
        public String serialize() {
            return "{\"shape\":[1,2],\"permutation\":[1,0]}";
        }

        @Override
        public ArrowType deserialize(ArrowType storage, String serialized) {
            return new OtherType();
        }

        @Override
        public FieldVector getNewVector(String name, FieldType type, BufferAllocator allocator) {
            FixedSizeListVector under = new FixedSizeListVector(name, allocator, new FieldType(false, storageType(), null), null);
            return new ExtensionTypeVector<FixedSizeListVector>(name, allocator, under) {
                @Override
                public Field getField() {
                    return new Field(name, new FieldType(false, OtherType.this, null), under.getField().getChildren());
                }

                @Override
                public Object getObject(int index) {
                    return under.getObject(index);
                }

                @Override
                public int hashCode(int index) {
                    return under.hashCode(index);
                }

                @Override
                public int hashCode(int index, ArrowBufHasher hasher) {
                    return under.hashCode(index, hasher);
                }
            };
        }
    }

    @Test
    void theTypeOfAnApplicationStaysRegisteredAndItsVectorsAreRead() {
        FixedShapeTensorType.register();
        ArrowType.ExtensionType ours = ExtensionTypeRegistry.lookup(FixedShapeTensorType.NAME);
        assertTrue(ours instanceof FixedShapeTensorType);
        OtherType other = new OtherType();
        ExtensionTypeRegistry.register(other);
        Field field = new Field("t", new FieldType(false, other, null), Collections.singletonList(ints()));
        try (FieldVector vector = counting(field, 2); AnyTensor<?> copy = ArrowTensors.of(vector)) {
            FixedShapeTensorType.register();
            assertSame(other, ExtensionTypeRegistry.lookup(FixedShapeTensorType.NAME));
            assertArrayEquals(new int[][][] {{{0}, {1}}, {{2}, {3}}}, copy.toNested(int[][][].class));
        } finally {
            ExtensionTypeRegistry.register(ours);
        }
    }

    @Test
    void offsetsThatLieAreRefused() {
        try (VarCharVector vector = new VarCharVector("s", allocator)) {
            vector.setSafe(0, new byte[] {65});
            vector.setSafe(1, new byte[] {66});
            vector.setValueCount(2);
            vector.getOffsetBuffer().setInt(8, 1 << 30);
            thrown(IllegalArgumentException.class, () -> ArrowTensors.of(vector), "`s`", "buffer");
            vector.getOffsetBuffer().setInt(8, 0);
            thrown(IllegalArgumentException.class, () -> ArrowTensors.of(vector), "`s`", "fall");
        }
    }

    @Test
    void moreListsThanOffsetsAreRefusedBeforeMemoryIsTaken() {
        try (ListVector vector = new ListVector("l", allocator, FieldType.notNullable(new ArrowType.List()), null) {
            @Override
            public int getValueCount() {
                return Integer.MAX_VALUE - 8;
            }

            @Override
            public int getNullCount() {
                return 0;
            }
        }) {
            thrown(IllegalArgumentException.class, () -> ArrowTensors.of(vector), "`l`", "a buffer of 0 bytes", "8589934560");
        }
    }

    private static Field tensors(String metadata, int size, Field values) {
        ArrowType type = FixedShapeTensorType.of().deserialize(new ArrowType.FixedSizeList(size), metadata);
        return new Field("t", new FieldType(false, type, null), Collections.singletonList(values));
    }

    private static Field lists(ArrowType type, Field values) {
        return new Field("l", new FieldType(false, type, null), Collections.singletonList(values));
    }

    private static Field ints() {
        return new Field("i", new FieldType(false, new ArrowType.Int(32, true), null), null);
    }

    /** A vector of the numbers from 0 on; lists of any size have 2 values. */
    private FieldVector counting(Field field, int rows) {
        FieldVector vector = field.createVector(allocator);
        fill(vector, rows);
        return vector;
    }

    private static void fill(ValueVector vector, int count) {
        if (vector instanceof ExtensionTypeVector) {
            fill(((ExtensionTypeVector<?>) vector).getUnderlyingVector(), count);
        } else if (vector instanceof FixedSizeListVector) {
            FixedSizeListVector list = (FixedSizeListVector) vector;
            list.allocateNew();
            for (int n = 0; n < count; n++) {
                list.setNotNull(n);
            }
            list.setValueCount(count);
            fill(list.getDataVector(), count * list.getListSize());
        } else if (vector instanceof ListVector) {
            ListVector list = (ListVector) vector;
            for (int n = 0; n < count; n++) {
                list.startNewValue(n);
                list.endValue(n, 2);
            }
            list.setValueCount(count);
            fill(list.getDataVector(), count * 2);
        } else {
            for (int n = 0; n < count; n++) {
                ((IntVector) vector).setSafe(n, n);
            }
            vector.setValueCount(count);
        }
    }

    private void isBothWays(Field field, int rows, Object nested) {
        try (FieldVector vector = counting(field, rows); AnyTensor<?> copy = ArrowTensors.of(vector)) {
            assertTrue(Arrays.deepEquals(new Object[] {nested}, new Object[] {copy.toNested(nested.getClass())}), copy::toString);
            ArrowTensors.inPlace(vector, seen -> {
                assertEquals(copy.data(), seen.data());
                return null;
            });
        }
        awaitFree();
    }

    @Test
    void tensorsWithinListsKeepTheirAxes() {
        Field tensors = tensors("{\"shape\":[2,3]}", 6, ints());
        isBothWays(lists(new ArrowType.FixedSizeList(1), tensors), 2, new int[][][][] {{{{0, 1, 2}, {3, 4, 5}}}, {{{6, 7, 8}, {9, 10, 11}}}});
        try (FieldVector vector = counting(lists(new ArrowType.List(), tensors), 2); AnyTensor<?> ragged = ArrowTensors.of(vector)) {
            assertArrayEquals(new int[][][][] {{{{0, 1, 2}, {3, 4, 5}}, {{6, 7, 8}, {9, 10, 11}}},
                {{{12, 13, 14}, {15, 16, 17}}, {{18, 19, 20}, {21, 22, 23}}}}, ragged.toNested(int[][][][].class));
        }
    }

    @Test
    void tensorsWithinListsWithAxesInAnotherOrderAreRefusedByName() {
        Field tensors = tensors("{\"shape\":[2,3],\"permutation\":[1,0]}", 6, ints());
        try (FieldVector fixed = counting(lists(new ArrowType.FixedSizeList(1), tensors), 2);
            FieldVector lists = counting(lists(new ArrowType.List(), tensors), 2);
            FieldVector around = counting(tensors("{\"shape\":[2,3],\"permutation\":[1,0]}", 6, lists(new ArrowType.List(), ints())), 1)) {
            thrown(IllegalArgumentException.class, () -> ArrowTensors.of(fixed), "`l`", "[2, 3]", "the permutation [1, 0]");
            thrown(IllegalArgumentException.class, () -> ArrowTensors.inPlace(fixed, t -> t), "`l`", "[2, 3]", "the permutation [1, 0]");
            thrown(IllegalArgumentException.class, () -> ArrowTensors.of(lists), "`l`", "[2, 3]", "the permutation [1, 0]");
            thrown(IllegalArgumentException.class, () -> ArrowTensors.of(around), "`t`", "[2, 3]", "the permutation [1, 0]");
        }
    }

    @Test
    void listsWithinTensorsAreTheirLastAxes() {
        Field threes = lists(new ArrowType.FixedSizeList(3), ints());
        isBothWays(tensors("{\"shape\":[2]}", 2, threes), 2, new int[][][] {{{0, 1, 2}, {3, 4, 5}}, {{6, 7, 8}, {9, 10, 11}}});
        Field pairs = lists(new ArrowType.FixedSizeList(2), ints());
        try (FieldVector vector = counting(tensors("{\"shape\":[2,3],\"permutation\":[1,0]}", 6, pairs), 1);
            AnyTensor<?> copy = ArrowTensors.of(vector)) {
            assertArrayEquals(new int[][][][] {{{{0, 1}, {6, 7}}, {{2, 3}, {8, 9}}, {{4, 5}, {10, 11}}}}, copy.toNested(int[][][][].class));
        }
        try (FieldVector vector = counting(tensors("{\"shape\":[1,3]}", 3, lists(new ArrowType.List(), ints())), 2);
            AnyTensor<?> ragged = ArrowTensors.of(vector)) {
            assertArrayEquals(new int[][][][] {{{{0, 1}, {2, 3}, {4, 5}}}, {{{6, 7}, {8, 9}, {10, 11}}}}, ragged.toNested(int[][][][].class));
        }
    }

    @Test
    void withoutRowsTheSizesOfListsAreStillChecked() {
        Field huge = ints();
        for (int n = 0; n < 3; n++) {
            huge = lists(new ArrowType.FixedSizeList(Integer.MAX_VALUE), huge);
        }
        try (FieldVector vector = counting(huge, 0)) {
            thrown(IllegalArgumentException.class, () -> ArrowTensors.of(vector), "2147483647");
            thrown(IllegalArgumentException.class, () -> ArrowTensors.inPlace(vector, t -> t), "2147483647");
        }
    }

    @Test
    void listsOfAFixedSizeWithoutTheirListsAreRefusedBeforeMemoryIsTaken() {
        int size = Integer.MAX_VALUE - 8;
        Field tensors = tensors("{\"shape\":[" + size + ",1]}", size, lists(new ArrowType.List(), ints()));
        try (FieldVector vector = lists(new ArrowType.List(), tensors).createVector(allocator); ArrowBuf offsets = allocator.buffer(8)) {
            offsets.setInt(0, 0);
            offsets.setInt(4, 1);
            vector.loadFieldBuffers(new ArrowFieldNode(1, 0), Arrays.asList(allocator.getEmpty(), offsets));       // as a file may have it
            vector.getChildrenFromFields().get(0).loadFieldBuffers(new ArrowFieldNode(1, 0), Collections.singletonList(allocator.getEmpty()));
            thrown(IllegalArgumentException.class, () -> ArrowTensors.of(vector), "`l`", "0 values", "have " + size);
        }
    }

    @Test
    void anAllocatorWithoutRoomOrClosedLeavesNothingPinned() {
        Object[] nested = {new float[100], new boolean[100], new float[10][10], new String[] {"a", "b"}};
        BufferAllocator closed = new RootAllocator();
        closed.close();
        try (BufferAllocator small = new RootAllocator(1)) {
            for (Object one : nested) {
                try (Tensor<?> tensor = Tensors.ofNested(one)) {
                    assertThrows(OutOfMemoryException.class, () -> ArrowTensors.toVector(tensor, small));
                    assertThrows(IllegalStateException.class, () -> ArrowTensors.toVector(tensor, closed));
                }
            }
            try (AnyTensor<?> ragged = Tensors.raggedOfNested(new float[][] {{1}, {}, {2, 3}})) {
                assertThrows(OutOfMemoryException.class, () -> ArrowTensors.toVector(ragged, small));
            }
            assertEquals(0, small.getAllocatedMemory());
        }
    }

    @Test
    void aMatrixOfMoreRowsThanItsBitsIsRefused() {
        for (FieldVector vector : new FieldVector[] {new BitVector("b", allocator), new IntVector("i", allocator)}) {
            try (FieldVector few = vector) {
                FieldVector lies = (FieldVector) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {FieldVector.class},
                    (self, method, given) -> method.getName().equals("getValueCount") ? Integer.MAX_VALUE
                        : method.getName().equals("getNullCount") ? 0 : method.invoke(few, given));
                VectorSchemaRoot root = new VectorSchemaRoot(Collections.singletonList(few.getField()), Collections.singletonList(lies),
                    Integer.MAX_VALUE);
                thrown(IllegalArgumentException.class, () -> ArrowTensors.matrix(root), "`" + few.getName() + "`", "a buffer of 0 bytes",
                    few instanceof BitVector ? "268435456" : "8589934588");
            }
        }
    }

    @Test
    void aSizeOf0MayFollowLargeOnes() {
        FixedShapeTensorType type = FixedShapeTensorType.of(70_000, 70_000, 0);
        assertEquals(type, type.deserialize(new ArrowType.FixedSizeList(0), type.serialize()));
        for (long[] shape : new long[][] {{70_000, 70_000}, {0, 70_000, -1}, {1L << 31, 0}, {1L << 62, 4, 0}, {1L << 31}}) {
            thrown(IllegalArgumentException.class, () -> FixedShapeTensorType.of(shape), Arrays.toString(shape), "cannot be rows of Arrow");
        }
        try (FieldVector vector = counting(tensors("{\"shape\":[2147483647,2147483647,2147483647,0]}", 0, ints()), 2)) {
            thrown(IllegalArgumentException.class, () -> ArrowTensors.of(vector), "2147483647");
        }
    }
}
