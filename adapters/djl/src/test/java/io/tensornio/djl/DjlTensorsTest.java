package io.tensornio.djl;

import static io.tensornio.support.Expect.depth;
import static io.tensornio.support.Expect.thrown;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.ndarray.types.SparseFormat;
import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.internal.interop.Loan;
import io.tensornio.interop.Pin;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tensors as arrays of DJL's engine for PyTorch, and back. */
class DjlTensorsTest {
    private static final List<DataType> TYPES = Arrays.asList(DataType.FLOAT, DataType.DOUBLE, DataType.FLOAT16, DataType.INT8, DataType.UINT8,
        DataType.INT32, DataType.INT64, DataType.BOOL);

    private final long before = MemoryStats.current().bytesInUse();
    private NDManager manager;

    @BeforeAll
    static void pyTorchIsThere() {
        String platform = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        assumeTrue(platform.equals("Linux amd64"), () -> "skipped: the native library of PyTorch is that for Linux on x86-64, not for " + platform);
    }

    @BeforeEach
    void open() {
        manager = NDManager.newBaseManager("PyTorch");
    }

    @AfterEach
    void allMemoryIsGivenBack() {
        if (manager != null) {
            manager.close();
            assertTrue(MemoryStats.current().bytesInUse() <= before, () -> MemoryStats.current() + " was " + before);
        }
    }

    private static long address(ByteBuffer direct) {
        try (Pin pin = Pin.of(io.tensornio.interop.Foreign.adopt(DataType.UINT8, new long[] {direct.remaining()}, direct, () -> { }))) {
            return pin.address();
        }
    }

    private static long address(Tensor<?> tensor) {
        try (Pin pin = Pin.of(tensor)) {
            return pin.address();
        }
    }

