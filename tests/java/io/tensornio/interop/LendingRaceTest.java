package io.tensornio.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.internal.memory.Garbage;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.RaceTeam;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Threads pin, read, close and forget one tensor at once, while others are collected. Whoever holds a pin sees the tensor's values, and so does who
 * reads adopted memory by data or buffers; what adopted memory is given back is called once. With a depth of 1000 these are millions of rounds.
 */
@ExtendWith(MemoryBalance.class)
class LendingRaceTest {
    private static final int ROUNDS = 3000;
    private static final int MARK = 42;
    private static final int AFTER = -1;
    private static final int FEW = 16;
    private static final int MANY = 20_000;

    private final AtomicLong adopted = new AtomicLong();
    private final AtomicLong given = new AtomicLong();
    private volatile Tensor<?> tensor;
    private int round;

    /** Adopted memory, which is spoilt as soon as it is given back. */
    private Tensor<?> adopt(int n, boolean unchecked) {
        ByteBuffer memory = ByteBuffer.allocateDirect(4 * n).order(ByteOrder.nativeOrder());
        fill(memory.asFloatBuffer(), MARK);
        AtomicInteger calls = new AtomicInteger();
        adopted.incrementAndGet();
        Runnable release = () -> {
            if (calls.incrementAndGet() != 1) {
                given.set(Long.MIN_VALUE);
            }
            given.incrementAndGet();
            fill(memory.asFloatBuffer(), AFTER);
        };
        return unchecked ? Foreign.adoptUnchecked(DataType.FLOAT, new long[] {n}, memory, release)
            : Foreign.adopt(DataType.FLOAT, new long[] {n}, memory, release);
    }

    private static void fill(FloatBuffer buffer, float value) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, value);
        }
    }

    private void begin() {
        int n = round % 16 == 0 ? MANY : FEW;
        tensor = round % 3 == 0 ? Tensors.denseFloat(new long[] {n}, data -> data.put(FloatTensorData.constant(MARK, n)))
            : adopt(n, round % 3 == 1 && round % 2 == 0);
        round++;
    }

    private void check(float seen, String by) {
        assertEquals(MARK, seen, () -> by + " in round " + round);
    }

    private void act(int thread) {
        SplittableRandom random = new SplittableRandom(31L * round + thread);
        Tensor<?> mine = tensor;
        boolean unchecked = (round - 1) % 3 == 1 && (round - 1) % 2 == 0;
        boolean own = (round - 1) % 3 == 0;
        try {
            switch (random.nextInt(6)) {
                case 0:
                    mine.close();
                    break;
                case 1:
                    Pin closed = Pin.of(mine);
                    ByteBuffer seen = closed.buffer();
                    check(seen.getFloat(0), "a pin");
                    check(seen.getFloat(seen.capacity() - 4), "a pin");
                    closed.close();
                    closed.close();
                    break;
                case 2:
                    check(Pin.of(mine).buffer().getFloat(4), "a pin that is forgotten");
                    break;
                case 3:
                    try (Pin pin = Pin.of(mine)) {
                        assertTrue(pin.address() != 0);
                    }
                    break;
                case 4:
                    FloatTensorData data = mine.floatData();
                    float value = data.get(random.nextInt((int) data.size(0)));
                    if (!own && !unchecked) {
                        check(value, "data of adopted memory");
                    }
                    break;
                default:
                    ByteBuffer kept = mine.asByteBuffer();
                    float last = kept.getFloat(kept.capacity() - 4);
                    if (!own && !unchecked) {
                        check(last, "a buffer of adopted memory");
                    }
                    break;
            }
        } catch (TensorClosedException e) {
            assertTrue(mine.isClosed());
        }
    }

    private void end() {
        if (round % 5 != 0) {
            tensor.close();             // others are for the collector
        }
        if (round % 1000 == 0) {
            System.gc();
        }
    }

    @Test
    void whoeverHoldsMemorySeesItsValuesAndItIsGivenBackOnce() throws Exception {
        MemoryStats before = MemoryStats.current();
        RaceTeam.rounds(ROUNDS * Expect.depth(), this::begin, this::act, this::end);
        tensor = null;
        Garbage.collectUntil(() -> given.get() == adopted.get() || given.get() < 0);
        assertEquals(adopted.get(), given.get());
        assertTrue(MemoryStats.current().foreignBytes() <= before.foreignBytes());
        MemoryBalance.settleSmall();
        Garbage.collectUntilNoMoreThan(before);
    }
}
