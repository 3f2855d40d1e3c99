package io.tensornio.op;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.op.array.TopK;
import io.tensornio.op.array.Unique;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sorting, searching, counting, running sums and quantiles against loops, on random axes of random shapes with ties and NaN. */
@ExtendWith(MemoryBalance.class)
class OpsSortTest {
    private static final float NAN = Float.NaN;

    /** Operands that a collection finds within a scope go a little later. */
    @AfterEach
    void settle() {
        MemoryBalance.settleSmall();
    }

    private interface OfLane {
        /** A lane of the result for one of the operand. */
        double[] apply(double... lane);
    }

    /** Applies a function to each lane along an axis; results may be of another length. */
    private static Naive along(Naive x, int axis, int length, OfLane of) {
        long[] shape = x.shape.clone();
        shape[axis] = length;
        Map<List<Long>, double[]> lanes = new HashMap<>();
        return Naive.of(shape, at -> {
            long[] from = at.clone();
            from[axis] = 0;
            return lanes.computeIfAbsent(Arrays.stream(from).boxed().collect(Collectors.toList()), first -> {
                double[] lane = new double[(int) x.shape[axis]];
                for (int k = 0; k < lane.length; k++) {
                    from[axis] = k;
                    lane[k] = x.at(from);
                }
                return of.apply(lane);
            })[(int) at[axis]];
        });
    }

    /** Positions in order: NaN last in both directions, of equal ones the first. */
    private static int[] order(boolean descending, double... lane) {
        Comparator<Integer> byNumber = (a, b) -> {
            boolean nan = Double.isNaN(lane[a]);
            if (nan || Double.isNaN(lane[b])) {
                return Boolean.compare(nan, Double.isNaN(lane[b]));
            }
            return lane[a] == lane[b] ? 0 : lane[a] < lane[b] == descending ? 1 : -1;
        };
        return IntStream.range(0, lane.length).boxed().sorted(byNumber.thenComparing(a -> a)).mapToInt(Integer::intValue).toArray();
    }

    private static double[] placed(double[] lane, int... order) {
        return Arrays.stream(order).mapToDouble(at -> lane[at]).toArray();
    }

    /** Numbers with ties, and NaN if the type has it. */
    private static Naive numbers(Random random, DataType type, long... shape) {
        boolean isFloat = NumberTypes.FLOATING.contains(type);
        return Naive.random(() -> isFloat && random.nextInt(9) == 0 ? Double.NaN
            : (random.nextInt(11) - (type == DataType.UINT8 ? 0 : 5)) * (isFloat ? 0.5 : 1), shape);
    }

    private interface Case {
        void run(Ops tf, Random random, DataType type, Naive x, int axis);
    }

    private static void each(Case one) {
        Seeds.each(11, 60, (random, done) -> {
            for (DataType type : new DataType[] {DataType.FLOAT, DataType.DOUBLE, DataType.INT32, DataType.INT64, DataType.UINT8}) {
                long[] shape = Naive.shape(random, 1 + random.nextInt(3));
                if (random.nextInt(10) == 0) {
                    shape[random.nextInt(shape.length)] = 1500;     // long enough for the fast paths
                }
                int axis = random.nextInt(shape.length);
                done.append(' ').append(type).append(Arrays.toString(shape)).append(" axis ").append(axis);
                try (Ops tf = Ops.create()) {
                    one.run(tf, random, type, numbers(random, type, shape), axis);
                }
            }
        });
    }

    @Test
    void sorts() {
        each((tf, random, type, x, axis) -> {
            boolean descending = random.nextBoolean();
            Operand<Float> operand = x.operand(tf, type);
            int size = (int) x.shape[axis];
            along(x, axis, size, lane -> placed(lane, order(descending, lane)))
                .check(tf, tf.array.sort(operand, axis - x.shape.length, descending), type);
            along(x, axis, size, lane -> Arrays.stream(order(descending, lane)).asDoubleStream().toArray())
                .check(tf, tf.array.argsort(operand, axis, descending), DataType.INT64);
            int k = random.nextInt(size + 1);
            TopK<Float> top = tf.array.topK(operand, k, axis);
            along(x, axis, k, lane -> placed(lane, order(true, lane))).check(tf, top.values(), type);
            along(x, axis, k, lane -> Arrays.stream(order(true, lane)).asDoubleStream().toArray()).check(tf, top.indices(), DataType.INT64);
        });
    }

    private static double[] running(boolean exclusive, boolean reverse, double first, java.util.function.DoubleBinaryOperator step, double... lane) {
        double[] made = new double[lane.length];
        double carried = first;
        for (int n = 0; n < lane.length; n++) {
            int at = reverse ? lane.length - 1 - n : n;
            double next = step.applyAsDouble(carried, lane[at]);
            made[at] = exclusive ? carried : next;
            carried = next;
        }
        return made;
    }

