package io.tensornio.support;

import io.tensornio.AbstractBooleanTensorData;
import io.tensornio.AbstractIntTensorData;
import io.tensornio.AbstractLongTensorData;
import io.tensornio.BooleanTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.TensorIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** An index, and what it should select: positions of one axis, coordinates of several, a new axis, or all that the others leave. */
public final class Pick {
    /** How many axes an ellipsis takes: those that are left. */
    public static final int REST = -1;

    public final TensorIndex index;
    /** Whether the axes that it takes are gone afterwards. */
    public final boolean drops;
    /** How many axes of the source it takes. */
    public final int takes;
    /** The positions that it selects of its axis; of several axes the one of each. */
    public final int[] chosen;
    /** Makes what the index was made from say what it says, and something else. */
    private final Runnable set;
    private final Runnable spoil;

    private Pick(TensorIndex index, boolean drops, int takes, int[] chosen, Runnable set, Runnable spoil) {
        this.index = index;
        this.drops = drops;
        this.takes = takes;
        this.chosen = chosen;
        this.set = set;
        this.spoil = spoil;
    }

    public Pick(TensorIndex index, boolean drops, int... chosen) {
        this(index, drops, 1, chosen, () -> { }, () -> { });
    }

    private static Pick ofNoAxis(TensorIndex index, int takes) {
        return new Pick(index, false, takes, new int[0], () -> { }, () -> { });
    }

    public static Pick at(int i) {
        return new Pick(TensorIndex.at(i), true, i);
    }

    public static Pick all(int size) {
        return new Pick(TensorIndex.all(), false, IntStream.range(0, size).toArray());
    }

    public static Pick flip(int size) {
        return new Pick(TensorIndex.flip(), false, IntStream.range(0, size).map(i -> size - 1 - i).toArray());
    }

    public static Pick step(int size, int k) {
        return new Pick(TensorIndex.step(k), false, IntStream.range(0, size).filter(i -> i % k == 0).toArray());
    }

    /** The range between two positions that do not count from the end. */
    public static Pick range(int start, int end, int step) {
        return new Pick(TensorIndex.range(start, end, step), false, between(start, end, step));
    }

    /** Positions that do not count from the end. */
    public static Pick incl(int... positions) {
        return new Pick(TensorIndex.incl(positions), false, positions);
    }

    public static Pick newAxis() {
        return ofNoAxis(TensorIndex.newAxis(), 0);
    }

    public static Pick ellipsis() {
        return ofNoAxis(TensorIndex.ellipsis(), REST);
    }

    public static long[] longs(int... values) {
        return Arrays.stream(values).asLongStream().toArray();
    }

    private static int[] between(int start, int end, int step) {
        IntStream.Builder chosen = IntStream.builder();
        for (int i = start; step > 0 ? i < end : i > end; i += step) {
            chosen.add(i);
        }
        return chosen.build().toArray();
    }

    // ---- By chance -------------------------------------------------------------------------------------------------

    /** Kinds of an index for one axis; those from here on need an axis with positions. */
    private static final int KINDS = 17;
    private static final int ANY = 13;

    /** A pick of one axis, of any kind that has one. */
    public static Pick random(Random random, int size) {
        switch (random.nextInt(size > 0 ? KINDS : ANY)) {
            case 0:
                return all(size);
            case 1:
                return flip(size);
            case 2:
                return step(size, 1 + random.nextInt(4));
            case 3:
                return inside(random, size, 1);
            case 4:
                return inside(random, size, 1 + random.nextInt(3));
            case 5:
                return downwards(random, size, -1 - random.nextInt(3));
            case 6:
                return empty(random, size);
            case 7:
                return excl(random, size);
            case 8:
                return new Pick(TensorIndex.even(), false, between(0, size, 2));
            case 9:
                return new Pick(TensorIndex.odd(), false, between(1, size, 2));
            case 10: {
                int m = 1 + random.nextInt(4);
                return new Pick(TensorIndex.mod(m), false, between(0, size, m));
            }
            case 11: {
                int start = random.nextInt(size + 1);
                if (random.nextBoolean()) {
                    return new Pick(TensorIndex.from(fromEnd(random, start, size)), false, between(start, size, 1));
                }
                return new Pick(TensorIndex.to(fromEnd(random, start, size)), false, between(0, start, 1));
            }
            case 12:
                return mask(random, size);
            case 13: {
                int i = random.nextInt(size);
                return new Pick(TensorIndex.at(fromEnd(random, i, size)), true, i);
            }
            case 14:
                return scalar(random, size);
            default:
                return list(random, size);
        }
    }

