package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * What the application has a buffer over is never moved to another tensor: the system may be reading the pages themselves, by direct I/O that another
 * thread has begun, and would go on with what that tensor writes to them.
 */
class HandedOutTest {
    private static final int MOVED = 6;
    private static final int DISCARDED = 7;
    private static final long[] SHAPE = {1 << 18};

    private static long[] numbers() {
        long[] numbers = new long[8];
        NativeMemory.memory(numbers);
        return numbers;
    }

    private static <T> void assertInPlace(Tensor<T> tensor, Consumer<Tensor<T>> handOut) {
        handOut.accept(tensor);
        assertInPlace(tensor::close);
    }

    private static void assertInPlace(Runnable close) {
        long[] before = numbers();
        close.run();
        long[] after = numbers();
        assertEquals(0, after[MOVED] - before[MOVED], "moved");
        assertEquals(1, after[DISCARDED] - before[DISCARDED], "discarded");
    }

    @Test
    void aTensorOfWhichThereIsABuffer() {
        assertInPlace(Tensors.denseFloat(SHAPE, data -> { }), Tensor::asByteBuffer);
    }

    @Test
    void stringsOfWhichThereAreTheBytesOrTheOffsets() {
        assertInPlace(Tensors.denseString(SHAPE, data -> { }), Tensor::bytes);
        assertInPlace(Tensors.denseString(SHAPE, data -> { }), Tensor::offsets);
    }

    @Test
    void theMemoryThatTwoTensorsShare() {
        Storage storage = Storage.allocate(1 << 20, true);
        storage.share();
        storage.handOut();
        storage.close();
        assertInPlace(storage::close);
    }

    @Test
    void theSlabOfASmallTensor() {
        Slab slab = Slab.make(Slab.LARGEST);
        Storage other = new Storage(slab, slab.take(1), Slab.UNIT);
        Storage storage = new Storage(slab, slab.take(1), Slab.UNIT);
        storage.handOut();
        storage.close();
        other.close();
        assertInPlace(slab::retire);
    }
}
