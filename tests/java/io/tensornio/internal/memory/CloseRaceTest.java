package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.LongTensorData;
import io.tensornio.LongTensorIterator;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.RaceTeam;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two threads create, fill and close tensors that eight others write, read and copy. A reader may see its own tensor's values, zeros once the
 * tensor is closed, or {@link TensorClosedException}; never what belongs to another tensor.
 */
@ExtendWith(MemoryBalance.class)
class CloseRaceTest {
    private static final int SLOTS = 12;
    /** Small tensors that share memory, tensors with memory of their own, and such as have huge pages. */
    private static final int[] SIDES = {4, 30, 100, 100, 600};
    private static final RuntimeException GIVEN_UP = new RuntimeException("init gives up");

    /** A tensor whose elements tell whose they are, and where they lie. None of them is 0. */
    private static final class Marked {
        final long mark;
        final int side;
        /** Whether it is never published. */
        boolean givesUp;
        /** Set before others get to know this. */
        Tensor<Long> tensor;
        LongTensorData data;
        LongBuffer bytes;

        Marked(long mark, int side) {
            this.mark = mark;
            this.side = side;
        }

        long value(int i, int j) {
            return (mark << 24) + (long) i * side + j + 1;
        }

        void check(long read, int i, int j) {
            if (read != value(i, j)) {
                boolean closed = tensor.isClosed();
                assertTrue(closed && Stamp.isOneOf(read, 0, value(i, j)),
                    () -> "tensor " + mark + " of side " + side + (closed ? " (closed)" : "") + " reads at " + i + ", " + j
                    + " what belongs to tensor " + (read >> 24) + " at " + ((read & 0xffffff) - 1));
            }
        }
    }

    private final AtomicLong marks = new AtomicLong();
    private final AtomicReferenceArray<Marked> open = new AtomicReferenceArray<>(SLOTS);
    /** Tensors that are being filled, or were lately. */
    private final AtomicReferenceArray<Marked> filling = new AtomicReferenceArray<>(SLOTS);
    private final AtomicLong meetings = new AtomicLong();

    @Test
    void nobodySeesAnotherTensorsValues() throws Exception {
        RaceTeam team = new RaceTeam(() -> marks.get() < 1000L * Expect.depth() || meetings.get() == 0);
        team.add(2, this::create);
        team.add(1, this::write);
        team.add(2, this::readElements);
        team.add(1, this::readScalars);
        team.add(2, this::copy);
        team.add(1, this::copyToTensors);
        team.add(1, this::readBytes);
        team.run();
        for (int slot = 0; slot < SLOTS; slot++) {
            close(open.getAndSet(slot, null));
        }
    }

    private static void close(Marked marked) {
        if (marked != null) {
            marked.tensor.close();
        }
    }

    /** Makes a tensor and closes the one whose place it takes; now and then its filling fails. */
    private void create(Random random) {
        Marked marked = new Marked(marks.incrementAndGet(), SIDES[random.nextInt(SIDES.length)]);
        boolean givesUp = random.nextInt(6) == 0;
        try {
            marked.tensor = Tensors.denseLong(new long[] {marked.side, marked.side}, data -> fill(marked, data, random, givesUp));
        } catch (RuntimeException e) {
            if (e != GIVEN_UP) {
                throw e;
            }
            return;
        }
        marked.data = marked.tensor.longData();
        marked.bytes = marked.tensor.asByteBuffer().order(ByteOrder.nativeOrder()).asLongBuffer();
        close(open.getAndSet(random.nextInt(SLOTS), marked));
    }

    private void fill(Marked marked, LongTensorData data, Random random, boolean givesUp) {
        int side = marked.side;
        long[] fresh = new long[side * side];
        data.copyTo(fresh);
        for (long value : fresh) {
            assertEquals(0, value, "fresh memory holds what somebody wrote");
        }
        Marked shown = new Marked(marked.mark, side);
        shown.data = data;
        shown.givesUp = givesUp;
        filling.set(random.nextInt(SLOTS), shown);
        long[] row = new long[side];
        for (int i = 0; i < side; i++) {
            for (int j = 0; j < side; j++) {
                row[j] = marked.value(i, j);
            }
            if (i % 8 > 0) {
                data.put(row, i);
            } else {
                for (int j = 0; j < side; j++) {
                    data.put(row[j], i, j);
                }
            }
            if (givesUp && i == side / 2) {
                throw GIVEN_UP;
            }
        }
    }

    private Marked any(Random random) {
        return open.get(random.nextInt(SLOTS));
    }

    /** Runs what may find its tensor closed. */
    private void unlessClosed(Marked marked, Runnable use) {
        if (marked != null) {
            try {
                use.run();
            } catch (TensorClosedException e) {
                meetings.incrementAndGet();
            }
        }
    }

