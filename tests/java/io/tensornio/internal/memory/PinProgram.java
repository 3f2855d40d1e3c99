package io.tensornio.internal.memory;

import io.tensornio.internal.data.NativeCopies;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * What {@link PinTest} runs in JVMs of their own: one thread copies between a buffer and a large array while another allocates more than
 * the heap has. It watches the first and the last element that the copy writes, so that what it allocates between is allocated during the copy.
 *
 * <p>The copy writes each element as often as it takes: the first axis has a stride of 0 in the target, and of 1 in the source, so that the last
 * value tells from those before.
 */
public final class PinProgram {
    /** Transposed, so that nothing is one long run, and of odd sizes; one of the first axis is more than may be pinned for. */
    private static final int PAGES = 2;
    private static final int ROWS = 1021;
    private static final int COLUMNS = 1031;
    private static final int SIZE = PAGES * ROWS * COLUMNS;
    private static final int FROM_START = 5;
    private static final int TO_START = 3;
    /** A copy may be done before the other thread had its turns: then one twice as long follows, which is seconds at last. */
    private static final int FIRST = 4;
    private static final int MOST = 256;
    private static final int PIECE = 64 << 10;

    /** Stored, so that no compiler leaves it out. */
    private static volatile Object garbage;
    /** Whether the copy has ended, be it with a failure; read also so that no compiler reads elements in advance. */
    private volatile boolean ended;

    private final long[] array = new long[SIZE + FROM_START + TO_START + MOST];
    private final LongBuffer buffer = ByteBuffer.allocateDirect(array.length * Long.BYTES).order(ByteOrder.nativeOrder()).asLongBuffer();
    private final boolean toArray;
    /** How many times each element is written. */
    private int times = FIRST;

    private PinProgram(boolean toArray) {
        this.toArray = toArray;
    }

    /** Copies to an array or from one, as the first argument says. */
    public static void main(String[] arguments) {
        PinProgram program = new PinProgram(Boolean.parseBoolean(arguments[0]));
        while (!program.collects()) {
            if (program.times == MOST) {
                throw new AssertionError("no collection during a copy that writes each element " + MOST + " times");
            }
            program.times *= 2;
        }
    }

    private long written(int i) {
        return toArray ? array[i] : buffer.get(i);
    }

    /** Whether a heap full of garbage was allocated during one copy, which takes a collection. */
    private boolean collects() {
        for (int i = 0; i < array.length; i++) {
            array[i] = toArray ? 0 : i + 1;
            buffer.put(i, toArray ? i + 1 : 0);
        }
        ended = false;
        boolean[] during = new boolean[1];
        Workers.run(2, n -> {
            if (n > 0) {
                during[0] = allocates();
                return;
            }
            try {
                long[] geometry = {times, PAGES, ROWS, COLUMNS, 1, ROWS * COLUMNS, 1, ROWS, 0, ROWS * COLUMNS, COLUMNS, 1};
                NativeCopies.copy(toArray ? buffer : array, FROM_START, toArray ? array : buffer, TO_START, geometry, Long.BYTES);
            } finally {
                ended = true;
            }
        });
        check();
        return during[0];
    }

    private boolean allocates() {
        while (!ended && written(TO_START) == 0) {
            Thread.yield();
        }
        // The array is in the heap as well, which cannot hold that much.
        for (long left = Runtime.getRuntime().maxMemory(); left > 0; left -= PIECE) {
            garbage = new byte[PIECE];
        }
        return !ended && written(TO_START + SIZE - 1) != expected(SIZE - 1);
    }

    /** What the copy writes to an element at last. */
    private long expected(int k) {
        int page = k / (ROWS * COLUMNS) * ROWS * COLUMNS;
        return FROM_START + page + (k - page) % COLUMNS * ROWS + (k - page) / COLUMNS + times;
    }

    private void check() {
        for (int i = 0; i < array.length; i++) {
            int k = i - TO_START;
            long expected = k < 0 || k >= SIZE ? 0 : expected(k);
            if (written(i) != expected) {
                throw new AssertionError("at " + i + " is " + written(i) + ", not " + expected);
            }
        }
    }
}
