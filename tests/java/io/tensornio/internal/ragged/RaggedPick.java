package io.tensornio.internal.ragged;

import io.tensornio.BooleanTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.TensorIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** An index for slices of data with rows of different lengths, and what it selects, found naively. */
final class RaggedPick {
    private enum Kind { AT, ALL, INCL, EXCL, RANGE, FROM, TO, STEP, ODD, FLIP, NEW_AXIS, TAKE, MASK }

    private final Kind kind;
    private final int[] numbers;
    final TensorIndex index;

    private RaggedPick(Kind kind, TensorIndex index, int... numbers) {
        this.kind = kind;
        this.index = index;
        this.numbers = numbers;
    }

    /** Whether it names one position, as a coordinate does. */
    boolean isAt() {
        return kind == Kind.AT;
    }

    /**
     * One at random.
     *
     * @param size of the axis, -1 of a ragged one
     * @param shortest its shortest row
     * @param longest its longest row
     */
    static RaggedPick random(Random random, int size, int shortest, int longest) {
        int low = -longest - 1;
        int span = 2 * longest + 3;
        while (true) {
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            int a = low + random.nextInt(span);
            int b = low + random.nextInt(span);
            int step = 1 + random.nextInt(3);
            switch (kind) {
                case AT:
                    if (shortest > 0) {
                        int i = random.nextInt(2 * shortest) - shortest;
                        return new RaggedPick(kind, TensorIndex.at(i), i);
                    }
                    break;
                case ALL:
                    return new RaggedPick(kind, TensorIndex.all());
                case INCL:
                case TAKE:
                    int n = shortest == 0 ? 0 : random.nextInt(4);
                    int[] some = random.ints(n, -shortest, Math.max(shortest, -shortest + 1)).toArray();
                    long[] wide = Arrays.stream(some).asLongStream().toArray();
                    return new RaggedPick(kind, kind == Kind.INCL ? TensorIndex.incl(wide) : TensorIndex.take(IntTensorData.of(some)), some);
                case EXCL:
                    int[] out = size < 0 ? random.ints(random.nextInt(3), low, low + span).toArray()
                        : size == 0 ? new int[0] : random.ints(random.nextInt(3), -size, size).toArray();
                    return new RaggedPick(kind, TensorIndex.excl(Arrays.stream(out).asLongStream().toArray()), out);
                case RANGE:
                    if (size < 0) {
                        int signed = random.nextBoolean() ? step : -step;
                        return new RaggedPick(kind, TensorIndex.range(a, b, signed), a, b, signed);
                    }
                    int from = random.nextInt(size + 1);
                    int to = random.nextInt(size + 1);
                    return new RaggedPick(kind, TensorIndex.range(from, to, step), from, to, step);
                case FROM:
                    int first = size < 0 ? a : random.nextInt(size + 1);
                    return new RaggedPick(kind, TensorIndex.from(first), first);
                case TO:
                    int end = size < 0 ? b : random.nextInt(size + 1);
                    return new RaggedPick(kind, TensorIndex.to(end), end);
                case STEP:
                    return new RaggedPick(kind, TensorIndex.step(step), step);
                case ODD:
                    return new RaggedPick(kind, TensorIndex.odd());
                case FLIP:
                    return new RaggedPick(kind, TensorIndex.flip());
                case NEW_AXIS:
                    if (random.nextInt(3) == 0) {
                        return new RaggedPick(kind, TensorIndex.newAxis());
                    }
                    break;
                default:
                    if (size >= 0) {
                        boolean[] mask = new boolean[size];
                        int[] chosen = new int[size];
                        for (int i = 0; i < size; i++) {
                            mask[i] = random.nextBoolean();
                            chosen[i] = mask[i] ? 1 : 0;
                        }
                        return new RaggedPick(kind, TensorIndex.mask(BooleanTensorData.of(mask)), chosen);
                    }
            }
        }
    }

    boolean takesAxis() {
        return kind != Kind.NEW_AXIS;
    }

    boolean drops() {
        return kind == Kind.AT;
    }

    /** What the shape has where this is: nothing, or one size, -1 if rows may keep different numbers. */
    void addSizes(List<Long> sizes, long size) {
        if (kind == Kind.NEW_AXIS) {
            sizes.add(1L);
        } else if (kind == Kind.INCL || kind == Kind.TAKE) {
            sizes.add((long) numbers.length);
        } else if (kind != Kind.AT) {
            sizes.add(size < 0 ? -1L : positions((int) size).size());
        }
    }

    private static int fromEnd(int i, int n) {
        return i < 0 ? i + n : i;
    }

    /** The positions of a row that this selects, in order. */
    List<Integer> positions(int n) {
        List<Integer> all = new ArrayList<>();
        switch (kind) {
            case AT:
            case INCL:
            case TAKE:
                for (int i : numbers) {
                    all.add(fromEnd(i, n));
                }
                return all;
            case FLIP:
                for (int i = n - 1; i >= 0; i--) {
                    all.add(i);
                }
                return all;
            case RANGE:
                int to = fromEnd(numbers[1], n);
                int step = numbers[2];
                // Python's: ends outside of the row are moved to its ends, then it is walked step by step.
                int from = fromEnd(numbers[0], n);
                from = step > 0 ? Math.max(from, 0) : Math.min(from, n - 1);
                for (int i = from; step > 0 ? i < to && i < n : i > to && i >= 0; i += step) {
                    all.add(i);
                }
                return all;
            default:
                for (int i = 0; i < n; i++) {
                    if (keeps(i, n)) {
                        all.add(i);
                    }
                }
                return all;
        }
    }

    private boolean keeps(int i, int n) {
        switch (kind) {
            case EXCL:
                return Arrays.stream(numbers).noneMatch(out -> fromEnd(out, n) == i);
            case FROM:
                return i >= fromEnd(numbers[0], n);
            case TO:
                return i < fromEnd(numbers[0], n);
            case STEP:
                return i % numbers[0] == 0;
            case ODD:
                return i % 2 == 1;
            case MASK:
                return numbers[i] == 1;
            default:
                return true;
        }
    }

    @Override
    public String toString() {
        return kind + Arrays.toString(numbers);
    }
}
