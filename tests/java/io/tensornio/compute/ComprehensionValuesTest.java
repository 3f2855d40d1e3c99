package io.tensornio.compute;

import static io.tensornio.compute.Runs.f;
import static io.tensornio.compute.Runs.ff;
import static io.tensornio.compute.Runs.gives;
import static io.tensornio.compute.Runs.i;
import static io.tensornio.compute.Runs.l;
import static io.tensornio.compute.Runs.one;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What comprehensions compute, on values that were worked out by hand. */
@ExtendWith(MemoryBalance.class)
class ComprehensionValuesTest {
    private static final float[][] A = ff(f(1, 2), f(3, 4));
    private static final float[] NONE = {};

    @Test
    void everyReducedLoopRepeatsTheWholeRightSide() {
        one("y[i] += A[i,j]*x[j] + b[i]", f(23, 47), A, f(1, 1), f(10, 20));
        gives("t[i] += A[i,j]*x[j]; y[i] = t[i]+b[i]; return y", Arrays.asList(f(13, 27)), A, f(1, 1), f(10, 20));
    }

    @Test
    void matrixProduct() {
        one("C[i,j] += A[i,k] * B[k,j]", ff(f(19, 22), f(43, 50)), A, ff(f(5, 6), f(7, 8)));
    }

    @Test
    void aDifferenceIsOneShorter() {
        one("y[i] = d[i+1]-d[i]", f(3, 5), f(1, 4, 9));
    }

    @Test
    void everySecondElementOfFiveAreThree() {
        one("O[i] = I[2*i]", f(1, 3, 5), f(1, 2, 3, 4, 5));
    }

    @Test
    void aReversalByANegativeCoefficient() {
        one("y[i] = x[3-i]", f(4, 3, 2, 1), f(1, 2, 3, 4));
    }

    @Test
    void diagonals() {
        float[][][] cube = {ff(f(1), f(2), f(4)), ff(f(8), f(16), f(32))};
        one("O[i] += I[j,i+j,k]", f(17, 34), (Object) cube);
    }

    @Test
    void whatNothingWritesIsZeroOrTheIdentity() {
        one("y[2*i] = x[i]", f(1, 0, 2), f(1, 2));
        one("y[2*i] *= x[i]", f(3, 1, 2), f(3, 2));
        one("y[2*i] max= x[i]", f(3, Double.NEGATIVE_INFINITY, 2), f(3, 2));
        one("y[2*i] min= n[i]", i(3, Integer.MAX_VALUE, 2), i(3, 2));
    }

    @Test
    void aNameMayBeDefinedAgain() {
        one("r[i] = x[i]-1; r[i] = relu(r[i])", f(0, 1), f(0, 2));
    }

    @Test
    void outputShapesBindWhatIsOpen() {
        one("y[i] = 7.0 where i in 0:3", f(7, 7, 7));
        one("y[i] = 7.0 where y[3]", f(7, 7, 7));
        one("y[i] = 7.0 where i in 0:size(x, 0)", f(7, 7), f(1, 2));
    }

