package io.tensornio.internal.ragged;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.RaceTeam;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Ragged tensors that are closed while others read them. A reader sees values of its own tensor, zeros once it is closed, or
 * {@link TensorClosedException}; nothing else is thrown, although row splits may be read as zeros.
 */
@ExtendWith(MemoryBalance.class)
class RaggedRaceTest {
    private final AtomicLong marks = new AtomicLong();
    private final AtomicLong met = new AtomicLong();
    private final AtomicReference<RaggedTensor<Long>> open = new AtomicReference<>();

    /** Rows of 0 to 40 elements, each of which is the mark of its tensor. */
    private void create(Random random) {
        long mark = marks.incrementAndGet();
        int rows = random.nextInt(3) == 0 ? 20_000 : 1 + random.nextInt(200);
        RaggedTensor<Long> next = Tensors.raggedLong(new long[] {rows, -1}, data -> {
            for (int i = 0; i < rows; i++) {
                long[] row = new long[i % 41];
                java.util.Arrays.fill(row, mark << 20 | i);
                data.put(row, i);
            }
        });
        RaggedTensor<Long> old = open.getAndSet(next);
        if (old != null) {
            old.close();
        }
    }

    private void check(RaggedTensor<Long> tensor, long read) {
        assertTrue(read == 0 || (read & (1 << 20) - 1) < 20_000, () -> "reads " + read);
        if (read == 0) {
            // Row 0 has no elements, so that no element is 0.
            assertTrue(tensor.isClosed(), "reads 0 while open");
        }
    }

    private void read(Random random) {
        RaggedTensor<Long> tensor = open.get();
        if (tensor == null) {
            return;
        }
        try {
            LongTensorData data = tensor.longData();
            int rows = (int) data.size(0);
            long mark = -1;
            for (int n = 0; n < 200; n++) {
                int i = random.nextInt(rows);
                LongTensorData row = data.slice(i);
                if (row.size(0) != i % 41) {
                    assertTrue(tensor.isClosed(), () -> "row " + i + " has " + row.size(0));
                }
                for (long value : row.stream().toArray()) {
                    check(tensor, value);
                    if (value != 0) {
                        mark = mark < 0 ? value >> 20 : mark;
                        assertTrue(value >> 20 == mark, "two marks in one tensor");
                    }
                }
                if (i % 41 > 0) {
                    try {
                        check(tensor, data.get(i, i % 41 - 1));
                    } catch (IndexOutOfBoundsException e) {
                        assertTrue(tensor.isClosed(), e.getMessage());
                    }
                }
            }
            switch (random.nextInt(4)) {
                case 0:
                    data.slice(TensorIndex.flip(), TensorIndex.step(2)).scalars().forEach(value -> check(tensor, value));
                    break;
                case 1:
                    data.scalars().forEach(value -> check(tensor, value));
                    break;
                case 2:
                    data.toString();
                    break;
                default:
                    data.slice(TensorIndex.all(), TensorIndex.to(1)).stream().parallel().forEach(value -> check(tensor, value));
            }
        } catch (TensorClosedException e) {
            met.incrementAndGet();
        }
    }

    @Test
    void readersMeetACloseAndSeeNothingForeign() throws Exception {
        RaceTeam team = new RaceTeam(() -> marks.get() < 300L * Expect.depth() || met.get() == 0);
        team.add(1, this::create);
        team.add(4, this::read);
        team.run();
        open.get().close();
    }
}
