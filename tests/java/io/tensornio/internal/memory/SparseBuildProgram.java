package io.tensornio.internal.memory;

import io.tensornio.FloatTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.SparseTensor;
import io.tensornio.Tensors;
import java.util.ArrayList;
import java.util.List;

/** What {@link SparseBuildTest} runs in JVMs of their own, with a budget that the memory for sorting does not fit. */
public final class SparseBuildProgram {
    private static final int N = 300_000;
    private static final int SIDE = 1_000_003;
    /** Of the result: coordinates and values. */
    private static final long RESULT = N * (2L * Long.BYTES + Float.BYTES);
    /** What pages and the unused ends of blocks may take. Keys alone need more. */
    private static final long SLACK = 256 << 10;
    private static final int MIB = 1 << 20;

    private SparseBuildProgram() {
    }

    /** Fills the budget with tensors that are dropped, or, if the first argument is {@code held}, kept, and then publishes. */
    public static void main(String[] arguments) {
        boolean isHeld = arguments[0].equals("held");
        List<Storage> held = new ArrayList<>();
        try (SparseTensor<Float> tensor = Tensors.sparseFloat(new long[] {SIDE, SIDE}, N, data -> {
            fill(data);
            MemoryStats stats = MemoryStats.current();
            for (long left = stats.maxMemory() - stats.bytesInUse() - RESULT - SLACK; left >= MIB; left -= MIB) {
                Storage storage = Storage.allocate(MIB, true);
                if (isHeld) {
                    held.add(storage);
                }
            }
        })) {
            check(tensor.floatData().get(place(7), place(11)) == 0 && tensor.floatData().get(place(N - 1), place(N - 1)) == N - 1);
            System.out.println("published");
        } catch (OutOfMemoryError e) {
            held.forEach(Storage::close);
            check(MemoryStats.current().bytesInUse() == 0);
            System.out.println(e.getMessage());
        }
    }

    /** On the diagonal, in no order. */
    private static void fill(FloatTensorData data) {
        for (int i = 0; i < N; i++) {
            data.put(i, place(i), place(i));
        }
    }

    private static int place(int i) {
        return (int) (i * 7_919L % SIDE);
    }

    private static void check(boolean condition) {
        if (!condition) {
            throw new AssertionError(MemoryStats.current().toString());
        }
    }
}
