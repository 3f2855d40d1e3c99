package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorFormat;
import io.tensornio.compute.Comprehension;
import io.tensornio.op.Operand;
import io.tensornio.op.Ops;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.RaceTeam;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Invariant 14: results that nobody has looked at release their addresses as they close; those that somebody may be reading keep them. */
@ExtendWith(MemoryBalance.class)
class ExposureTest {
    /** A result of 256 KiB, which has a block of its own. */
    private static final int N = 1 << 16;
    private static final Comprehension FILL = Comprehension.of("y[i] = x*z[i]");

    private static final class Given implements AutoCloseable {
        final Tensor<Float> ones = FloatTensorData.constant(1, N).copy();

        Tensor<Float> filled(float value) {
            return FILL.run(value, ones).floatTensor("y");
        }

        @Override
        public void close() {
            ones.close();
        }
    }

    /** How many blocks were closed by moving or discarding their pages so far. */
    private static long closings() {
        long[] numbers = new long[8];
        NativeMemory.memory(numbers);
        return numbers[6] + numbers[7];
    }

    private static long closingsOf(Given given, Consumer<Tensor<Float>> use) {
        long before = closings();
        Tensor<Float> made = given.filled(3);
        use.accept(made);
        made.close();
        return closings() - before;
    }

    @Test
    void whatNobodyHasSeenTakesNoSystemCallToClose() {
        try (Given given = new Given()) {
            assertEquals(0, closingsOf(given, made -> { }));
            assertEquals(0, closingsOf(given, made -> assertEquals(4L * N, made.numBytes())));
            // An operand of another computation is read by native code, which pins it.
            assertEquals(0, closingsOf(given, made -> FILL.run(2, made).close()));
            long before = closings();
            try (Ops tf = Ops.create()) {
                Operand<Float> x = tf.constant(given.ones);
                tf.math.add(tf.math.mul(x, x), x);
                // Copies, too, that are results.
                tf.array.concat(0, x, x);
                tf.array.stack(0, x, x);
                tf.array.slice(x, TensorIndex.range(1, N));
                tf.array.reshape(x, 2, N / 2);
            }
            assertEquals(0, closings() - before);
        }
    }

    @Test
    void whatWasLookedAtInAnyWayKeepsItsAddresses() {
        try (Given given = new Given()) {
            assertEquals(1, closingsOf(given, made -> made.floatData()));
            assertEquals(1, closingsOf(given, made -> made.asByteBuffer()));
            assertEquals(1, closingsOf(given, made -> made.toNested()));
            assertEquals(1, closingsOf(given, made -> made.toNested(float[].class)));
            assertEquals(1, closingsOf(given, made -> made.toString()));
            assertEquals(1, closingsOf(given, made -> made.toString(TensorFormat.DEFAULT)));
            assertEquals(2, closingsOf(given, made -> made.floatData().copy().close()));        // the copy was filled through data, too
        }
    }

    @Test
    void readersOfAResultThatIsClosedSeeNoOther() {
        try (Given given = new Given()) {
            Tensor<Float> made = given.filled(3);
            FloatTensorData data = made.floatData();
            ByteBuffer bytes = made.asByteBuffer();
            made.close();
            for (int n = 0; n < 20; n++) {
                try (Tensor<Float> other = given.filled(7)) {
                    float seen = bytes.order(ByteOrder.nativeOrder()).getFloat(4 * (N - 1));
                    assertTrue(seen == 0 || seen == 3, () -> seen + " was read");
                    assertThrows(TensorClosedException.class, () -> data.get(0));
                    assertEquals(7, other.floatData().get(N - 1));
                }
            }
        }
    }

    @Test
    void closedResultsSaySo() {
        try (Given given = new Given()) {
            Tensor<Float> made = given.filled(3);
            made.close();
            Expect.thrown(TensorClosedException.class, made::floatData, "FLOAT", "[65536]", "closed");
            Expect.thrown(TensorClosedException.class, made::asByteBuffer, "closed");
            Expect.thrown(TensorClosedException.class, made::toNested, "closed");
            Expect.thrown(TensorClosedException.class, () -> FILL.run(2, made), "closed");
            assertTrue(made.toString().contains("closed"), made::toString);
        }
    }

    /** Each thread asks for the data of a result while another closes it and a third computes more, which would get its memory. */
    @Test
    void askingForDataRacesWithClosing() throws Exception {
        Tensor<?>[] shared = new Tensor<?>[1];
        AtomicInteger value = new AtomicInteger();
        try (Given given = new Given()) {
            RaceTeam.rounds(2000 * Expect.depth(), () -> shared[0] = given.filled(value.incrementAndGet()), thread -> {
                Tensor<?> made = shared[0];
                if (thread == 0) {
                    made.close();
                    given.filled(-1).close();
                } else if (thread == 1) {
                    given.filled(-2).close();
                } else {
                    try {
                        FloatTensorData data = made.floatData();
                        for (int n = 0; n < 64; n++) {
                            float seen = data.get(n * (N / 64));
                            assertTrue(seen == value.get() || seen == 0, () -> seen + " instead of " + value.get());
                        }
                    } catch (TensorClosedException e) {
                        assertTrue(made.isClosed());
                    }
                }
            }, () -> { });
        }
    }

    @Test
    void rootsThatAreNoneAreNotRecycled() {
        assertThrows(NullPointerException.class, () -> NativeMemory.recycle(null));
        Expect.thrown(IllegalArgumentException.class, () -> NativeMemory.recycle(ByteBuffer.allocate(8)), "heap buffer");
        assertThrows(IllegalArgumentException.class, () -> NativeMemory.recycle(ByteBuffer.allocateDirect(8)));
        Storage storage = Storage.allocateUnexposed(4 * N);
        ByteBuffer root = storage.root();
        ByteBuffer part = root.duplicate();
        part.limit(100);
        Expect.thrown(IllegalArgumentException.class, () -> NativeMemory.recycle(part.slice()), "a part of the buffer");
        assertSame(root, storage.root());
        storage.expose();
        storage.close();
        assertThrows(IllegalStateException.class, () -> NativeMemory.recycle(root));
    }
}
