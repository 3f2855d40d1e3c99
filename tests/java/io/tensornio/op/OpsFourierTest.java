package io.tensornio.op;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.DataType;
import io.tensornio.support.Expect;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Fourier transforms against the sums of their definition. */
class OpsFourierTest {
    /** The sum of the definition. */
    private static double sum(Naive x, int n, long[] at, boolean isReal) {
        long[] from = Arrays.copyOf(at, isReal ? at.length - 1 : at.length);
        int axis = at.length - 2;
        double sum = 0;
        for (int j = 0; j < n; j++) {
            from[axis] = j;
            double angle = -2 * Math.PI * (j * at[axis] % n) / n;
            double re = x.at(isReal ? from : with(from, 0));
            double im = isReal ? 0 : x.at(with(from, 1));
            sum += at[axis + 1] == 0 ? re * Math.cos(angle) - im * Math.sin(angle) : re * Math.sin(angle) + im * Math.cos(angle);
        }
        return sum;
    }

    private static long[] with(long[] at, long last) {
        long[] made = at.clone();
        made[made.length - 1] = last;
        return made;
    }

    @Test
    void areTheSumsOfTheirDefinition() {
        Seeds.each(17, 40, (random, done) -> {
            for (DataType type : new DataType[] {DataType.FLOAT, DataType.DOUBLE}) {
                long[] batch = Naive.shape(random, random.nextInt(3));
                int n = 1 + random.nextInt(20);
                long[] shape = Arrays.copyOf(batch, batch.length + 1);
                shape[batch.length] = n;
                done.append(' ').append(type).append(Arrays.toString(shape));
                try (Ops tf = Ops.create()) {
                    Naive x = Naive.random(() -> random.nextInt(9) - 4, shape);
                    Operand<Float> operand = x.operand(tf, type);
                    long[] half = Arrays.copyOf(shape, shape.length + 1);
                    half[batch.length] = n / 2 + 1;
                    half[batch.length + 1] = 2;
                    Operand<Float> y = tf.fft.rfft(operand);
                    Naive.of(half, at -> sum(x, n, at, true)).check(tf, y, type);
                    x.check(tf, tf.fft.irfft(y, n), type);

                    long[] whole = half.clone();
                    whole[batch.length] = n;
                    Naive z = Naive.random(() -> random.nextInt(9) - 4, whole);
                    Operand<Float> transformed = tf.fft.fft(z.operand(tf, type));
                    Naive.of(whole, at -> sum(z, n, at, false)).check(tf, transformed, type);
                    z.check(tf, tf.fft.ifft(transformed), type);
                }
            }
        });
    }

    @Test
    void workedByHand() {
        try (Ops tf = Ops.create()) {
            assertEquals("FLOAT[3, 2]\n[[10.,  0.],\n [-2.,  2.],\n [-2.,  0.]]", tf.fft.rfft(tf.constant(new float[] {1, 2, 3, 4})).toString());
        }
    }

    @Test
    void refusedByName() {
        try (Ops tf = Ops.create()) {
            Expect.exactly(IllegalArgumentException.class, () -> tf.fft.rfft(tf.constant(new float[0])), "x has 0 numbers along its last axis");
            Expect.exactly(IllegalArgumentException.class, () -> tf.fft.rfft(tf.constant(1f)), "x has rank 0");
            Expect.exactly(IllegalArgumentException.class, () -> tf.fft.fft(tf.constant(new float[4][3])),
                "x has shape [4, 3]: its last axis must have 2");
            Expect.exactly(IllegalArgumentException.class, () -> tf.fft.irfft(tf.constant(new float[3][2]), 6),
                "irfft(FLOAT [3, 2]): x has 3 complex numbers: they are those of 4 or 5 real ones, and not of 6");
            Expect.exactly(IllegalArgumentException.class, () -> tf.fft.rfft(tf.constant(new int[3])), "x is INT32");
        }
    }
}