    @Test
    void aNumberIsLookedUp() {
        Comprehension row = Comprehension.of("y[j] = a[k[],j] * a[k[]+1,0]");
        FloatTensorData a = FloatTensorData.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2);
        for (Number k : new Number[] {1, 1L, (short) 1, (byte) 1, new AtomicInteger(1), BigInteger.ONE}) {
            try (Results r = row.run(a, k)) {
                assertArrayEquals(new float[] {15, 20}, floats(r.floatTensor("y").floatData()));
            }
        }
        try (Results r = row.gradient("y", "a").run(a, 0)) {
            assertArrayEquals(new float[] {3, 3, 3, 0, 0, 0}, floats(r.floatTensor("da").floatData()));
        }
        try (Results r = Comprehension.of("h[k[]] += x[i] where h[4]").run(3, a.slice(1))) {
            assertArrayEquals(new float[] {0, 0, 0, 7}, floats(r.floatTensor("h").floatData()));
        }
        Expect.exactly(IndexOutOfBoundsException.class, () -> row.run(a, 2), "3");
        Expect.exactly(IndexOutOfBoundsException.class, () -> row.run(a, -1), "-1");
        Expect.exactly(IndexOutOfBoundsException.class, () -> row.run(a, Long.MAX_VALUE));
        Expect.exactly(IllegalArgumentException.class, () -> row.run(a, 1.5), "k is a number, but a look-up needs integers");
    }

    private static float[] floats(FloatTensorData data) {
        float[] all = new float[(int) data.totalSize()];
        data.get(all);
        return all;
    }

    @Test
    void lookUpsGatherAndScatter() {
        one("g[b,j] = T[I[b],j]", ff(f(5, 6), f(1, 2), f(5, 6)), ff(f(1, 2), f(3, 4), f(5, 6)), i(2, 0, 2));
        one("h[v[n]] += 1 where h[4]", l(1, 2, 0, 1), i(1, 3, 0, 1));
        one("s[I[n]] += x[n] where s[3]", f(0, 5, 2), i(1, 2, 1), f(1, 2, 4));
    }

    @Test
    void guardsAreZeroOutside() {
        one("y[i] += guard(0 <= i+k-1 < size(x,0), x[i+k-1]*w[k]) where i in 0:3, k in 0:3", f(3, 6, 5), f(1, 2, 3), f(1, 1, 1));
    }

    @Test
    void typesOfLiteralsAndLoops() {
        one("y[i] = x[i]*(i/2)", f(0, .5, 1), f(1, 1, 1));
        one("y[i] = i where i in 0:3", l(0, 1, 2));
        one("y[i] = x[i] > 1", new boolean[] {false, true}, f(1, 2));
        one("y = 0.5", .5f);
        one("y = 2", 2L);
        one("y = true", true);
    }

    @Test
    void casts() {
        one("y[i] = uint8(x[i])", new byte[] {0, (byte) 255, 2, 0}, f(-1, 300, 2.9, Double.NaN));
        one("y[i] = uint8(n[i])", new byte[] {(byte) 255, 44}, i(-1, 300));
        one("y[i] = bool(x[i])", new boolean[] {false, true}, f(0, -2));
        one("y[i] = x[i] * float(n[i])", f(2, 6), f(1, 2), i(2, 3));
    }

    @Test
    void integersTruncateAndWrap() {
        one("y[i] = a[i] / b[i]", i(-3, Integer.MIN_VALUE), i(-7, Integer.MIN_VALUE), i(2, -1));
        one("y[i] = a[i] % b[i]", i(-1, 1), i(-7, 7), i(2, -2));
        one("y[i] = a[i] + 1", i(Integer.MIN_VALUE), i(Integer.MAX_VALUE));
        one("y[i] = a[i] ^ 2", i(9, 0), i(-3, 0));
        one("y[i] = a[i] ^ 0", i(1, 1), i(-3, 0));
        one("y[i] = a[i] + b[i]", new byte[] {44}, new byte[] {(byte) 200}, new byte[] {100});
    }

    @Test
    void int64KeepsAllBits() {
        one("y[i] = a[i] + 9007199254740993", l(9007199254740993L, Long.MIN_VALUE), l(0, Long.MAX_VALUE - 9007199254740992L));
    }

    @Test
    void truthValues() {
        boolean[][] b = {{true, false}, {false, false}};
        one("any[i] max= b[i,j]", new boolean[] {true, false}, (Object) b);
        one("all[i] min= b[i,j]", new boolean[] {false, false}, (Object) b);
        one("y[i] = not a[i] or a[i] and false", new boolean[] {false, true}, new boolean[] {true, false});
    }

    @Test
    void emptySums() {
        gives("s += x[i]; p *= x[i]; m max= x[i]; n min= x[i]", Arrays.asList(0f, 1f, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY), NONE);
    }

    @Test
    void nanPassesThroughMaxAndRelu() {
        one("m max= x[i]", Float.NaN, f(1, Double.NaN, 2));
        one("y[i] = relu(x[i])", f(0, Double.NaN, 2), f(-1, Double.NaN, 2));
    }

    @Test
    void roundIsHalfToEven() {
        one("y[i] = round(x[i])", f(0, 2, 2, -2), f(.5, 1.5, 2.5, -1.5));
    }

    @Test
    void numbersForRankZero() {
        one("y[i] = a*x[i]", f(2, 4), 2, f(1, 2));
        one("y[i] = a*x[i]", f(.5, 1), .5, f(1, 2));
        one("y[i] = a*x[i]", i(5, 10), 5.0, i(1, 2));
        one("y[i] = select(c, x[i], 0)", f(1, 2), true, f(1, 2));
        one("y = a + b", 5L, 2, 3L);
        one("y = a + b", 5.5f, 2, 3.5);
    }

    @Test
    void softmaxOfRows() {
        one("m[i] max= x[i,j]; e[i,j] = exp(x[i,j]-m[i]); s[i] += e[i,j]; p[i,j] = e[i,j]/s[i]; return p", ff(f(.5, .5), f(1, 0)),
            (Object) ff(f(3, 3), f(0, Double.NEGATIVE_INFINITY)));
    }

    @Test
    void rankZeroWithAndWithoutBrackets() {
        one("s[] += x[i]", 3f, f(1, 2));
        gives("s += x[i]; y[i] = x[i] - s", Arrays.asList(3f, f(-2, -1)), f(1, 2));
    }
}
