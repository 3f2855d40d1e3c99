package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.internal.element.FloatBlock;
import io.tensornio.internal.memory.Storage;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory that native code fills and that becomes tensors, or stays writable for its owner. */
@ExtendWith(MemoryBalance.class)
class WritableTensorTest {
    /** Sizes in a slab and in a block of their own. */
    private static final long[][] SHAPES = {{}, {0}, {3, 0, 2}, {2, 3}, {5, 1, 1, 1, 7}, {300, 333}};

    /** Writes the elements' bytes as native code does: by the root and the offset alone. */
    private static void fill(WritableTensor tensor, int first) {
        for (int n = 0; n < tensor.numBytes(); n++) {
            tensor.root().put((int) tensor.byteOffset() + n, at(tensor, first, n));
        }
    }

    private static byte at(WritableTensor tensor, int first, int n) {
        return (byte) (tensor.data().dataType() == DataType.BOOL ? first + n & 1 : first + n);
    }

    private static void check(WritableTensor made, Tensor<?> tensor, int first) {
        ByteBuffer bytes = tensor.asByteBuffer();
        assertEquals(made.numBytes(), bytes.capacity());
        for (int n = 0; n < bytes.capacity(); n++) {
            assertEquals(at(made, first, n), bytes.get(n));
        }
    }