    /** Writes the right values to tensors that are being filled, long after they were published, closed or given up, too. */
    private void write(Random random) {
        Marked marked = filling.get(random.nextInt(SLOTS));
        unlessClosed(marked, () -> {
            int side = marked.side;
            try {
                int i = random.nextInt(side);
                for (int n = 0; n < 20; n++) {
                    for (int j = 0; j < side; j++) {
                        marked.data.put(marked.value(i, j), i, j);
                    }
                }
                long[] odd = new long[side / 2];
                for (int j = 0; j < odd.length; j++) {
                    odd[j] = marked.value(i, 2 * j + 1);
                }
                LongTensorData strided = marked.data.slice(TensorIndex.at(i), TensorIndex.range(1, side, 2));
                strided.put(odd);
                int[] j = {1};
                strided.scalars().onEach(() -> marked.value(i, (j[0] += 2) - 2));
            } catch (ReadOnlyBufferException e) {
                assertFalse(marked.givesUp, "what was never published is closed, not read-only");
                meetings.incrementAndGet();
            }
        });
    }

    private void readElements(Random random) {
        Marked marked = any(random);
        unlessClosed(marked, () -> {
            LongTensorData data = marked.data;
            int side = marked.side;
            for (int i = 0; i < side; i++) {
                for (int j = 0; j < side; j++) {
                    marked.check(data.get(i, j), i, j);
                }
            }
            LongTensorData flipped = data.slice(TensorIndex.flip(), TensorIndex.step(2));
            for (int i = 0; i < side; i++) {
                for (int j = 0; 2 * j < side; j++) {
                    marked.check(flipped.get(i, j), side - 1 - i, 2 * j);
                }
            }
        });
    }

    private void readScalars(Random random) {
        Marked marked = any(random);
        unlessClosed(marked, () -> {
            int side = marked.side;
            LongTensorIterator scalars = marked.data.scalars();
            for (int n = 0; scalars.hasMoreElements(); n++) {
                marked.check(scalars.get(), n / side, n % side);
            }
            int[] n = {0};
            marked.data.slice(TensorIndex.all(), TensorIndex.flip()).scalars()
                .forEach(value -> marked.check(value, n[0] / side, side - 1 - n[0]++ % side));
            int i = 0;
            for (LongTensorData row : marked.data.elements()) {
                marked.check(row.get(0), i, 0);
                marked.check(row.slice(side - 1).get(), i++, side - 1);
            }
        });
    }

    private void copy(Random random) {
        Marked marked = any(random);
        unlessClosed(marked, () -> {
            int side = marked.side;
            long[] row = new long[side];
            int i = random.nextInt(side);
            marked.data.get(row, i);
            for (int j = 0; j < side; j++) {
                marked.check(row[j], i, j);
            }
            long[] half = new long[side * ((side + 1) / 2)];
            marked.data.slice(TensorIndex.flip(), TensorIndex.step(2)).copyTo(half);
            checkHalf(marked, LongBuffer.wrap(half));
            LongBuffer buffer = ByteBuffer.allocateDirect(half.length * Long.BYTES).order(ByteOrder.nativeOrder()).asLongBuffer();
            marked.data.slice(TensorIndex.flip(), TensorIndex.step(2)).get(buffer);
            checkHalf(marked, buffer);
        });
    }

    private static void checkHalf(Marked marked, LongBuffer half) {
        int columns = (marked.side + 1) / 2;
        for (int n = 0; n < half.capacity(); n++) {
            marked.check(half.get(n), marked.side - 1 - n / columns, n % columns * 2);
        }
    }

    private void copyToTensors(Random random) {
        Marked marked = any(random);
        unlessClosed(marked, () -> {
            int side = marked.side;
            try (Tensor<Long> copy = Tensors.denseLong(new long[] {side, side}, data -> {
                data.put(marked.data);
                data.slice(TensorIndex.flip(), TensorIndex.flip()).put(marked.data);
            })) {
                LongTensorData data = copy.longData();
                for (int n = 0; n < side * side; n++) {
                    marked.check(data.get(n / side, n % side), side - 1 - n / side, side - 1 - n % side);
                }
            }
        });
    }

    /** Reads tensors' bytes, which can be read for ever. */
    private void readBytes(Random random) {
        Marked marked = any(random);
        unlessClosed(marked, () -> {
            for (int round = 0; round < 5; round++) {
                for (int n = 0; n < marked.bytes.capacity(); n++) {
                    marked.check(marked.bytes.get(n), n / marked.side, n % marked.side);
                }
                if (marked.tensor.isClosed()) {
                    meetings.incrementAndGet();
                }
            }
        });
    }