    private static Pick inside(Random random, int size, int step) {
        int start = random.nextInt(size + 1);
        int end = random.nextInt(size + 1);
        long from = fromEnd(random, start, size);
        long to = fromEnd(random, end, size);
        TensorIndex index = step == 1 && random.nextBoolean() ? TensorIndex.range(from, to) : TensorIndex.range(from, to, step);
        return new Pick(index, false, between(start, end, step));
    }

    private static Pick downwards(Random random, int size, int step) {
        if (size == 0) {
            return new Pick(TensorIndex.range(0, 0, step), false);
        }
        int start = random.nextInt(size);
        int end = random.nextInt(size);
        return new Pick(TensorIndex.range(fromEnd(random, start, size), fromEnd(random, end, size), step), false, between(start, end, step));
    }

    /** A range that its step does not lead along, with ends inside of the axis and outside. */
    private static Pick empty(Random random, int size) {
        int low = random.nextInt(3 * size + 3) - size;
        int high = low + random.nextInt(size + 2);
        long lower = low < 0 ? low - size : low;           // negative ones count from the end
        long higher = high < 0 ? high - size : high;
        int step = 1 + random.nextInt(3);
        return new Pick(random.nextBoolean() ? TensorIndex.range(higher, lower, step) : TensorIndex.range(lower, higher, -step), false);
    }

    private static Pick excl(Random random, int size) {
        int[] out = new int[size == 0 ? 0 : random.nextInt(size < 3 || random.nextInt(8) == 0 ? 2 * size : 3)];
        Arrays.setAll(out, n -> random.nextInt(size));
        BitSet left = new BitSet();
        left.set(0, size);
        Arrays.stream(out).forEach(left::clear);
        long[] asked = fromEnds(random, out, size);
        TensorIndex index = TensorIndex.excl(asked);
        Arrays.fill(asked, Long.MAX_VALUE);
        return new Pick(index, false, left.stream().toArray());
    }

    private static Pick mask(Random random, int size) {
        boolean[] mask = new boolean[size];
        int dense = random.nextInt(4);
        for (int i = 0; i < size; i++) {
            mask[i] = dense > random.nextInt(4);
        }
        boolean[] values = new boolean[3 * size];
        BooleanTensorData data = BooleanTensorData.of(values, 3, size).slice(1);
        boolean own = random.nextInt(4) == 0;
        BooleanTensorData given = !own ? data : new AbstractBooleanTensorData(size) {
            @Override
            protected boolean getAt(long[] indices) {
                return data.get((int) indices[0]);
            }
        };
        int[] chosen = IntStream.range(0, size).filter(i -> mask[i]).toArray();
        return new Pick(TensorIndex.mask(given), false, 1, chosen, () -> data.copyFrom(mask), () -> data.copyFrom(inverse(mask)));
    }

    private static boolean[] inverse(boolean... mask) {
        boolean[] inverse = new boolean[mask.length];
        for (int i = 0; i < mask.length; i++) {
            inverse[i] = !mask[i];
        }
        return inverse;
    }

    /** Data of rank 0, of either type, as an index and for take. */
    private static Pick scalar(Random random, int size) {
        int i = random.nextInt(size);
        Data data = new Data(random, fromEnd(random, i, size));
        return data.pick(random.nextBoolean() ? data.take() : data.index(), true, i);
    }

    /** Positions in any order, or evenly spaced, or only a few of them over and over. */
    private static Pick list(Random random, int size) {
        int[] chosen = new int[random.nextInt(8) == 0 ? random.nextInt(2) : random.nextInt(size + 3)];
        int start = random.nextInt(size);
        int step = random.nextInt(5) - 2;
        boolean evenly = random.nextInt(3) == 0;
        int of = random.nextInt(3) == 0 ? 1 + random.nextInt(2) : size;
        for (int n = 0; n < chosen.length; n++) {
            chosen[n] = evenly ? start + n * step : random.nextInt(Math.min(of, size));
            if (chosen[n] < 0 || chosen[n] >= size) {
                chosen = Arrays.copyOf(chosen, n);
            }
        }
        long[] asked = fromEnds(random, chosen, size);
        if (random.nextBoolean()) {
            TensorIndex index = TensorIndex.incl(asked);
            Arrays.fill(asked, Long.MAX_VALUE);
            return new Pick(index, false, chosen);
        }
        Data data = new Data(random, asked, 1);
        return data.pick(data.take(), false, chosen);
    }

    /** Data of rank 1 as an index: coordinates of the first axes of a shape. */
    private static Pick coordinates(Random random, int... shape) {
        int n = 0;
        while (n < shape.length && shape[n] > 0 && random.nextInt(3) > 0) {
            n++;
        }
        int[] chosen = new int[n];
        long[] asked = new long[n];
        for (int d = 0; d < n; d++) {
            chosen[d] = random.nextInt(shape[d]);
            asked[d] = fromEnd(random, chosen[d], shape[d]);
        }
        Data data = new Data(random, asked, 1);
        return data.pick(data.index(), true, chosen);
    }