    @ParameterizedTest
    @EnumSource(value = DataType.class, mode = EnumSource.Mode.EXCLUDE, names = "STRING")
    void whatIsWrittenBehindTheRootIsThePublishedTensor(DataType type) {
        for (long[] shape : SHAPES) {
            try (WritableTensor made = WritableTensor.allocate(type, shape)) {
                assertEquals(0, made.byteOffset() % 64);
                assertSame(ByteOrder.nativeOrder(), made.root().order());
                fill(made, 7);
                try (Tensor<?> tensor = made.publish()) {
                    assertEquals(type, tensor.dataType());
                    assertArrayEquals(shape, tensor.shape());
                    check(made, tensor, 7);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = DataType.class, mode = EnumSource.Mode.EXCLUDE, names = "STRING")
    void zeroedMemoryIsZeroWhateverWasThere(DataType type) {
        for (long[] shape : SHAPES) {
            for (int i = 0; i < 3; i++) {
                try (WritableTensor made = WritableTensor.zeroed(type, shape)) {
                    for (int n = 0; n < made.numBytes(); n++) {
                        assertEquals(0, made.root().get((int) made.byteOffset() + n));
                    }
                    fill(made, 1);
                }
            }
        }
    }

    @Test
    void aNativeCallFillsItByRootAndOffset() {
        float[] values = {1, 2, 3, 4, 5, 6};
        try (WritableTensor made = WritableTensor.allocate(DataType.FLOAT, 2, 3)) {
            FloatBuffer root = made.root().duplicate().order(ByteOrder.nativeOrder()).asFloatBuffer();
            NativeCopies.copy(values, 0, root, made.byteOffset() / Float.BYTES, new long[] {2, 3, 1, 2, 3, 1}, Float.BYTES);
            try (Tensor<?> tensor = made.publish()) {
                assertArrayEquals(new float[][] {{1, 3, 5}, {2, 4, 6}}, tensor.floatData().toNested(float[][].class));
            }
        }
    }

    @Test
    void publishingEndsAllWrites() {
        try (WritableTensor made = WritableTensor.zeroed(DataType.FLOAT, 4)) {
            FloatTensorData before = (FloatTensorData) made.data();
            before.put(1.5f, 2);
            try (Tensor<?> tensor = made.publish()) {
                assertThrows(ReadOnlyBufferException.class, () -> before.put(2, 2));
                assertThrows(ReadOnlyBufferException.class, () -> ((FloatTensorData) made.data()).put(2, 2));
                assertEquals(1.5f, tensor.floatData().get(2));
            }
        }
    }

    @Test
    void closingAPublishedOneLeavesTheTensorOpen() {
        WritableTensor made = WritableTensor.zeroed(DataType.INT64, 2);
        try (Tensor<?> tensor = made.publish()) {
            made.close();
            assertFalse(tensor.isClosed());
            assertEquals(0, tensor.longData().get(1));
        }
    }

    @Test
    void itIsPublishedOnceAndNotOnceClosed() {
        WritableTensor made = WritableTensor.zeroed(DataType.INT32, 2, 5);
        made.publish().close();
        Expect.thrown(IllegalStateException.class, made::publish, "INT32", "[2, 5]", "published or closed before");
        WritableTensor closed = WritableTensor.zeroed(DataType.INT32, 2);
        closed.close();
        closed.close();
        Expect.thrown(IllegalStateException.class, closed::publish, "published or closed before");
        assertThrows(TensorClosedException.class, closed::pin);
        assertThrows(TensorClosedException.class, closed::snapshot);
    }

    @Test
    void aFailedFillGivesTheMemoryBack() {
        long before = MemoryStats.current().bytesInUse();
        IllegalStateException fault = new IllegalStateException("the fill failed");
        assertSame(fault, assertThrows(IllegalStateException.class, () -> {
            try (WritableTensor made = WritableTensor.allocate(DataType.DOUBLE, 1 << 20)) {
                assertEquals(8 << 20, MemoryStats.current().bytesInUse() - before);
                made.root();
                throw fault;
            }
        }));
        assertEquals(0, MemoryStats.current().bytesInUse() - before);
    }

    @Test
    void aPinKeepsTheElementsOfAClosedOne() {
        WritableTensor made = WritableTensor.allocate(DataType.UINT8, 1 << 18);
        fill(made, 3);
        Storage pinned = made.pin();
        made.close();
        assertEquals(3 + 100, made.root().get(100));
        pinned.unpin();
        assertNull(made.root());
    }

    @ParameterizedTest
    @EnumSource(value = DataType.class, mode = EnumSource.Mode.EXCLUDE, names = "STRING")
    void aSnapshotKeepsWhatTheOwnerThenOverwrites(DataType type) {
        for (long[] shape : SHAPES) {
            try (WritableTensor made = WritableTensor.allocate(type, shape)) {
                fill(made, 1);
                try (Tensor<?> first = made.snapshot()) {
                    fill(made, 2);
                    try (Tensor<?> second = made.snapshot()) {
                        check(made, first, 1);
                        check(made, second, 2);
                        assertArrayEquals(shape, second.shape());
                    }
                }
            }
        }
    }

    @Test
    void stringsAndImpossibleShapesAreRefused() {
        Expect.thrown(IllegalArgumentException.class, () -> WritableTensor.allocate(DataType.STRING, 2), "STRING", "no fixed width");
        Expect.thrown(IllegalArgumentException.class, () -> WritableTensor.together(new DataType[] {DataType.INT32, DataType.STRING}, new long[] {2},
            new long[] {2}), "STRING", "no fixed width");
        Expect.thrown(IllegalArgumentException.class, () -> WritableTensor.zeroed(DataType.FLOAT, 2, -1), "[2, -1]", "negative", "axis 1");
        Expect.thrown(NullPointerException.class, () -> WritableTensor.zeroed(null, 2), "type");
        Expect.thrown(OutOfMemoryError.class, () -> WritableTensor.allocate(DataType.FLOAT, 1 << 30), "4294967296 bytes");
        Expect.thrown(OutOfMemoryError.class, () -> WritableTensor.together(new DataType[] {DataType.UINT8, DataType.UINT8},
            new long[] {2_000_000_000}, new long[] {2_000_000_000}), "2 tensors in one block");
    }

    @Test
    void tensorsMadeTogetherShareABlockAndLieApart() {
        DataType[] types = {DataType.FLOAT, DataType.BOOL, DataType.INT64, DataType.DOUBLE, DataType.UINT8, DataType.INT32};
        for (long rows : new long[] {0, 1, 13, 9_999}) {
            WritableTensor[] made = WritableTensor.together(types, new long[] {rows}, new long[] {rows, 3}, new long[] {}, new long[] {2, rows},
                new long[] {rows}, new long[] {3});
            for (int n = 0; n < types.length; n++) {
                assertEquals(0, made[n].byteOffset() % 64);
                fill(made[n], 10 * n);
            }
            for (int n = 0; n < types.length; n++) {
                try (Tensor<?> tensor = made[n].publish()) {
                    assertEquals(types[n], tensor.dataType());
                    check(made[n], tensor, 10 * n);
                }
            }
        }
    }

    @Test
    void thePagesGoWithTheLastTensorOfABlock() {
        long before = MemoryStats.current().bytesInUse();
        WritableTensor[] made = WritableTensor.together(new DataType[] {DataType.INT64, DataType.INT64}, new long[] {1 << 17}, new long[] {1 << 17});
        assertSame(made[0].root(), made[1].root());
        Tensor<?> tensor = made[1].publish();
        LongTensorData last = tensor.longData();
        made[0].close();
        assertEquals(2 << 20, MemoryStats.current().bytesInUse() - before);
        last.get(0);
        tensor.close();
        assertEquals(0, MemoryStats.current().bytesInUse() - before);
    }

    @Test
    void partsOfAStorageAreCheckedPinnedAndClosedByThemselves() {
        for (long size : new long[] {1024, 1 << 20}) {
            Storage whole = Storage.allocate(size, true);
            Storage part = whole.part(128, 100);
            Storage inner = part.part(64, 36);
            assertEquals(100, part.bytes());
            assertEquals(whole.byteOffset() + 192, inner.byteOffset());
            assertSame(whole.root(), inner.root());
            assertEquals(36, inner.view().capacity());
            inner.view().put(35, (byte) 5);
            assertEquals(5, whole.view().get(128 + 99));
            Expect.thrown(IndexOutOfBoundsException.class, () -> whole.part(64, size - 63), (size - 63) + " bytes at offset 64", "of " + size);
            Expect.thrown(IndexOutOfBoundsException.class, () -> whole.part(-64, 64), "offset -64");
            Expect.thrown(IndexOutOfBoundsException.class, () -> whole.part(64, Long.MIN_VALUE), "offset 64");
            Expect.thrown(IllegalArgumentException.class, () -> whole.part(32, 4), "byte 32");
            assertTrue(whole.close());
            assertTrue(part.close());
            assertTrue(part.pin(), "a part of it is open");
            part.unpin();
            assertTrue(inner.pin());
            assertTrue(inner.close());
            assertFalse(inner.pin());
            assertNull(inner.part(0, 4));
            assertEquals(5, inner.view().get(35));
            assertTrue(whole.pin(), "a pin is left");
            whole.unpin();
            inner.unpin();
            assertFalse(inner.close());
            assertFalse(part.pin());
            assertFalse(whole.pin());
        }
    }

    @Test
    void aBlockIsNotMadeOverAStorageThatIsTooSmall() {
        Storage storage = Storage.allocate(64, true);
        Expect.thrown(IllegalArgumentException.class, () -> FloatBlock.over(storage, 17), "FLOAT", "[17]", "68 bytes", "has 64");
        assertFalse(storage.pin());
    }
}