    @Test
    void closingFromAllThreadsAtOnceHasOneEffect() throws Exception {
        MemoryBalance.settleSmall();
        long before = MemoryStats.current().tensorsAlive();
        long bytes = MemoryStats.current().bytesInUse();
        for (int n : new int[] {10, 20_000}) {
            // Many in a row: who comes late finds those closed that others had, catches up and meets them.
            Tensor<?>[] current = new Tensor<?>[500];
            long[] alive = {0};
            RaceTeam.rounds(30 * Expect.depth(), () -> {
                Arrays.setAll(current, i -> Tensors.denseInt(new long[] {n}, data -> data.put(7, n - 1)));
                alive[0] = MemoryStats.current().tensorsAlive();
            }, thread -> {
                for (Tensor<?> tensor : current) {
                    tensor.close();
                    assertTrue(tensor.isClosed());
                }
            }, () -> assertEquals(alive[0] - current.length, MemoryStats.current().tensorsAlive()));
        }
        assertEquals(before, MemoryStats.current().tensorsAlive());
        assertEquals(bytes, MemoryStats.current().bytesInUse());
    }

    @Test
    void nativeCopiesRaceWithClose() throws Exception {
        int side = 1000;
        Marked[] current = {null};
        int[] half = new int[RaceTeam.THREADS];
        // Each round: a big tensor, seven threads that copy every second column of it, and one that closes it.
        RaceTeam.rounds(40 * Expect.depth(), () -> {
            Marked marked = new Marked(marks.incrementAndGet(), side);
            marked.tensor = Tensors.denseLong(new long[] {side, side}, data -> {
                int[] n = {0};
                data.scalars().onEach(() -> marked.value(n[0] / side, n[0]++ % side));
            });
            marked.data = marked.tensor.longData();
            current[0] = marked;
        }, thread -> {
            Marked marked = current[0];
            if (thread == 0) {
                marked.tensor.close();
                return;
            }
            try {
                long[] copy = new long[side * side / 2];
                marked.data.slice(TensorIndex.flip(), TensorIndex.step(2)).copyTo(copy);
                // The memory was pinned, so that a copy that was made at all is whole.
                for (int n = 0; n < copy.length; n++) {
                    if (copy[n] != marked.value(side - 1 - n / (side / 2), n % (side / 2) * 2)) {
                        throw new AssertionError("element " + n + " of the copy is " + copy[n]);
                    }
                }
                half[thread]++;
            } catch (TensorClosedException e) {
                meetings.incrementAndGet();
            }
        }, () -> assertTrue(current[0].tensor.isClosed()));
        assertEquals((RaceTeam.THREADS - 1) * 40L * Expect.depth(), Arrays.stream(half).sum() + meetings.get());
    }

    @Test
    void copiesBetweenTensorsRaceWithClosesOfBoth() throws Exception {
        int side = 300;
        int n = side * side;
        Tensor<?>[] source = {null};
        Tensor<?>[] bystander = {null};
        CountDownLatch[] shown = {null};
        LongTensorData[] target = {null};
        AtomicLong met = new AtomicLong();
        RaceTeam.rounds(40 * Expect.depth(), () -> {
            shown[0] = new CountDownLatch(1);
            source[0] = Tensors.denseLong(new long[] {n}, data -> data.scalars().onEach(() -> 5));
            bystander[0] = Tensors.denseLong(new long[] {n}, data -> data.scalars().onEach(() -> 6));
        }, thread -> {
            if (thread == 0) {
                try {
                    Tensors.denseLong(new long[] {n}, data -> {
                        target[0] = data;
                        shown[0].countDown();
                        for (int i = 0; i < 2; i++) {
                            data.slice(TensorIndex.flip()).put(data);
                        }
                        throw GIVEN_UP;         // closes the target
                    });
                } catch (RuntimeException e) {
                    assertSame(GIVEN_UP, e);
                }
                source[0].close();
                return;
            }
            try {
                shown[0].await();
                LongTensorData from = source[0].longData();
                // Ends when one of the two is closed.
                for (int i = 0; ; i++) {
                    if (i % 2 == 0) {
                        target[0].slice(TensorIndex.flip()).put(from);
                    } else {
                        from.slice(TensorIndex.range(0, n, 3)).get(target[0].slice(TensorIndex.range(n - 1, 1, -3)));
                    }
                }
            } catch (TensorClosedException e) {
                met.incrementAndGet();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, () -> {
            bystander[0].longData().scalars().forEach(value -> assertEquals(6, value));
            bystander[0].close();
            try (Tensor<Long> next = Tensors.denseLong(new long[] {n}, data -> data.scalars().forEach(value -> assertEquals(0, value)))) {
                assertEquals(n, next.numElements());
            }
        });
        assertEquals((RaceTeam.THREADS - 1) * 40L * Expect.depth(), met.get());
    }
}