    @Test
    void runs() {
        each((tf, random, type, x, axis) -> {
            boolean exclusive = random.nextBoolean();
            boolean reverse = random.nextBoolean();
            Operand<Float> operand = x.operand(tf, type);
            int size = (int) x.shape[axis];
            along(x, axis, size, lane -> running(exclusive, reverse, 0, (a, b) -> NumberTypes.narrow(type, a + b), lane))
                .check(tf, tf.array.cumsum(operand, axis, exclusive, reverse), type);
            double least = type == DataType.INT32 ? Integer.MIN_VALUE : type == DataType.INT64 ? Long.MIN_VALUE
                : type == DataType.UINT8 ? 0 : Double.NEGATIVE_INFINITY;
            along(x, axis, size, lane -> running(exclusive, reverse, least, Math::max, lane))
                .check(tf, tf.array.cummax(operand, axis, exclusive, reverse), type);
            Naive signs = Naive.of(x.shape, at -> type == DataType.UINT8 ? 1 : x.at(at) > 0 ? -1 : 1);
            along(signs, axis, size, lane -> running(exclusive, reverse, 1, (a, b) -> a * b, lane))
                .check(tf, tf.array.cumprod(signs.operand(tf, type), axis, exclusive, reverse), type);
        });
    }

    private static double quantile(double q, double... lane) {
        if (lane.length == 0 || Arrays.stream(lane).anyMatch(Double::isNaN)) {
            return Double.NaN;
        }
        double[] sorted = lane.clone();
        Arrays.sort(sorted);
        double at = q * (lane.length - 1);
        int low = (int) at;
        return sorted[low] + (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]) * (at - low);
    }

    @Test
    void quantiles() {
        each((tf, random, type, x, axis) -> {
            if (!NumberTypes.FLOATING.contains(type)) {
                return;
            }
            double q = random.nextInt(5) / 4.0;
            boolean[] reduced = new boolean[x.shape.length];
            reduced[axis] = true;
            x.reduce(reduced, false, lane -> quantile(q, lane)).check(tf, tf.reduce.quantile(x.operand(tf, type), q, axis), type);
            x.reduce(reduced, false, lane -> quantile(0.5, lane)).check(tf, tf.reduce.median(x.operand(tf, type), axis), type);
        });
    }

    @Test
    void distinctOnes() {
        each((tf, random, type, x, axis) -> {
            Operand<Float> operand = x.operand(tf, type);
            Unique<Float> unique = tf.array.unique(operand);
            double[] distinct = Arrays.stream(x.values).map(v -> v + 0.0).sorted().distinct().toArray();
            ToDoubleFunction<Double> place = v -> IntStream.range(0, distinct.length)
                .filter(n -> distinct[n] == v || Double.isNaN(v) && Double.isNaN(distinct[n])).findFirst().getAsInt();
            Naive.of(new long[] {distinct.length}, at -> distinct[(int) at[0]]).check(tf, unique.values(), type);
            Naive.of(x.shape, at -> place.applyAsDouble(x.at(at))).check(tf, unique.inverse(), DataType.INT64);
            Naive.of(new long[] {distinct.length}, at -> Arrays.stream(x.values).filter(v -> place.applyAsDouble(v) == at[0]).count())
                .check(tf, unique.counts(), DataType.INT64);
            boolean right = random.nextBoolean();
            Naive.of(x.shape, at -> {
                double v = x.at(at);
                return Arrays.stream(distinct).filter(d -> Double.isNaN(v) ? !Double.isNaN(d) || right : d < v || right && d == v).count();
            }).check(tf, tf.array.searchSorted(unique.values(), operand, right), DataType.INT64);
        });
    }

    /** A view that is no row-major tensor is sorted where it is. */
    @Test
    void anyLayout() {
        try (Ops tf = Ops.create();
            Tensor<Float> columns = Tensors.denseFloat(TensorLayout.columnMajor(2, 3),
                data -> data.put(FloatTensorData.of(new float[] {3, 1, 2, 6, 5, 4}, 2, 3)))) {
            Shown shown = new Shown(tf);
            shown.is("FLOAT[2,3] [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]", tf.array.sort(tf.constant(columns), 1));
        }
    }

    @Test
    void workedExamples() {
        try (Ops tf = Ops.create()) {
            Shown shown = new Shown(tf);
            shown.is("INT64[] 1", tf.array.searchSorted(tf.constant(new float[] {1, 2, 2, 3}), tf.constant(2f)));
            shown.is("INT64[] 3", tf.array.searchSorted(tf.constant(new float[] {1, 2, 2, 3}), tf.constant(2f), true));
            shown.is("INT64[2] [1, 3]", tf.array.histogram(tf.constant(new float[] {0, 0.5f, 1, 2, NAN, 1}), 2, 0, 1));
            shown.is("DOUBLE[] 2.2", tf.reduce.quantile(tf.constant(new double[] {1, 2, 3, 4}), 0.4, 0));
            shown.is("INT64[4] [0, 2, 0, 1]", tf.array.bincount(tf.constant(new int[] {1, 3, 1})));
            shown.is("INT64[0] []", tf.array.bincount(tf.constant(new int[0])));
            shown.is("FLOAT[3] [0.0, 1.0, 3.0]", tf.array.cumsum(tf.constant(new float[] {1, 2, 3}), 0, true, false));
            // Stable: -0 and 0 keep their order, and the sign.
            shown.is("FLOAT[5] [-1.0, 0.0, -0.0, 1.0, NaN]", tf.array.sort(tf.constant(new float[] {NAN, 0f, 1f, -0f, -1f}), 0));
            shown.is("FLOAT[5] [1.0, 0.0, -0.0, -1.0, NaN]", tf.array.sort(tf.constant(new float[] {NAN, 0f, 1f, -0f, -1f}), 0, true));
            shown.is("INT32[3] [2147483647, 0, -2147483648]",
                tf.array.sort(tf.constant(new int[] {0, Integer.MIN_VALUE, Integer.MAX_VALUE}), 0, true));
        }
    }

    /** Many lanes, and lanes of many elements, are shared by threads: results are those of loops. */
    @Test
    void large() {
        Random random = new Random(5);
        float[] numbers = new float[300_000];
        for (int n = 0; n < numbers.length; n++) {
            numbers[n] = random.nextFloat() - 0.5f;
        }
        float[] sorted = numbers.clone();
        Arrays.sort(sorted);
        try (Ops tf = Ops.create()) {
            float[] found = new float[numbers.length];
            tf.array.sort(tf.constant(numbers), 0).asTensor().floatData().copyTo(found);
            org.junit.jupiter.api.Assertions.assertArrayEquals(sorted, found);
            for (int axis = 0; axis < 2; axis++) {
                Operand<Float> rows = tf.array.reshape(tf.constant(numbers), 600, 500);
                Operand<Float> once = tf.array.sort(rows, axis);
                Operand<Boolean> same = tf.math.equal(once, tf.array.takeAlongAxis(rows, tf.array.argsort(rows, axis), axis));
                org.junit.jupiter.api.Assertions.assertTrue(tf.reduce.all(same).asTensor().booleanData().get());
            }
        }
    }

    private static void refused(org.junit.jupiter.api.function.Executable call, String... parts) {
        Expect.exactly(IllegalArgumentException.class, call, parts);
    }

    @Test
    void errors() {
        try (Ops tf = Ops.create()) {
            Constant<Float> v = tf.constant(new float[] {1, 2, 3});
            refused(() -> tf.array.topK(v, 4, 0), "topK(FLOAT [3])", "k is 4", "0 to 3");
            refused(() -> tf.array.sort(v, 1), "sort(FLOAT [3])", "no axis 1");
            refused(() -> tf.array.sort(tf.constant(1f), 0), "no axis 0 at rank 0");
            refused(() -> tf.array.histogram(v, 0, 0, 1), "0 bins");
            refused(() -> tf.array.histogram(v, 2, 1, 1), "from 1.0 to 1.0");
            refused(() -> tf.array.bincount(tf.constant(new int[] {1, -2})), "bincount(INT32 [2])", "-2 is negative");
            refused(() -> tf.array.bincount(tf.constant(new long[] {Long.MAX_VALUE})), "no tensor has a count");
            refused(() -> tf.reduce.quantile(v, 1.5, 0), "q is 1.5");
            refused(() -> tf.reduce.quantile(v, Double.NaN, 0), "q is NaN");
            refused(() -> tf.array.searchSorted(tf.array.reshape(v, 1, 3), v), "sorted has rank 2");
        }
    }

    @Test
    void typesThatAreStoredNarrowAreRefusedByName() {
        try (Ops tf = Ops.create();
             Tensor<Float> half = Tensors.denseFloat(DataType.FLOAT16, new long[] {3}, data -> data.put(new float[] {3, 1, 2}))) {
            Operand<Float> x = tf.constant(half);
            Expect.thrown(IllegalArgumentException.class, () -> tf.array.sort(x, 0), "sort(FLOAT16 [3])", "FLOAT16", "FLOAT, DOUBLE, INT32", "cast");
            Expect.thrown(IllegalArgumentException.class, () -> tf.array.cumsum(x, 0), "cumsum(FLOAT16 [3])", "FLOAT, DOUBLE", "cast");
            Expect.thrown(IllegalArgumentException.class, () -> tf.reduce.quantile(x, 0.5, 0), "quantile", "FLOAT, DOUBLE", "cast");
        }
    }
}