    /** The same position counted from the end, half of the time where it can be. */
    private static int fromEnd(Random random, int i, int size) {
        return i < size && random.nextBoolean() ? i - size : i;
    }

    private static long[] fromEnds(Random random, int[] positions, int size) {
        return Arrays.stream(positions).mapToLong(i -> fromEnd(random, i, size)).toArray();
    }

    /** Picks for the first axes of a shape, and now and then new axes among them, or an ellipsis with picks for the last axes behind it. */
    public static Pick[] random(Random random, int... shape) {
        List<Pick> picks = new ArrayList<>();
        int front = random.nextInt(shape.length + 1);
        append(picks, random, Arrays.copyOf(shape, front));
        if (random.nextInt(5) == 0) {
            picks.add(ellipsis());
            append(picks, random, Arrays.copyOfRange(shape, front + random.nextInt(shape.length - front + 1), shape.length));
        }
        return picks.toArray(new Pick[0]);
    }

    /** Adds picks that take all of these axes. */
    private static void append(List<Pick> picks, Random random, int... axes) {
        for (int d = 0; d < axes.length; ) {
            addNewAxis(picks, random);
            Pick pick = random.nextInt(10) == 0 ? coordinates(random, Arrays.copyOfRange(axes, d, axes.length)) : random(random, axes[d]);
            picks.add(pick);
            d += pick.takes;
        }
        addNewAxis(picks, random);
    }

    private static void addNewAxis(List<Pick> picks, Random random) {
        if (random.nextInt(15) == 0) {
            picks.add(newAxis());
        }
    }

    // ---- Use -------------------------------------------------------------------------------------------------------

    public static TensorIndex[] indices(Pick... picks) {
        return Arrays.stream(picks).map(p -> p.index).toArray(TensorIndex[]::new);
    }

    /** The indices, whose data now says what it should until {@link #spoil} changes it. */
    public static TensorIndex[] set(Pick... picks) {
        for (Pick pick : picks) {
            pick.set.run();
        }
        return indices(picks);
    }

    /** Changes the data that indices were made from. */
    public static void spoil(Pick... picks) {
        for (Pick pick : picks) {
            pick.spoil.run();
        }
    }

    @Override
    public String toString() {
        boolean says = index instanceof io.tensornio.internal.layout.AxisIndex && !index.toString().contains("...");
        return says ? index.toString() : (drops ? "data at " : "data of ") + Arrays.toString(chosen);
    }

    /** {@code int} or {@code long} data of rank 0 or 1 for an index: an array with gaps, or a getter. */
    private static final class Data {
        private final long[] values;
        private final boolean isInt;
        private final int[] ints;
        private final long[] longs;
        private final IntTensorData intData;
        private final LongTensorData longData;

        public Data(Random random, long scalar) {
            this(random, new long[] {scalar}, 0);
        }

        public Data(Random random, long[] values, int rank) {
            this.values = values;
            isInt = random.nextBoolean();
            int n = values.length;
            int stride = 1 + random.nextInt(2);
            long[] shape = rank == 0 ? new long[0] : new long[] {n};
            ints = new int[stride * n];
            longs = new long[stride * n];
            TensorIndex[] every = {rank == 0 ? TensorIndex.at(0) : TensorIndex.step(stride)};
            IntTensorData overInts = IntTensorData.of(ints).slice(every);
            LongTensorData overLongs = LongTensorData.of(longs).slice(every);
            boolean getter = random.nextInt(4) == 0;
            intData = !getter ? overInts : new AbstractIntTensorData(shape) {
                @Override
                protected int getAt(long[] indices) {
                    return indices.length == 0 ? overInts.get() : overInts.get((int) indices[0]);
                }
            };
            longData = !getter ? overLongs : new AbstractLongTensorData(shape) {
                @Override
                protected long getAt(long[] indices) {
                    return indices.length == 0 ? overLongs.get() : overLongs.get((int) indices[0]);
                }
            };
        }

        public TensorIndex index() {
            return isInt ? intData : longData;
        }

        public TensorIndex take() {
            return isInt ? TensorIndex.take(intData) : TensorIndex.take(longData);
        }

        public Pick pick(TensorIndex index, boolean drops, int... chosen) {
            return new Pick(index, drops, drops ? chosen.length : 1, chosen, this::set, this::spoil);
        }

        private void set() {
            int stride = values.length == 0 ? 1 : ints.length / values.length;
            for (int i = 0; i < values.length; i++) {
                ints[i * stride] = (int) values[i];
                longs[i * stride] = values[i];
            }
        }

        private void spoil() {
            Arrays.fill(ints, 77);
            Arrays.fill(longs, Long.MIN_VALUE);
        }
    }
}
