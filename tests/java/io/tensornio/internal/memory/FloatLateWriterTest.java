package io.tensornio.internal.memory;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.flip;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorElements;
import io.tensornio.FloatTensorIterator;
import io.tensornio.MemoryStats;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.io.ByteArrayInputStream;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A thread that kept the data that {@code init} was given, of a {@code float} tensor whose memory is made at its publication, and goes on writing:
 * what it writes after that is refused, and nothing that it does while the tensor is published takes memory that stays.
 */
@ExtendWith(MemoryBalance.class)
class FloatLateWriterTest {
    /** Small tensors share memory with others. */
    private static final int[] SIDES = {6, 120};
    private static final int ROUNDS = 20;
    //#if primitive
    private static final float OWN = FloatValues.OWN;
    private static final float LATE = FloatValues.FOREIGN;
    //#end
    //~string private static final String OWN = "own";
    //~string private static final String LATE = "late";

    static Stream<String> kinds() {
        //#if primitive
        return Stream.of("sparse", "ragged");
        //#end
        //~string return Stream.of("sparse", "ragged", "sparse, padded", "dense", "dense, padded");
    }

    /** A tensor of {@code side} rows of as many elements, all of which {@code init} has to put. */
    private static AnyTensor<Float> make(String kind, int side, Consumer<FloatTensorData> init) {
        long[] shape = {side, side};
        switch (kind) {
            case "sparse":
                return Tensors.sparseFloat(shape, side * side, init);
            //~string case "sparse, padded":
            //~string     return Tensors.sparseString(shape, side * side, 12, ' ', init);
            //~string case "dense":
            //~string     return Tensors.denseString(shape, init);
            //~string case "dense, padded":
            //~string     return Tensors.denseString(shape, 12, ' ', init);
            default:
                return Tensors.raggedFloat(new long[] {side, -1}, init);
        }
    }

    private static void fill(FloatTensorData data, int side) {
        for (int i = 0; i < side; i++) {
            data.put(FloatValues.filled(side, OWN), i);
        }
    }

    // ---- After the publication -------------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("kinds")
    void whatIsWrittenAfterwardsIsRefusedAndTakesNoMemory(String kind) throws Exception {
        for (int side : SIDES) {
            List<Executable> writes = new ArrayList<>();
            FloatTensorData[] kept = {null};
            try (AnyTensor<Float> tensor = make(kind, side, data -> {
                kept[0] = data;
                fill(data, side);
                addWrites(writes, data, side);
            })) {
                float[] content = FloatValues.filled(side * side, OWN);
                MemoryBalance.settleSmall();
                MemoryStats before = MemoryStats.current();
                onAnotherThread(() -> {
                    for (Executable write : writes) {
                        Expect.says(assertThrows(ReadOnlyBufferException.class, write), "FLOAT", "published");
                    }
                });
                MemoryBalance.assertNoMoreThan(before);
                assertArrayEquals(content, FloatValues.all(tensor.floatData()));
                assertArrayEquals(content, FloatValues.all(kept[0]));
            }
            onAnotherThread(() -> {
                for (Executable write : writes) {
                    Expect.says(assertThrows(TensorClosedException.class, write), "FLOAT");
                }
            });
        }
    }

    /** Every way to write, by the data and by views that were made of it before it was published. */
    private static void addWrites(List<Executable> writes, FloatTensorData data, int side) {
        float late = LATE;
        float[] row = FloatValues.filled(side, late);
        writes.add(() -> data.put(late, 1, 1));
        writes.add(() -> data.put(late, new int[] {1, side - 1}));
        writes.add(() -> data.put(row, 1));
        writes.add(() -> data.put(FloatTensorData.of(row), 1));
        writes.add(() -> data.put(FloatTensorData.of(row).stream(), 1));
        writes.add(() -> data.slice(1).put(late, 1));
        writes.add(() -> data.slice(1).copyFrom(row));
        writes.add(() -> data.slice(1).write(new ByteArrayInputStream(new byte[9])));
        writes.add(() -> data.slice(flip()).put(late, 0, 0));
        writes.add(() -> data.elements().put(row));
        writes.add(() -> data.scalars().onEach(() -> late));
        FloatTensorData second = data.slice(1);
        FloatTensorData flipped = data.slice(all(), flip());
        FloatTensorIterator scalars = data.scalars();
        FloatTensorElements elements = data.elements();
        writes.add(() -> second.put(late, 0));
        writes.add(() -> second.put(row));
        writes.add(() -> flipped.put(late, 0, 1));
        writes.add(() -> scalars.put(late));
        writes.add(() -> elements.put(row));
        //~string writes.add(() -> data.putBytes(new byte[] {'x'}, 1, 1));
        //~string writes.add(() -> second.putBytes(new byte[] {'x'}, 1));
        if (data.shape()[1] < 0) {
            writes.add(() -> data.put(late, 1, side));              // rows do not grow any more
            writes.add(() -> data.put(late, 0, 100 * side));
            writes.add(() -> data.put(FloatValues.filled(100 * side, late), 0));
            writes.add(() -> second.put(late, side - 1));
        }
    }

