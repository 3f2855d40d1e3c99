package io.tensornio.op;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.op.random.RandomSequence;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Random numbers: their bits, their distributions, and what is refused. */
@ExtendWith(MemoryBalance.class)
class OpsRandomNumbersTest {
    private static double[] doubles(Operand<Double> x) {
        double[] all = new double[(int) x.asTensor().numElements()];
        x.asTensor().doubleData().copyTo(all);
        return all;
    }

    private static long[] longs(Operand<Long> x) {
        long[] all = new long[(int) x.asTensor().numElements()];
        x.asTensor().longData().copyTo(all);
        return all;
    }

    /** Philox 4x32-10 in Java, by the paper. */
    private static long bits(long seed, long element) {
        int[] c = {(int) element, (int) (element >>> 32), 0, 0};
        int k0 = (int) seed;
        int k1 = (int) (seed >>> 32);
        for (int round = 0; round < 10; round++) {
            long even = 0xD2511F53L * (c[0] & 0xFFFFFFFFL);
            long odd = 0xCD9E8D57L * (c[2] & 0xFFFFFFFFL);
            c = new int[] {(int) (odd >>> 32) ^ c[1] ^ k0, (int) odd, (int) (even >>> 32) ^ c[3] ^ k1, (int) even};
            k0 += 0x9E3779B9;
            k1 += 0xBB67AE85;
        }
        return (long) c[1] << 32 | c[0] & 0xFFFFFFFFL;
    }

    @Test
    void uniformIsOfTheBits() {
        try (Ops tf = Ops.create()) {
            for (long seed : new long[] {0, 1, -1, 0x123456789ABCDEFL}) {
                double[] found = doubles(tf.random.uniform(Double.class, seed, 20_000));
                for (int n = 0; n < found.length; n++) {
                    assertEquals((bits(seed, n) >>> 11) * 0x1p-53, found[n], "seed " + seed + " at " + n);
                }
                float[] floats = new float[20_000];
                tf.random.uniform(seed, 200, 100).asTensor().floatData().copyTo(floats);
                for (int n = 0; n < floats.length; n++) {
                    assertTrue(floats[n] <= found[n] && Math.nextUp(floats[n]) > found[n], "rounded down at " + n);
                }
            }
            assertEquals(0xe169c58d6627e8d5L, bits(0, 0));          // the published vector
        }
    }

    @Test
    void aShorterShapeIsAPrefix() {
        try (Ops tf = Ops.create()) {
            double[] all = doubles(tf.random.normal(Double.class, 7, 10_000));
            assertArrayEquals(Arrays.copyOf(all, 12), doubles(tf.random.normal(Double.class, 7, 3, 4)));
            assertArrayEquals(Arrays.copyOf(longs(tf.random.permutation(3, 100)), 10), longs(tf.random.choice(3, 100, 10, false)));
        }
    }

    @Test
    void sequencesCountOn() {
        try (Ops tf = Ops.create()) {
            RandomSequence sequence = tf.random.of(9);
            double[] first = doubles(sequence.uniform(Double.class, 5));
            Expect.exactly(IllegalArgumentException.class, () -> sequence.integers(3, 3, 10), "from 3, to 3");
            assertEquals(5, sequence.position());
            double[] second = doubles(sequence.uniform(Double.class, 7));
            double[] all = doubles(tf.random.uniform(Double.class, 9, 12));
            assertArrayEquals(Arrays.copyOf(all, 5), first);
            assertArrayEquals(Arrays.copyOfRange(all, 5, 12), second);
            assertEquals(12, sequence.position());
        }
    }

    @Test
    void distributions() {
        try (Ops tf = Ops.create()) {
            double[] normal = doubles(tf.random.normal(Double.class, 1, 200_000));
            double mean = Arrays.stream(normal).average().getAsDouble();
            double variance = Arrays.stream(normal).map(x -> x * x).average().getAsDouble();
            assertEquals(0, mean, 0.01);
            assertEquals(1, variance, 0.02);
            assertEquals(0.022750131948179207, Arrays.stream(normal).filter(x -> x < -2).count() / 200_000.0, 0.002);
            double[] truncated = doubles(tf.random.truncatedNormal(Double.class, 1, 200_000));
            assertTrue(Arrays.stream(truncated).allMatch(x -> x >= -2 && x <= 2));
            assertEquals(0.7737, Arrays.stream(truncated).map(x -> x * x).average().getAsDouble(), 0.01);
            long[] integers = longs(tf.random.integers(4, -3, 4, 70_000));
            for (int value = -3; value < 4; value++) {
                int own = value;
                assertEquals(10_000, Arrays.stream(integers).filter(x -> x == own).count(), 500);
            }
            assertEquals(7, Arrays.stream(integers).distinct().count());
            for (int n = 0; n < 100; n++) {
                assertEquals(-3 + (int) ((double) (bits(4, n) >>> 11) * 0x1p-53 * 7), integers[n]);
            }
            Operand<Boolean> third = tf.random.bernoulli(5, 1 / 3.0, 90_000);
            assertEquals(30_000, longs(tf.reduce.countNonZero(third))[0], 600);
            long[] permutation = longs(tf.random.permutation(6, 1000));
            long[] sorted = permutation.clone();
            Arrays.sort(sorted);
            for (int n = 0; n < 1000; n++) {
                assertEquals(n, sorted[n]);
            }
            assertTrue(!Arrays.equals(sorted, permutation));
        }
    }

    private static void refused(org.junit.jupiter.api.function.Executable call, String... parts) {
        Expect.exactly(IllegalArgumentException.class, call, parts);
    }

    @Test
    void errors() {
        Ops closed = Ops.create();
        closed.close();
        Expect.thrown(IllegalStateException.class, () -> closed.random.uniform(1, 2), "closed");
        try (Ops tf = Ops.create()) {
            refused(() -> tf.random.uniform(Integer.class, 1, 2), "INT32", "FLOAT or DOUBLE");
            refused(() -> tf.random.uniform(1, -2), "-2");
            refused(() -> tf.random.bernoulli(1, 1.5, 2), "p is 1.5");
            refused(() -> tf.random.integers(1, 5, 4, 2), "from 5, to 4");
            refused(() -> tf.random.choice(1, 3, 4, false), "4 distinct positions of 3");
            refused(() -> tf.random.choice(1, 0, 1, true), "1 of 0");
            refused(() -> tf.random.permutation(1, -1), "-1");
            Expect.exactly(NullPointerException.class, () -> tf.random.uniform(1, (long[]) null), "shape");
        }
    }
}
