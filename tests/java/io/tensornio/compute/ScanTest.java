package io.tensornio.compute;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Recurrences: as text and built in Java, against loops. */
@ExtendWith(MemoryBalance.class)
class ScanTest {
    private final TensorName x = new TensorName("x");
    private final TensorName y = new TensorName("y");
    private final TensorName y0 = new TensorName("y0");
    private final LoopIndex t = new LoopIndex("t");
    private final LoopIndex i = new LoopIndex("i");

    private static double[] doubles(Results results, String name) {
        double[] all = new double[(int) results.doubleTensor(name).numElements()];
        results.doubleTensor(name).doubleData().flatten().copyTo(all);
        return all;
    }

    @Test
    void theExampleOfTheContract() {
        Comprehension scan = Comprehension.of("scan t; y[t] = w*y[t-1] + x[t]; init y = y0; end; e += y[t]");
        DoubleTensorData ones = DoubleTensorData.of(new double[] {1, 1, 1});
        try (Results r = scan.gradient("e", "y", "x", "w", "y0").run(2., ones, .5)) {
            assertArrayEquals(new double[] {18}, doubles(r, "e"));
            assertArrayEquals(new double[] {7, 3, 1}, doubles(r, "dy"));
            assertArrayEquals(new double[] {7, 3, 1}, doubles(r, "dx"));
        }
    }

    @Test
    void whatIsBuiltIsTheText() {
        Access before = y.at(t.minus(1), i);
        Scan scan = Statement.scan(t, y.at(t, i).assign(before.plus(x.at(t, i)))).init(y, y0);
        assertEquals("scan t\n  y[t, i] = y[t - 1, i] + x[t, i]\n  init y = y0\nend", scan.toString());
        Comprehension text = Comprehension.of("scan t; y[t,i] = y[t-1,i] + x[t,i]; init y = y0; end");
        assertEquals(text, Comprehension.of(scan));
        Scan down = Statement.scan(t, y.at(t).assign(y.at(t.plus(1)).times(2))).down().in(x.size(0)).init(y, -1);
        assertEquals(Comprehension.of("scan t down in 0:size(x,0); y[t] = y[t+1]*2; init y = -1; end"), Comprehension.of(down));
        assertEquals(Comprehension.of("scan t in 0:3; y[t] = y[t-1]*2; init y = -.5; end"),
            Comprehension.of(Statement.scan(t, y.at(t).assign(y.at(t.minus(1)).times(2))).in(3).init(y, -.5)));
        assertEquals(Comprehension.of("scan t in 0:3; y[t] = y[t-1]*2; init y = -inf; end"),
            Comprehension.of(Statement.scan(t, y.at(t).assign(y.at(t.minus(1)).times(2))).in(3).init(y, Double.NEGATIVE_INFINITY)));
    }

    @Test
    void aScanHasNoWhere() {
        Scan scan = Statement.scan(t, y.at(t).assign(x.at(t)));
        Expect.thrown(IllegalStateException.class, () -> scan.where(t, 3),
            "a scan has no `where`; its statements have, and `in` gives the number of its steps");
        Expect.thrown(NullPointerException.class, () -> Statement.scan(t, y.at(t).assign(x.at(t)), null), "statement 1");
        Expect.thrown(IllegalArgumentException.class, () -> Comprehension.of(Statement.scan(t)),
            "line 1, column 1: a scan has at least one statement");
    }

    @Test
    void sumsAreThoseOfLoops() {
        Random random = new Random(4);
        int n = 37;
        int m = 19;
        double[] values = random.doubles((long) n * m).toArray();
        DoubleTensorData data = DoubleTensorData.of(values, n, m);
        double[] down = new double[n * m];
        double[] across = new double[n * m];
        for (int k = 0; k < n; k++) {
            for (int c = 0; c < m; c++) {
                down[k * m + c] = values[k * m + c] + (k == 0 ? 0 : down[(k - 1) * m + c]);
                across[k * m + c] = values[k * m + c] + (c == 0 ? 0 : across[k * m + c - 1]);
            }
        }
        try (Results r = Comprehension.of("scan t; y[t,i] = y[t-1,i] + x[t,i]; end; scan t; z[i,t] = z[i,t-1] + x[i,t]; end").run(data)) {
            assertArrayEquals(down, doubles(r, "y"));
            assertArrayEquals(across, doubles(r, "z"));
        }
    }

    @Test
    void fibonacciNumbersAreIntegers() {
        try (Results r = Comprehension.of("scan t in 0:50; a[t] = b[t-1]; b[t] = b[t-1] + a[t-1]; init b = 1; end; return b").run()) {
            assertEquals(12586269025L, r.longTensor("b").longData().flatten().get(48));
            assertEquals(20365011074L, r.longTensor("b").longData().flatten().get(49));
        }
    }

    @Test
    void recurrencesRunAlongEachRowOfARaggedTensor() {
        Comprehension down = Comprehension.of("scan t down; y[i,t] = y[i,t+1] + x[i,t]; end");
        Comprehension across = Comprehension.of("scan t; y[t,i] = y[t-1,i] + x[t,i]; end");
        try (RaggedTensor<Float> ragged = Tensors.raggedOfNested(new float[][] {{1}, {}, {2, 3}});
                RaggedTensor<Float> sums = Tensors.raggedOfNested(new float[][] {{1}, {}, {5, 3}});
                Results r = down.run(ragged)) {
            assertEquals(sums.data(), r.raggedTensor("y").data());
            Expect.thrown(IllegalArgumentException.class, () -> across.run(ragged), "y: t selects no row of x, which is ragged");
        }
    }

    @Test
    void gradientsOfEachRowAreThoseOfTheRowAlone() {
        Comprehension scan = Comprehension.of("scan t; y[i,t] = w*y[i,t-1] + x[i,t]; init y = y0; end; e += y[i,t]");
        try (RaggedTensor<Double> x = Tensors.raggedOfNested(new double[][] {{1, 1, 1}, {}, {1}});
                RaggedTensor<Double> dx = Tensors.raggedOfNested(new double[][] {{7, 3, 1}, {}, {1}});
                Results r = scan.gradient("e", "x", "w", "y0").run(2., x, DoubleTensorData.of(new double[] {0.5, 9, 0}))) {
            assertEquals(dx.data(), r.raggedTensor("dx").data());
            assertArrayEquals(new double[] {14.5}, doubles(r, "dw"));
            assertArrayEquals(new double[] {14, 0, 2}, doubles(r, "dy0"));
        }
    }

    @Test
    void aStepThatFailsIsNamed() {
        Comprehension scan = Comprehension.of("scan t; s[t] = s[t-1] + T[at[t]]; end");
        FloatTensorData table = FloatTensorData.of(new float[] {1, 2});
        IntTensorData at = IntTensorData.of(new int[] {0, 2, 1});
        Expect.thrown(IndexOutOfBoundsException.class, () -> scan.run(table, at), "s: T axis 0 of length 2 would be read at 2, by at[1] = 2");
    }
}
