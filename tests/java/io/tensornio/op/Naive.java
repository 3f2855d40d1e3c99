package io.tensornio.op;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

/** An array of doubles with a shape, in row-major order, on which operations are plain loops. */
final class Naive {
    final long[] shape;
    final double[] values;

    Naive(long... shape) {
        this.shape = shape;
        long size = 1;
        for (long one : shape) {
            size *= one;
        }
        values = new double[(int) size];
    }

    /** Each element by its coordinates. */
    static Naive of(long[] shape, ToDoubleFunction<long[]> element) {
        Naive made = new Naive(shape);
        for (int n = 0; n < made.values.length; n++) {
            made.values[n] = element.applyAsDouble(made.coordinates(n));
        }
        return made;
    }

    static Naive random(DoubleSupplier element, long... shape) {
        return of(shape, at -> element.getAsDouble());
    }

    /** A shape of some rank, whose sizes are 0 to 4, and rarely 0. */
    static long[] shape(Random random, int rank) {
        long[] shape = new long[rank];
        for (int d = 0; d < rank; d++) {
            shape[d] = random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(4);
        }
        return shape;
    }

    /** A shape that broadcasts to another. */
    static long[] narrower(Random random, long... shape) {
        long[] narrower = Arrays.copyOfRange(shape, random.nextInt(shape.length + 1), shape.length);
        for (int d = 0; d < narrower.length; d++) {
            narrower[d] = random.nextInt(3) == 0 ? 1 : narrower[d];
        }
        return narrower;
    }

    static long[] broadcast(long[] a, long... b) {
        long[] shape = new long[Math.max(a.length, b.length)];
        for (int d = 1; d <= shape.length; d++) {
            long left = d <= a.length ? a[a.length - d] : 1;
            long right = d <= b.length ? b[b.length - d] : 1;
            shape[shape.length - d] = left == 1 ? right : left;
        }
        return shape;
    }

    /** Some axes, a few of them counted from the end; none stands for all. */
    static int[] axes(Random random, int rank) {
        List<Integer> all = new ArrayList<>();
        for (int d = 0; d < rank; d++) {
            all.add(random.nextInt(4) == 0 ? d - rank : d);
        }
        Collections.shuffle(all, random);
        return all.subList(0, random.nextInt(rank + 1)).stream().mapToInt(Integer::intValue).toArray();
    }

    /** Whether each axis is among some; none stands for all. */
    static boolean[] reduced(int rank, int... axes) {
        boolean[] reduced = new boolean[rank];
        Arrays.fill(reduced, axes.length == 0);
        for (int axis : axes) {
            reduced[axis < 0 ? axis + rank : axis] = true;
        }
        return reduced;
    }

    long[] coordinates(int n) {
        long[] at = new long[shape.length];
        long rest = n;
        for (int d = shape.length - 1; d >= 0; d--) {
            at[d] = rest % shape[d];
            rest /= shape[d];
        }
        return at;
    }

    /** An element; axes of size 1 are stretched, and coordinates in front of the rank left out. */
    double at(long... coordinates) {
        int n = 0;
        for (int d = 0; d < shape.length; d++) {
            long at = coordinates[coordinates.length - shape.length + d];
            n = n * (int) shape[d] + (shape[d] == 1 ? 0 : (int) at);
        }
        return values[n];
    }

    /** Each result of a reduction, with all axes, of the elements that it is of, in row-major order. */
    Naive reduce(boolean[] reduced, boolean keepDims, ToDoubleFunction<double[]> combine) {
        long[] kept = shape.clone();
        for (int d = 0; d < kept.length; d++) {
            kept[d] = reduced[d] ? 1 : kept[d];
        }
        Naive whole = of(kept, at -> {
            List<Double> some = new ArrayList<>();
            for (int n = 0; n < values.length; n++) {
                long[] from = coordinates(n);
                boolean isOne = true;
                for (int d = 0; d < from.length; d++) {
                    isOne &= reduced[d] || from[d] == at[d];
                }
                if (isOne) {
                    some.add(values[n]);
                }
            }
            return combine.applyAsDouble(some.stream().mapToDouble(Double::doubleValue).toArray());
        });
        if (keepDims) {
            return whole;
        }
        List<Long> left = new ArrayList<>();
        for (int d = 0; d < kept.length; d++) {
            if (!reduced[d]) {
                left.add(kept[d]);
            }
        }
        Naive result = new Naive(left.stream().mapToLong(Long::longValue).toArray());
        System.arraycopy(whole.values, 0, result.values, 0, result.values.length);
        return result;
    }

    /** The same elements as an operand of a type, which the caller knows to hold them. */
    @SuppressWarnings("unchecked")
    <T> Operand<T> operand(Ops tf, DataType type) {
        return (Operand<T>) Held.held(tf.math.cast(Held.held(tf.constant(DoubleTensorData.of(values, shape))), type));
    }

    /** What an operand has. */
    static Naive of(Ops tf, Operand<?> operand) {
        Naive made = new Naive(operand.shape());
        Held.held(tf.math.cast(Held.held(operand), Double.class)).asTensor().doubleData().copyTo(made.values);
        return made;
    }

    /** Checks what an operation gave: shape, type, and elements, up to what is lost when some numbers are added in another order. */
    void check(Ops tf, Operand<?> result, DataType type) {
        assertEquals(type, result.dataType());
        assertArrayEquals(shape, result.shape());
        Naive found = of(tf, result);
        double error = type == DataType.FLOAT ? 2e-5 : 1e-11;
        for (int n = 0; n < values.length; n++) {
            double expected = type == DataType.FLOAT ? (float) values[n] : values[n];
            if (!(Math.abs(found.values[n] - expected) <= error * (1 + Math.abs(expected)))) {
                assertEquals(expected, found.values[n], "at " + Arrays.toString(coordinates(n)) + " of " + Arrays.toString(shape));
            }
        }
    }
}