    private static void onAnotherThread(Runnable action) throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(action);
        thread.setUncaughtExceptionHandler((ended, e) -> failure.set(e));
        thread.start();
        thread.join();
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    // ---- During the publication ------------------------------------------------------------------------------------

    /** A thread that writes all elements of the data that it is shown, pass after pass. */
    private static final class Writer extends Thread {
        /** What to write, and what of it is published by now. */
        volatile FloatTensorData data;
        volatile FloatTensorData published;
        volatile boolean stop;
        volatile Throwable failure;
        /** Passes that began after the publication. */
        final AtomicInteger latePasses = new AtomicInteger();

        @Override
        public void run() {
            try {
                for (int pass = 0; !stop; pass++) {
                    FloatTensorData all = data;
                    if (all == null) {
                        Thread.yield();
                        continue;
                    }
                    boolean isLate = published == all;
                    writeAll(all, pass % 2 == 0 ? OWN : LATE, isLate);
                    if (isLate) {
                        latePasses.incrementAndGet();
                    }
                }
            } catch (Throwable e) {
                failure = e;
            }
        }

        private static void writeAll(FloatTensorData data, float value, boolean isLate) {
            boolean grows = data.shape()[1] < 0;
            for (int i = (int) data.size(0) - 1; i >= 0; i--) {
                int row = i;
                int side = (int) data.size(0);
                write(isLate, () -> data.put(value, row, row * 7 % side));
                write(isLate, () -> data.put(FloatValues.filled(side, value), row));
                write(isLate, () -> data.slice(row).put(value, 0));
                if (grows && row % 10 == 0) {
                    write(isLate, () -> data.put(value, row, 2 * side));
                }
            }
        }

        private static void write(boolean isLate, Executable write) {
            try {
                write.execute();
            } catch (ReadOnlyBufferException | TensorClosedException e) {
                return;                                     // when a round ends the tensor is closed
            } catch (IllegalStateException | IndexOutOfBoundsException e) {
                assertTrue(!isLate, e::toString);           // about to be published, or torn
                return;
            //~string } catch (NullPointerException e) {
            //~string     assertTrue(!isLate, e::toString);
            //~string     return;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
            assertTrue(!isLate, "a write after the publication is not refused");
        }

        /** Waits until a pass was made that began after the publication: all before it have ended. */
        void awaitLatePass() {
            for (int before = latePasses.get(); latePasses.get() == before; ) {
                if (failure != null) {
                    throw new AssertionError(failure);
                }
                Thread.yield();
            }
        }
    }

    /** Whether somebody has written that here. A row is first made longer. */
    private static boolean isOwn(float value) {
        //#if primitive
        return value == OWN || value == LATE || value == FloatValues.ZERO;
        //#end
        //~string return value.matches("[ownlate]*");                 // of one that is written in place there may be some of both
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void valuesChangeNoMoreOnceAWriteWasRefused(String kind) throws Exception {
        MemoryBalance.settleSmall();
        MemoryStats before = MemoryStats.current();
        Writer writer = new Writer();
        writer.start();
        try {
            for (int round = 0; round < ROUNDS * Expect.depth(); round++) {
                int side = SIDES[round % SIDES.length];
                publish(kind, side, writer);
            }
        } finally {
            writer.stop = true;
            writer.join();
        }
        MemoryBalance.assertNoMoreThan(before);
    }

    private static void publish(String kind, int side, Writer writer) {
        FloatTensorData[] kept = {null};
        AnyTensor<Float> made;
        try {
            made = make(kind, side, data -> {
                fill(data, side);
                kept[0] = data;
                writer.data = data;
                Thread.yield();
            });
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            writer.data = null;         // what was written meanwhile does not fit together: there is no tensor
            return;
        }
        try (AnyTensor<Float> tensor = made) {
            FloatTensorData data = tensor.floatData();
            for (float value : FloatValues.all(data)) {
                assertTrue(isOwn(value), () -> "reads " + value);
            }
            writer.published = kept[0];
            writer.awaitLatePass();
            float[] content = FloatValues.all(data);
            writer.awaitLatePass();
            assertArrayEquals(content, FloatValues.all(data));
        } finally {
            writer.data = null;
        }
    }
}