    /** Small numbers from 0 on. */
    private static Tensor<?> counting(DataType type, long... shape) {
        int[] values = new int[(int) Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
        Arrays.setAll(values, n -> n % 100);
        try (Tensor<Integer> ints = Tensors.denseInt(shape, data -> data.copyFrom(values))) {
            return Tensors.convert(ints.intData(), type);
        }
    }

    @Test
    void everyTypeOfPyTorchGoesThereAndBack() {
        for (DataType type : TYPES) {
            try (Tensor<?> tensor = counting(type, 2, 3, 5); Tensor<?> back = DjlTensors.of(DjlTensors.toNDArray(manager, tensor));
                Tensor<?> seen = DjlTensors.inPlace(manager, tensor, DjlTensors::of)) {
                assertEquals(tensor.data(), back.data(), () -> "there and back of " + type);
                assertEquals(tensor.data(), seen.data(), () -> "in place of " + type);
            }
        }
    }

    @Test
    void valuesAreThoseThatDjlShows() {
        try (Tensor<Float> tensor = Tensors.ofNested(new float[][] {{1, 2, 3}, {4, 5, 6}})) {
            NDArray array = DjlTensors.toNDArray(manager, tensor);
            assertEquals(new Shape(2, 3), array.getShape());
            assertArrayEquals(new float[] {1, 2, 3, 4, 5, 6}, array.toFloatArray());
        }
        try (Tensor<?> tensor = DjlTensors.of(manager.create(new long[] {1, Long.MIN_VALUE}, new Shape(2, 1)))) {
            assertArrayEquals(new long[][] {{1}, {Long.MIN_VALUE}}, tensor.toNested(long[][].class));
        }
    }

    @Test
    void scalarsEmptyTensorsAndStringsGoThereAndBack() {
        Object[] nested = {3f, new double[0], new int[2][0], new String[][] {{"a", ""}, {"\u00e9", "b"}}, true};
        for (Object one : nested) {
            try (Tensor<?> tensor = Tensors.ofNested(one); Tensor<?> back = DjlTensors.of(DjlTensors.toNDArray(manager, tensor))) {
                assertEquals(tensor.data(), back.data(), tensor::toString);
            }
        }
    }

    @Test
    void bothCopiesAreCopies() {
        try (Tensor<Float> tensor = Tensors.ofNested(new float[] {1, 2})) {
            NDArray array = DjlTensors.toNDArray(manager, tensor);
            array.addi(10);
            assertEquals(1, tensor.floatData().get(0));
            try (Tensor<?> back = DjlTensors.of(array)) {
                array.addi(10);
                assertEquals(11, back.floatData().get(0));
                array.close();
                assertEquals(12, back.floatData().get(1));
            }
        }
    }

    @Test
    void inPlaceReadsTheMemoryOfTheTensor() {
        for (int n : new int[] {3, 100_000}) {
            try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {n}, data -> data.put(7, 1))) {
                long seen = DjlTensors.inPlace(manager, tensor, array -> address(array.toByteBuffer(true)));
                assertEquals(address(tensor), seen);
                assertNotEquals(address(tensor), address(DjlTensors.toNDArray(manager, tensor).toByteBuffer(true)));
            }
        }
    }

    @Test
    void otherLayoutsAndOrdersAreCopiedInTheirOrder() {
        try (Tensor<Integer> columns = Tensors.denseInt(TensorLayout.columnMajor(2, 3), data -> data.putNested(new int[][] {{1, 2, 3}, {4, 5, 6}}))) {
            assertArrayEquals(new int[] {1, 2, 3, 4, 5, 6}, DjlTensors.toNDArray(manager, columns).toIntArray());
            assertArrayEquals(new int[] {1, 2, 3, 4, 5, 6}, DjlTensors.inPlace(manager, columns, NDArray::toIntArray));
            long seen = DjlTensors.inPlace(manager, columns, array -> address(array.toByteBuffer(true)));
            assertNotEquals(address(columns), seen);
        }
        NDArray array = manager.create(new int[] {1, 2, 3, 4, 5, 6}, new Shape(2, 3));
        try (Tensor<?> turned = DjlTensors.of(array.transpose()); Tensor<?> part = DjlTensors.of(array.get(":, 1:"))) {
            assertArrayEquals(new int[][] {{1, 4}, {2, 5}, {3, 6}}, turned.toNested(int[][].class));
            assertArrayEquals(new int[][] {{2, 3}, {5, 6}}, part.toNested(int[][].class));
        }
        assertSame(manager, array.getManager());
        assertArrayEquals(new int[] {1, 2, 3, 4, 5, 6}, array.toIntArray());
    }

    @Test
    void whatTheBodyReturnsIsACopyAndAllElseIsClosed() {
        AtomicReference<NDArray> kept = new AtomicReference<>();
        Tensor<Float> tensor = Tensors.ofNested(new float[][] {{1, 2}, {3, 4}});
        NDArray view = DjlTensors.inPlace(manager, tensor, array -> {
            kept.set(array.mul(2));
            return array.reshape(4);
        });
        NDList both = DjlTensors.inPlace(manager, tensor, array -> new NDList(array, array.sum()));
        tensor.close();
        assertArrayEquals(new float[] {1, 2, 3, 4}, view.toFloatArray());
        assertArrayEquals(new float[] {1, 2, 3, 4}, both.get(0).toFloatArray());
        assertEquals(10, both.get(1).getFloat());
        assertSame(manager, view.getManager());
        assertThrows(IllegalStateException.class, () -> kept.get().toFloatArray());
    }

    @Test
    void theTensorMayBeClosedDuringTheCall() {
        Tensor<Double> tensor = Tensors.denseDouble(new long[] {100_000}, data -> data.put(5, 99_999));
        double sum = DjlTensors.inPlace(manager, tensor, array -> {
            tensor.close();
            return array.sum().getDouble();
        });
        assertEquals(5, sum);
        thrown(TensorClosedException.class, () -> DjlTensors.inPlace(manager, tensor, array -> array));
        thrown(TensorClosedException.class, () -> DjlTensors.toNDArray(manager, tensor));
    }

    @Test
    void aBodyThatThrowsLeavesNothingPinned() {
        try (Tensor<Float> tensor = Tensors.denseFloat(new long[] {100_000}, data -> { })) {
            thrown(UnsupportedOperationException.class, () -> DjlTensors.inPlace(manager, tensor, array -> {
                throw new UnsupportedOperationException("no");
            }), "no");
        }
    }

    @Test
    void whatCannotBeIsRefusedByName() {
        try (AnyTensor<Float> sparse = Tensors.sparseFloat(new long[] {3}, 1, data -> data.put(1, 0));
            Tensor<String> strings = Tensors.ofNested(new String[] {"a"})) {
            thrown(IllegalArgumentException.class, () -> DjlTensors.toNDArray(manager, sparse), "SparseTensor", "toDense()");
            thrown(IllegalArgumentException.class, () -> DjlTensors.inPlace(manager, strings, array -> array), "strings", "toNDArray");
        }
        NDArray coo = manager.create(new float[] {1, 0, 2, 0}, new Shape(2, 2)).toSparse(SparseFormat.COO);
        thrown(IllegalArgumentException.class, () -> DjlTensors.of(coo), "sparse");
        NDArray closed = manager.create(new float[] {1});
        closed.close();
        assertThrows(IllegalStateException.class, () -> DjlTensors.of(closed));
        assertThrows(NullPointerException.class, () -> DjlTensors.of(null));
    }

    @Test
    void arraysOfMoreThan2GiBAreRefusedBeforeMemoryIsTaken() {
        long free = MemoryStats.current().bytesInUse();
        try (NDManager inside = manager.newSubManager()) {
            NDArray bytes = inside.create(new byte[] {1}).broadcast(new Shape(1L << 31));
            thrown(IllegalArgumentException.class, () -> DjlTensors.of(bytes), "INT8[2147483648]", "2147483647 bytes");
            NDArray doubles = inside.create(new double[] {1}).broadcast(new Shape(1L << 28));
            thrown(IllegalArgumentException.class, () -> DjlTensors.of(doubles), "DOUBLE[268435456]", "2147483647 bytes");
        }
        assertEquals(free, MemoryStats.current().bytesInUse());
    }

    @Test
    void aLoanToReadIsNotPublished() {
        try (Tensor<?> tensor = counting(DataType.FLOAT, 3); Loan loan = Loan.of(tensor)) {
            thrown(IllegalStateException.class, loan::publish, "lent to be read", "published");
        }
    }

    @Test
    void aListThatCannotBeCopiedLeavesNoneOfItsCopies() {
        try (Tensor<?> tensor = counting(DataType.FLOAT, 3)) {
            int managed = manager.getManagedArrays().size();
            assertThrows(IllegalStateException.class, () -> DjlTensors.inPlace(manager, tensor, array -> {
                NDArray closed = array.mul(2);
                closed.close();
                return new NDList(array, array.sum(), closed);
            }));
            assertEquals(managed, manager.getManagedArrays().size());
        }
    }

    /** In the engine for PyTorch they would end the JVM. */
    @Test
    void typesThatDjlDoesNotTakeAreRefusedByName() {
        for (DataType type : DataType.values()) {
            if (!TYPES.contains(type) && type != DataType.STRING) {
                try (Tensor<?> tensor = counting(type, 4)) {
                    thrown(IllegalArgumentException.class, () -> DjlTensors.toNDArray(manager, tensor), type.name(), "FLOAT16", "convert");
                    thrown(IllegalArgumentException.class, () -> DjlTensors.inPlace(manager, tensor, array -> array), type.name());
                }
            }
        }
    }

    @Test
    void racingThreadsCloseATensorThatDjlReads() throws InterruptedException {
        for (int round = 0; round < 50 * depth(); round++) {
            Tensor<Long> tensor = Tensors.denseLong(new long[] {1000}, data -> data.put(42, 999));
            AtomicReference<Throwable> failed = new AtomicReference<>();
            Thread[] team = new Thread[3];
            for (int n = 0; n < team.length; n++) {
                boolean closes = n == 0;
                team[n] = new Thread(() -> {
                    try (NDManager mine = manager.newSubManager()) {
                        if (closes) {
                            tensor.close();
                        } else {
                            assertEquals(42L, DjlTensors.<Long>inPlace(mine, tensor, array -> array.sum().getLong()));
                        }
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
        assertFalse(manager.isOpen() && MemoryStats.current().bytesInUse() > before + 1_000_000);
    }
}
