package io.tensornio.internal.memory;

import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes and closes tensors under conditions of a JVM of its own; run by {@link AddressLimitTest}, {@link MemoryStatsTest} and {@link StackEndTest}.
 */
public final class ClosingProgram {
    /** Frames from the end of the stack within which the library may run out of it. */
    private static final int LAST_FRAMES = 200;

    private ClosingProgram() {
    }

    /** What to do, the bytes of a tensor, how often. */
    public static void main(String[] arguments) {
        int n = Integer.parseInt(arguments[1]) / Float.BYTES;
        int rounds = Integer.parseInt(arguments[2]);
        switch (arguments[0]) {
            case "loop":
                loop(n, rounds);
                break;
            case "drop":
                for (int round = 0; round < rounds; round++) {
                    make(n);
                }
                System.out.println("dropped " + rounds);
                break;
            case "peak":
                peak(n, rounds);
                break;
            case "drained":
                drainBeside();
                loop(n, rounds);
                break;
            case "keep":
                keep(n, rounds);
                break;
            case "overflow":
                for (int round = 0; round < rounds; round++) {
                    closeAtTheEndOfTheStack(n, round % LAST_FRAMES);
                }
                // What was marked as closed and no more is freed as if it had been forgotten.
                Garbage.collectUntil(() -> MemoryStats.current().tensorsAlive() == 0);
                System.out.println("alive 0 with " + MemoryStats.current().bytesInUse() + " bytes");
                break;
            default:
                throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void loop(int n, int rounds) {
        for (int round = 0; round < rounds; round++) {
            make(n).close();
        }
        System.out.println("closed " + rounds + ", alive " + MemoryStats.current().tensorsAlive());
    }

    /** Many small tensors, then a large one: no two of the figures that are added up may be of different moments. */
    private static void peak(int n, int rounds) {
        List<Tensor<Float>> small = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            small.add(make(16));
        }
        long first = MemoryStats.current().bytesInUse();
        small.forEach(Tensor::close);
        make(n).close();
        MemoryStats stats = MemoryStats.current();
        System.out.println("small " + first + ", peak " + stats.peakBytes() + ", budget " + stats.maxMemory());
    }

    private static Tensor<Float> make(int n) {
        return Tensors.denseFloat(new long[] {n}, data -> data.put(1, 0));
    }

    /** A thread that releases what the collector has found as soon as it can, as the janitor does now and then. */
    private static void drainBeside() {
        Thread drains = new Thread(() -> {
            while (true) {
                Memory.drain();
            }
        });
        drains.setDaemon(true);
        drains.start();
    }

    private static void keep(int n, int rounds) {
        List<Tensor<Float>> kept = new ArrayList<>();
        try {
            for (int round = 0; round < rounds; round++) {
                kept.add(make(n));
            }
        } catch (OutOfMemoryError e) {
            System.out.println("refused after " + kept.size() + ": " + e.getMessage());
        }
    }

    private static void closeAtTheEndOfTheStack(int n, int frames) {
        int[] depth = {0};
        try {
            descend(depth);
        } catch (StackOverflowError e) {
            depth[0] -= frames;
        }
        Tensor<Float> tensor = make(n);
        try {
            descend(depth[0], tensor);
        } catch (StackOverflowError e) {
            depth[0] = 0;
        }
        tensor.close();
        if (!tensor.isClosed()) {
            throw new AssertionError(tensor);
        }
    }

    private static int descend(int[] depth) {
        depth[0]++;
        return descend(depth) + 1;
    }

    private static void descend(int frames, Tensor<?> tensor) {
        if (frames > 0) {
            descend(frames - 1, tensor);
        } else {
            tensor.close();
        }
    }
}
