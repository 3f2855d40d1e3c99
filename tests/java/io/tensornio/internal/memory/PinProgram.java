package io.tensornio.internal.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * What {@link PinTest} runs in JVMs of their own: one thread copies between a buffer and a large array while another allocates more than
 * the heap has. It watches the first and the last element that the copy writes, so that what it allocates between is allocated during the copy.
 */
public final class PinProgram {
    /** Transposed, so that nothing is one long run, and of odd sizes; one of the first axis is more than may be pinned for. */
    private static final int PAGES = 2;
    private static final int ROWS = 1021;
    private static final int COLUMNS = 1031;
    private static final int SIZE = PAGES * ROWS * COLUMNS;
    private static final int FROM_START = 5;
    private static final int TO_START = 3;
    private static final long[] GEOMETRY = {PAGES, ROWS, COLUMNS, ROWS * COLUMNS, 1, ROWS, ROWS * COLUMNS, COLUMNS, 1};
    /** A copy may be done before the other thread had its turn. */
    private static final int ATTEMPTS = 30;
    private static final int PIECE = 64 << 10;

    /** Stored, so that no compiler leaves it out. */
    private static volatile Object garbage;
    /** Whether the copy has ended, be it with a failure; read also so that no compiler reads elements in advance. */
    private volatile boolean ended;

    private final long[] array = new long[SIZE + FROM_START + TO_START];
    private final LongBuffer buffer = ByteBuffer.allocateDirect(array.length * Long.BYTES).order(ByteOrder.nativeOrder()).asLongBuffer();
    private final boolean toArray;

    private PinProgram(boolean toArray) {
        this.toArray = toArray;
    }

    /** Copies to an array or from one, as the first argument says. */
    public static void main(String[] arguments) {
        PinProgram program = new PinProgram(Boolean.parseBoolean(arguments[0]));
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (program.collects()) {
                return;
            }
        }
        throw new AssertionError("no collection during a copy, " + ATTEMPTS + " times");
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
                Native.copy(toArray ? buffer : array, FROM_START, toArray ? array : buffer, TO_START, GEOMETRY, Long.BYTES);
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
        // The array is in the heap as well: there is no room for that much.
        for (long left = Runtime.getRuntime().maxMemory(); left > 0; left -= PIECE) {
            garbage = new byte[PIECE];
        }
        return !ended && written(TO_START + SIZE - 1) == 0;
    }

    private void check() {
        for (int i = 0; i < array.length; i++) {
            int k = i - TO_START;
            int page = k / (ROWS * COLUMNS) * ROWS * COLUMNS;
            long expected = k < 0 || k >= SIZE ? 0 : 1 + FROM_START + page + (k - page) % COLUMNS * ROWS + (k - page) / COLUMNS;
            if (written(i) != expected) {
                throw new AssertionError("at " + i + " is " + written(i) + ", not " + expected);
            }
        }
    }
}
