package io.tensornio;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/** An index, and the positions of one axis that it should select. */
final class Pick {
    final TensorIndex index;
    final boolean drops;
    final int[] chosen;

    Pick(TensorIndex index, boolean drops, int... chosen) {
        this.index = index;
        this.drops = drops;
        this.chosen = chosen;
    }

    static Pick at(int i) {
        return new Pick(TensorIndex.at(i), true, i);
    }

    static Pick all(int size) {
        return new Pick(TensorIndex.all(), false, IntStream.range(0, size).toArray());
    }

    static Pick flip(int size) {
        return new Pick(TensorIndex.flip(), false, IntStream.range(0, size).map(i -> size - 1 - i).toArray());
    }

    static Pick step(int size, int k) {
        return new Pick(TensorIndex.step(k), false, IntStream.range(0, size).filter(i -> i % k == 0).toArray());
    }

    /** The range between two positions that do not count from the end. */
    static Pick range(int start, int end, int step) {
        return new Pick(TensorIndex.range(start, end, step), false, between(start, end, step));
    }

    private static int[] between(int start, int end, int step) {
        IntStream.Builder chosen = IntStream.builder();
        for (int i = start; step > 0 ? i < end : i > end; i += step) {
            chosen.add(i);
        }
        return chosen.build().toArray();
    }

    static Pick random(Random random, int size) {
        switch (random.nextInt(size > 0 ? 7 : 6)) {
            case 0:
                return all(size);
            case 1:
                return flip(size);
            case 2:
                return step(size, 1 + random.nextInt(4));
            case 3: {
                int start = random.nextInt(size + 1);
                int end = random.nextInt(size + 1);
                TensorIndex index = TensorIndex.range(fromEnd(random, start, size), fromEnd(random, end, size));
                return new Pick(index, false, between(start, end, 1));
            }
            case 4: {
                int start = random.nextInt(size + 1);
                int end = random.nextInt(size + 1);
                int step = 1 + random.nextInt(3);
                TensorIndex index = TensorIndex.range(fromEnd(random, start, size), fromEnd(random, end, size), step);
                return new Pick(index, false, between(start, end, step));
            }
            case 5: {
                if (size == 0) {
                    return new Pick(TensorIndex.range(0, 0, 2), false);
                }
                int start = random.nextInt(size);
                int end = random.nextInt(size);
                int step = -1 - random.nextInt(3);
                TensorIndex index = TensorIndex.range(fromEnd(random, start, size), fromEnd(random, end, size), step);
                return new Pick(index, false, between(start, end, step));
            }
            default: {
                int i = random.nextInt(size);
                return new Pick(TensorIndex.at(fromEnd(random, i, size)), true, i);
            }
        }
    }

    /** The same position counted from the end, half of the time where it can be. */
    private static int fromEnd(Random random, int i, int size) {
        return i < size && random.nextBoolean() ? i - size : i;
    }

    static TensorIndex[] indices(Pick... picks) {
        return Arrays.stream(picks).map(p -> p.index).toArray(TensorIndex[]::new);
    }

    /** Picks for the first axes of a shape. */
    static Pick[] random(Random random, int... shape) {
        Pick[] picks = new Pick[random.nextInt(shape.length + 1)];
        Arrays.setAll(picks, d -> random(random, shape[d]));
        return picks;
    }

    @Override
    public String toString() {
        return String.valueOf(index);
    }
}
