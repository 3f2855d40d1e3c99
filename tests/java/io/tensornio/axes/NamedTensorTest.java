package io.tensornio.axes;

import static io.tensornio.axes.NamedGiven.C;
import static io.tensornio.axes.NamedGiven.D;
import static io.tensornio.axes.NamedGiven.H;
import static io.tensornio.axes.NamedGiven.N;
import static io.tensornio.axes.NamedGiven.W;
import static io.tensornio.axes.NamedGiven.assertIs;
import static io.tensornio.axes.NamedGiven.counted;
import static io.tensornio.axes.NamedGiven.floats;
import static io.tensornio.support.Expect.exactly;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.BooleanTensorData;
import io.tensornio.ByteTensorData;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorDescription;
import io.tensornio.TensorIndex;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.internal.axes.AxisLists;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.RaceTeam;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tensors of named axes, on values that were worked out by hand. */
@ExtendWith(MemoryBalance.class)
class NamedTensorTest {
    @Test
    void axesAreAlignedByWhatTheyAre() {
        Axis w = Axis.of("W", 2);
        Axis h = Axis.of("H", 3);
        NamedTensor x = floats(new float[][] {{1, 2, 3}, {4, 5, 6}}, w, h);
        NamedTensor y = floats(new float[][] {{10, 40}, {20, 50}, {30, 60}}, h, w);
        assertIs(x.plus(y), "(W=2, H=3)", 11, 22, 33, 44, 55, 66);
        assertIs(y.minus(x), "(H=3, W=2)", 9, 36, 18, 45, 27, 54);
    }

    @Test
    void theResultHasTheOrderOfTheLargerOperandElseTheLeftOnesAndWhatIsNew() {
        assertEquals(Arrays.asList(C, H, W, N), counted(C, H).plus(counted(W, H, N)).axes());
        assertEquals(Arrays.asList(H, W, N), counted(H, W, N).plus(counted(N, H)).axes());
        assertEquals(Arrays.asList(W, N, H), counted(H, W).plus(counted(W, N, H)).axes());
    }

    @Test
    void aMatchedPairIsTheLeftAxis() {
        Axis other = Axis.of("height", "H", 2);
        NamedTensor sum = floats(new float[] {1, 2}, H).plus(counted(C, other));
        assertEquals(Arrays.asList(C, H), sum.axes());
        assertIs(sum, "(C=3, H=2)", 1, 3, 3, 5, 5, 7);
    }

    @Test
    void anEqualAxisMatchesBeforeOneOfItsClass() {
        Axis other = Axis.of("a", "H", 2);
        assertIs(floats(new float[][] {{1, 2}, {3, 4}}, other, H).plus(floats(new float[] {10, 20}, H)), "(a=2, H=2)", 11, 22, 13, 24);
        assertIs(floats(new float[][] {{1, 2}, {3, 4}}, H, other).plus(floats(new float[] {10, 20}, H)), "(H=2, a=2)", 11, 12, 23, 24);
        NamedTensor shifted = floats(new float[][] {{1, 2}, {3, 4}}, H.withOffset(1), H).plus(floats(new float[] {10, 20}, H));
        assertIs(shifted, "(H+1=2, H=2)", 11, 22, 13, 24);
    }

    @Test
    void axesOfOneClassAndOtherLengthBroadcast() {
        Axis longer = Axis.of("H", 3);
        assertIs(floats(new float[] {1, 2}, H).plus(floats(new float[] {10, 20, 30}, longer)), "(H=2, H=3)", 11, 21, 31, 12, 22, 32);
    }

    @Test
    void ambiguousAxesAreRefused() {
        Axis first = Axis.of("a", "H", 2);
        Axis second = Axis.of("b", "H", 2);
        exactly(IllegalArgumentException.class, () -> counted(first, second).plus(counted(H)),
            "plus: (a=2, b=2) and (H=2): H=2 could match more than one axis of its class: 2 on the left, for 1 on the right");
    }

    @Test
    void strictRefusesWhatSharesNoAxis() {
        Axis h4 = Axis.of("H", 4);
        Axis h5 = Axis.of("H", 5);
        Axis w2 = Axis.of("W", 2);
        exactly(IllegalArgumentException.class, () -> Axes.strict(() -> counted(C, h4).plus(counted(h5, w2))),
            "plus: (C=3, H=4) and (H=5, W=2) share no axis; H=4 and H=5 are of one class and do not match");
        exactly(IllegalArgumentException.class, () -> Axes.strict(() -> counted(C, h4).plus(counted(h5, C))),
            "plus: (C=3, H=4) and (H=5, C=3): H=4 and H=5 are of one class and do not match");
        exactly(IllegalArgumentException.class, () -> Axes.strict(() -> counted(C, h4).gt(0).select(counted(h4), counted(h5))),
            "select: (C=3, H=4) and (H=5) share no axis; H=4 and H=5 are of one class and do not match");
        exactly(IllegalArgumentException.class, () -> Axes.strict(() -> counted(C, h4).gt(0).select(counted(h5, C), NamedTensor.scalar(1f))),
            "select: (C=3, H=4) and (H=5, C=3): H=4 and H=5 are of one class and do not match");
        assertEquals(4, counted(C, h4).plus(counted(h5, w2)).axes().size());
        assertEquals(2, Axes.strict(() -> Axes.strict(() -> counted(C, h4).times(2)).plus(NamedTensor.scalar(1f))).axes().size());
    }

    @Test
    void dotContractsOffsetsThatFollow() {
        NamedTensor m = floats(new float[][] {{1, 2}, {4, 5}, {3, 4}}, C, D.withOffset(-1));
        assertIs(m.dot(floats(new float[] {2, 5}, D)), "(C=3)", 12, 33, 26);
        Axis c2 = Axis.of("C", 2);
        NamedTensor x = floats(new float[][][] {{{1, 4}, {2, 5}}, {{7, 12}, {13, 2}}}, N, D.withOffset(-1), c2.withOffset(-1));
        NamedTensor y = floats(new float[][][] {{{3, 6}, {7, 2}}, {{9, 8}, {10, 4}}}, H, D, c2);
        assertIs(x.dot(y), "(N=2, H=2)", 51, 81, 188, 297);
        assertIs(floats(new float[] {1, 2}, D).dot(floats(new float[] {7, 11, 13}, C)), "(D=2, C=3)", 7, 11, 13, 14, 22, 26);
        Axis like = Axis.of("a", "H", 2);
        assertIs(floats(new float[] {1, 2}, like.withOffset(-1)).dot(floats(new float[] {10, 20}, H)), "()", 50);
        NamedTensor both = floats(new float[][] {{1, 2}, {3, 4}}, like.withOffset(-1), H.withOffset(-1));
        assertIs(both.dot(floats(new float[] {10, 20}, H)), "(a-1=2)", 50, 110);        // the equal one before that of its class
        NamedTensor v = floats(new float[][] {{1, 2, 3}, {4, 5, 6}}, D, C);
        assertIs(v.t().dot(v), "()", 91);
        assertIs(x.dot(y).minus(y.t().dot(x.t()).t()), "(N=2, H=2)", 0, 0, 0, 0);
    }

    @Test
    void aWrongDotNamesTheOffsets() {
        exactly(IllegalArgumentException.class, () -> counted(C, D).dot(counted(D)),
            "dot: (C=3, D=2) and (D=2): D=2 at offset 0 is left over on both sides. An axis at offset n on the left contracts the one at offset n + 1"
                + " on the right: the left has D at offset 0, which contracts 1, and the right has it at offset 0."
                + " Use withOffset(-1) on the left, or t()")
                    ;
    }

    @Test
    void reductionsAreByAxis() {
        NamedTensor x = floats(new float[][] {{1, 5, 3}, {4, 2, 6}}, H, C);
        assertIs(x.sum(), "()", 21);
        assertIs(x.sum(H), "(C=3)", 5, 7, 9);
        assertIs(x.mean(C), "(H=2)", 3, 4);
        assertIs(x.prod(H), "(C=3)", 4, 10, 18);
        assertIs(x.max(C), "(H=2)", 5, 6);
        assertIs(x.min(C, H), "()", 1);
        exactly(IllegalArgumentException.class, () -> x.sum(W), "sum: (H=2, C=3) has no axis W=4");
        exactly(IllegalArgumentException.class, () -> x.sum(Axis.of("C", 5)),
            "sum: (H=2, C=3) has no axis C=5; C=3 of the same class has another length");
        exactly(IllegalArgumentException.class, () -> x.max(H, H), "max: axis H=2 is there twice: (H=2, H=2)");
        exactly(IllegalArgumentException.class, () -> x.cast(DataType.INT32).mean(),
            "mean: (H=2, C=3) is INT32: this is of FLOAT and DOUBLE alone, as made by cast(DataType.FLOAT)");
    }

    @Test
    void elementwiseFunctionsAndNumbers() {
        NamedTensor x = floats(new float[] {-2, 0.25f, 3}, C);
        assertIs(x.abs().sqrt().square(), "(C=3)", 1.9999999f, 0.25f, 3);
        assertIs(x.neg().plus(1).times(2).div(4).minus(0.5), "(C=3)", 1, -0.125f, -1.5f);
        assertIs(x.relu().max(1).min(2), "(C=3)", 1, 1, 2);
        assertIs(x.pow(2), "(C=3)", 4, 0.0625f, 9);
        assertIs(x.gt(0).select(x, NamedTensor.scalar(7f)), "(C=3)", 7, 0.25f, 3);
        assertIs(x.le(0.25).cast(DataType.FLOAT), "(C=3)", 1, 1, 0);
        assertIs(x.ge(0.25).cast(DataType.FLOAT), "(C=3)", 0, 1, 1);
        assertIs(x.ge(NamedTensor.scalar(3f)).cast(DataType.FLOAT), "(C=3)", 0, 0, 1);
        assertIs(x.eq(0.25).cast(DataType.FLOAT), "(C=3)", 0, 1, 0);
        assertIs(x.eq(x.abs()).cast(DataType.FLOAT), "(C=3)", 0, 1, 1);
        assertIs(x.gt(0).eq(x.gt(1)).cast(DataType.FLOAT), "(C=3)", 1, 0, 1);
        assertIs(NamedTensor.scalar(0f).sigmoid(), "()", 0.5f);
        assertIs(x.sigmoid().times(x.neg().exp().plus(1)).minus(1).abs().lt(1e-6).cast(DataType.FLOAT), "(C=3)", 1, 1, 1);
        assertIs(x.exp().log().tanh().minus(x.tanh()).abs().lt(1e-6).cast(DataType.FLOAT), "(C=3)", 1, 1, 1);
        exactly(IllegalArgumentException.class, () -> x.plus(NamedTensor.scalar(1)),
            "plus: the left side (C=3) is FLOAT, the right side () is INT32: cast one, as by cast(DataType.FLOAT)");
        exactly(IllegalArgumentException.class, () -> x.cast(DataType.INT32).plus(0.5),
            "plus: 0.5 is no INT32, which (C=3) is: cast that, as by cast(DataType.DOUBLE)");
        exactly(IllegalArgumentException.class, () -> x.select(x, x),
            "select: the condition (C=3) is FLOAT, not BOOL: compare it, as by gt(0)");
        exactly(IllegalArgumentException.class, () -> x.gt(0).exp(),
            "exp: (C=3) is BOOL: this is of FLOAT and DOUBLE alone, as made by cast(DataType.FLOAT)");
        exactly(IllegalArgumentException.class, () -> x.gt(0).plus(1),
            "plus: (C=3) is BOOL: it is computed with after cast(DataType.FLOAT)");
    }

    @Test
    void elementsAreReadByTheirType() {
        NamedTensor x = floats(new float[] {0, 1, 200}, C);
        try (NamedTensor longs = x.cast(DataType.INT64); NamedTensor bytes = x.cast(DataType.UINT8); NamedTensor truths = x.cast(DataType.BOOL)) {
            LongTensorData ofLongs = longs.longData();
            ByteTensorData ofBytes = bytes.uInt8Data();
            BooleanTensorData ofTruths = truths.booleanData();
            assertFalse(longs.isMaterialized() || bytes.isMaterialized() || truths.isMaterialized());
            assertEquals(200L, ofLongs.get(2));
            assertEquals((byte) 200, ofBytes.get(2));
            assertTrue(!ofTruths.get(0) && ofTruths.get(1) && ofTruths.get(2));
            assertSame(longs.materialize(), longs.longTensor());
            assertSame(bytes.materialize(), bytes.uInt8Tensor());
            assertSame(truths.materialize(), truths.booleanTensor());
            assertEquals(200L, longs.longTensor().longData().get(2));
            assertEquals((byte) 200, bytes.uInt8Tensor().uInt8Data().get(2));
            assertTrue(truths.booleanTensor().booleanData().get(2));
            exactly(IllegalStateException.class, longs::uInt8Data, "the elements of (C=3) are INT64, not UINT8");
            exactly(IllegalStateException.class, bytes::booleanTensor, "the elements of (C=3) are UINT8, not BOOL");
            exactly(IllegalStateException.class, truths::longTensor, "the elements of (C=3) are BOOL, not INT64");
        }
    }

    @Test
    void stepsMoveElementsAlongAxes() {
        NamedTensor x = floats(new float[][] {{0, 1, 2, 3}, {4, 5, 6, 7}}, H, W);
        NamedTensor y = x.plus(1);
        assertIs(y.slice(W, TensorIndex.range(1, 3)), "(H=2, W=2)", 2, 3, 6, 7);
        assertIs(y.slice(W, TensorIndex.flip()), "(H=2, W=4)", 4, 3, 2, 1, 8, 7, 6, 5);
        assertIs(y.slice(W, TensorIndex.incl(3, 0, 1)), "(H=2, W=3)", 4, 1, 2, 8, 5, 6);
        assertIs(y.slice(H, TensorIndex.at(-1)), "(W=4)", 5, 6, 7, 8);
        assertSame(W, y.slice(W, TensorIndex.all()).axis("W"));
        assertIs(x.pad(H, 1, 0).plus(1), "(H=3, W=4)", 1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8);
        NamedTensor part = y.slice(W, TensorIndex.to(2));
        assertIs(part.pad(part.axis("W"), 1, 1), "(H=2, W=4)", 0, 1, 2, 0, 0, 5, 6, 0);
        Axis flat = Axis.of("F", 8);
        assertIs(y.flatten(flat, W, H), "(F=8)", 1, 5, 2, 6, 3, 7, 4, 8);
        assertIs(y.flatten(flat, H, W).unflatten(flat, W, H), "(W=4, H=2)", 1, 2, 3, 4, 5, 6, 7, 8);
        assertIs(y.order(W, H), "(W=4, H=2)", 1, 5, 2, 6, 3, 7, 4, 8);
        assertIs(floats(new float[] {1, 2}, H).neg().broadcast(N, H), "(N=2, H=2)", -1, -2, -1, -2);
        Axis more = Axis.of("wide", "W", 5);
        Axis one = Axis.of("W", 1);
        assertIs(NamedTensor.concat(more, y, floats(new float[] {8, 9}, one, H)), "(H=2, wide=5)", 1, 2, 3, 4, 8, 5, 6, 7, 8, 9);
        assertEquals("(A=2, B=4)", AxisLists.text(y.withAxes(Axis.of("A", 2), Axis.of("B", 4)).axes().toArray(new Axis[0])));
    }

    @Test
    void whatIsComputedAndFlattenedIsWrittenFlat() {
        NamedTensor x = floats(new float[][] {{0, 1, 2, 3}, {4, 5, 6, 7}}, H, W);
        Axis flat = Axis.of("F", 8);
        float[] spread = new float[16];
        x.plus(1).flatten(flat, H, W).into(FloatTensorData.of(spread).slice(TensorIndex.step(2)));
        assertArrayEquals(new float[] {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0}, spread);
        assertIs(x.plus(1).flatten(flat, H, W), "(F=8)", 1, 2, 3, 4, 5, 6, 7, 8);
        assertIs(x.plus(1).flatten(flat, H, W).flatten(Axis.of("G", 8), flat), "(G=8)", 1, 2, 3, 4, 5, 6, 7, 8);
        float[] own = {1, 2, 3, 4, 5, 6, 7, 8};
        NamedTensor y = NamedTensor.of(FloatTensorData.of(own, 4, 2), W, H).order(H, W).flatten(flat, H, W);
        y.into(FloatTensorData.of(own));
        assertArrayEquals(new float[] {1, 3, 5, 7, 2, 4, 6, 8}, own);
    }

    @Test
    void wrongStepsNameTheAxes() {
        NamedTensor x = counted(H, W);
        exactly(IllegalArgumentException.class, () -> x.slice(C, TensorIndex.all()), "slice: (H=2, W=4) has no axis C=3");
        assertThrows(IllegalArgumentException.class, () -> x.slice(W, TensorIndex.newAxis()));
        assertThrows(IllegalArgumentException.class, () -> x.slice(W, TensorIndex.ellipsis()));
        assertThrows(IndexOutOfBoundsException.class, () -> x.slice(W, TensorIndex.at(4)));
        exactly(IllegalArgumentException.class, () -> x.pad(W, -1, 0), "pad: -1 before and 0 after W=4: neither is negative");
        exactly(IllegalArgumentException.class, () -> x.order(W), "order: (W=4) is no order of (H=2, W=4): it names each axis once");
        exactly(IllegalArgumentException.class, () -> x.broadcast(W, C),
            "broadcast: (W=4, C=3) lacks H=2 of (H=2, W=4): these are all axes of the result");
        exactly(IllegalArgumentException.class, () -> x.flatten(C, H, W),
            "flatten: C=3 for (H=2, W=4): there is at least one, and its length is their product");
        exactly(IllegalArgumentException.class, () -> x.unflatten(W, H, C),
            "unflatten: (H=2, C=3) for W=4: there is at least one, and the product of their lengths is its");
        exactly(IllegalArgumentException.class, () -> NamedTensor.concat(Axis.of("W", 7), x, x),
            "concat: the parts' lengths of class W add up to 8, not to W=7");
        exactly(IllegalArgumentException.class, () -> NamedTensor.concat(Axis.of("W", 8), x, counted(C, W)),
            "concat: (H=2, W=4) and (C=3, W=4) differ in other axes than that of class W");
        exactly(IllegalArgumentException.class, () -> NamedTensor.concat(Axis.of("C", 3), x), "concat: part 0, (H=2, W=4), has no axis of class C");
        exactly(IllegalArgumentException.class, () -> x.withAxes(W, H),
            "withAxes: (W=4, H=2) for (H=2, W=4): there is one for each axis, of its length");
        exactly(IllegalArgumentException.class, () -> x.axis("C"), "no axis of (H=2, W=4) is named C");
        exactly(IllegalArgumentException.class, () -> counted(H, H), "axis H=2 is there twice: (H=2, H=2)");
        exactly(IllegalArgumentException.class, () -> NamedTensor.of(FloatTensorData.of(new float[4]), H),
            "axes (H=2) for the shape [4]: there is one for each axis, of its length");
    }

    @Test
    void convolutionMovesAFilter() {
        Axis in = Axis.of("X", 5);
        Axis k = Axis.of("K", 3);
        NamedTensor x = floats(new float[] {1, 2, 3, 4, 5}, in);
        NamedTensor f = floats(new float[] {1, 0, -1}, k);
        assertIs(x.conv(f, ConvAxes.of(in, k)), "(X=3)", -2, -2, -2);
        assertIs(x.conv(f, ConvAxes.of(in, k).padding(1)), "(X=5)", -2, -2, -2, -2, 4);
        assertIs(x.conv(f, ConvAxes.of(in, k, Axis.of("out", 2)).stride(2)), "(out=2)", -2, -2);
        Axis r = Axis.of("R", 2);
        Axis s = Axis.of("S", 2);
        Axis out = Axis.of("K", 2);
        NamedTensor image = counted(N, H, W, C);
        NamedTensor result = image.conv(counted(r, s, C, out), ConvAxes.of(H, r).and(W, s));
        assertEquals("(N=2, H=1, W=3, K=2)", AxisLists.text(result.axes().toArray(new Axis[0])));
        float expected = 0;
        for (int c = 0; c < 3; c++) {
            for (int p = 0; p < 2; p++) {
                for (int q = 0; q < 2; q++) {
                    expected += (24 + p * 12 + (q + 2) * 3 + c) * (((p * 2 + q) * 3 + c) * 2 + 1);
                }
            }
        }
        try (Tensor<Float> tensor = result.floatTensor()) {
            assertEquals(expected, tensor.floatData().get(1, 0, 2, 1));
        }
        exactly(IllegalArgumentException.class, () -> f.conv(x, ConvAxes.of(k, in)), "conv: the filter's X=5 is longer than the input's K=3");
        exactly(IllegalArgumentException.class, () -> x.conv(f, ConvAxes.of(in, k, C).padding(1)),
            "conv: the output's axis C=3 has to be of length 5 for X=5 and K=3 with a stride of 1 and a padding of 1");
        assertThrows(IllegalArgumentException.class, () -> ConvAxes.of(in, k).stride(0));
        assertThrows(IllegalArgumentException.class, () -> ConvAxes.of(in, k).padding(-1));
    }

    @Test
    void strideAndPaddingBelongToThePairNamedLast() {
        Axis h = Axis.of("H", 7);
        Axis w = Axis.of("W", 5);
        Axis r = Axis.of("R", 3);
        Axis s = Axis.of("S", 2);
        NamedTensor image = counted(h, w);
        NamedTensor filter = counted(r, s);
        int[][] settings = {{3, 2, 1, 0}, {1, 0, 3, 2}, {2, 1, 3, 0}, {1, 1, 2, 1}};      // stride and padding along H, along W
        for (int[] setting : settings) {
            ConvAxes over = ConvAxes.of(h, r).stride(setting[0]).padding(setting[1]).and(w, s).padding(setting[3]).stride(setting[2]);
            int rows = (7 + 2 * setting[1] - 3) / setting[0] + 1;
            int columns = (5 + 2 * setting[3] - 2) / setting[2] + 1;
            float[] expected = new float[rows * columns];
            for (int n = 0; n < 6 * expected.length; n++) {
                int y = n / 6 / columns * setting[0] + n % 6 / 2 - setting[1];
                int x = n / 6 % columns * setting[2] + n % 2 - setting[3];
                expected[n / 6] += y < 0 || y >= 7 || x < 0 || x >= 5 ? 0 : (5 * y + x) * (n % 6);
            }
            assertIs(image.conv(filter, over), "(H=" + rows + ", W=" + columns + ")", expected);
        }
    }

    @Test
    void nothingIsComputedUntilAnElementIsRead() {
        NamedTensor x = counted(C);
        try (NamedTensor sum = x.plus(1)) {
            FloatTensorData data = sum.floatData();
            assertArrayEquals(new long[] {3}, data.shape());
            assertEquals(1, data.rank());
            assertEquals(3, data.size(0));
            assertEquals(3, data.numElements());
            assertEquals(DataType.FLOAT, data.dataType());
            assertArrayEquals(new long[] {3}, data.description().shape());
            assertEquals(Arrays.asList(C), sum.description().axes());
            assertEquals("FLOAT (C=3) = (a + 1.0) of a (C=3)", sum.toString());
            FloatTensorData last = data.slice(TensorIndex.from(2));
            assertFalse(sum.isMaterialized());
            assertEquals(3f, last.get(0));
            assertTrue(sum.isMaterialized());
            assertSame(sum.materialize(), sum.floatTensor());
            exactly(IllegalStateException.class, sum::intData, "the elements of (C=3) are FLOAT, not INT32");
            exactly(IllegalStateException.class, sum::doubleTensor, "the elements of (C=3) are FLOAT, not DOUBLE");
        }
    }

    @Test
    void sourcesAreReadWhenMaterialised() {
        float[] values = {1, 2, 3};
        NamedTensor sum = floats(values, C).plus(1);
        values[0] = 10;
        try (Tensor<Float> tensor = sum.floatTensor()) {
            values[1] = 20;
            assertEquals(11f, tensor.floatData().get(0));
            assertEquals(3f, tensor.floatData().get(1));
        }
        TensorClosedException e = assertThrows(TensorClosedException.class, sum::materialize);
        assertEquals("the FLOAT tensor of shape [3] is closed", e.getMessage());
        assertThrows(TensorClosedException.class, () -> sum.plus(1).materialize());
    }

    @Test
    void closedSourcesFailUntilMaterialisedAndNotAfter() {
        Tensor<Float> source = Tensors.create(FloatTensorData.of(new float[] {1, 2, 3}));
        NamedTensor x = NamedTensor.of(source, C);
        NamedTensor before = x.plus(1);
        NamedTensor late = x.times(2);
        before.materialize();
        source.close();
        assertEquals(4f, before.floatData().get(2));
        assertThrows(TensorClosedException.class, late::materialize);
        FloatTensorData fetched = before.floatData();
        before.close();
        assertClosed(before, fetched);
    }

    private static void assertClosed(NamedTensor closed, FloatTensorData fetched) {
        String message = "the FLOAT tensor of shape [3] is closed";
        float[] target = {7, 7, 7};
        exactly(TensorClosedException.class, closed::materialize, message);
        exactly(TensorClosedException.class, closed::floatTensor, message);
        exactly(TensorClosedException.class, () -> closed.into(FloatTensorData.of(target)), message);
        exactly(TensorClosedException.class, () -> closed.floatData().get(0), message);
        exactly(TensorClosedException.class, closed::description, message);
        exactly(TensorClosedException.class, () -> closed.plus(1).materialize(), message);
        exactly(TensorClosedException.class, () -> closed.plus(1).into(FloatTensorData.of(target)), message);
        exactly(TensorClosedException.class, () -> fetched.get(0), message);
        assertArrayEquals(new float[] {7, 7, 7}, target);
    }

    @Test
    void whatIsClosedBeforeOrAfterItIsComputedThrowsAtEveryRead() {
        NamedTensor x = counted(C);
        NamedTensor never = x.plus(1);
        FloatTensorData early = never.floatData();
        never.close();
        assertClosed(never, early);
        NamedTensor once = x.plus(1);
        FloatTensorData read = once.floatData();
        assertEquals(1f, read.get(0));
        once.materialize().close();
        assertClosed(once, read);
    }

    @Test
    void aBoundTensorIsItsOwnResultAndStaysOpen() {
        try (Tensor<Float> source = Tensors.create(FloatTensorData.of(new float[] {1, 2, 3}))) {
            NamedTensor x = NamedTensor.of(source, C);
            assertTrue(x.isMaterialized());
            assertSame(source, x.materialize());
            x.close();
            assertFalse(source.isClosed());
        }
    }

    @Test
    void intoMayOverlapItsSources() {
        float[] values = {1, 2, 3};
        FloatTensorData data = FloatTensorData.of(values);
        NamedTensor x = NamedTensor.of(data, C).slice(C, TensorIndex.flip());
        x.into(data);
        assertArrayEquals(new float[] {3, 2, 1}, values);
        assertFalse(x.isMaterialized());
        exactly(IllegalArgumentException.class, () -> x.into(FloatTensorData.of(new float[2])),
            "the target is FLOAT of shape [2], not FLOAT of shape [3]");
        exactly(IllegalArgumentException.class, () -> x.into(IntTensorData.of(new int[3])),
            "the target is INT32 of shape [3], not FLOAT of shape [3]");
        assertThrows(ReadOnlyBufferException.class, () -> x.into(FloatTensorData.constant(0, 3)));
    }

    @Test
    void textsShowAxesTypeAndFormula() {
        NamedTensor x = counted(C, H);
        NamedTensor m = x.mean(H);
        assertEquals("FLOAT (C=3, H=2)", x.toString());
        assertEquals("FLOAT (C=3, H=2) = ((a - (sum(a, H) / 2.0)) ^ 2) of a (C=3, H=2)", x.minus(m).square().toString());
        assertEquals("FLOAT (C=3) = dot(a, b) of a (C=3, D-1=2), b (D=2)", counted(C, D.withOffset(-1)).dot(counted(D)).toString());
        assertEquals("FLOAT (C=3, H=1) = slice(a, H, range(1, 2)) of a (C=3, H=2)", x.slice(H, TensorIndex.range(1, 2)).toString());
        Axis flat = Axis.of("F", 8);
        assertEquals("FLOAT (F=8) = flatten(a, F, (W=4, H=2)) of a (H=2, W=4)", counted(H, W).flatten(flat, W, H).toString());
        Axis r = Axis.of("R", 2);
        Axis s = Axis.of("S", 3);
        Axis wide = Axis.of("wide", 4);
        assertEquals("FLOAT (H=2, wide=4) = conv(a, b, of(H=2, R=2).stride(3).padding(2).and(W=4, S=3, wide=4).padding(1)) of a (H=2, W=4), b (R=2, "
            + "S=3)", counted(H, W).conv(counted(r, s), ConvAxes.of(H, r).stride(3).padding(2).and(W, s, wide).padding(1)).toString());
        assertEquals("of(H=2, R=2)", ConvAxes.of(H, r).toString());
    }

    @Test
    void descriptionsHaveAxesThatFollowPermutations() {
        NamedTensor x = counted(C, H);
        TensorDescription bound = x.description();
        assertEquals(Arrays.asList(C, H), bound.axes());
        assertEquals(Arrays.asList(H, C), bound.transpose().axes());
        assertEquals(Arrays.asList(H, C), bound.permute(1, 0).asReadOnly().axes());
        assertTrue(bound.flip(0).axes().isEmpty());
        assertEquals(TensorLayout.rowMajor(3, 2).strides()[0], bound.layout().strides()[0]);
        TensorDescription lazy = x.plus(1).description();
        assertTrue(lazy.isReadOnly());
        assertFalse(lazy.hasLayout());
        assertEquals(TensorDescription.of(DataType.FLOAT, C, H), TensorDescription.of(DataType.FLOAT, C, H));
        assertNotEquals(TensorDescription.of(DataType.FLOAT, C, H), TensorDescription.of(DataType.FLOAT, 3, 2));
        assertTrue(TensorDescription.of(DataType.FLOAT, 3, 2).axes().isEmpty());
        assertEquals(Arrays.asList(C, H), TensorDescription.of(DataType.FLOAT, C, H).withLayout(TensorLayout.columnMajor(3, 2)).axes());
        exactly(IllegalArgumentException.class, () -> TensorDescription.of(DataType.FLOAT, C, C), "axis C=3 is there twice: [C=3, C=3]");
    }

    @Test
    void longChainsNeedNoDeepStack() {
        NamedTensor x = NamedTensor.scalar(0.0);
        for (int n = 0; n < 2000; n++) {
            x = x.plus(1);
        }
        try (Tensor<Double> sum = x.doubleTensor()) {
            assertEquals(2000.0, sum.doubleData().get());
        }
    }

    @Test
    void eightThreadsMaterialiseOneExpressionOnce() throws Exception {
        for (int round = 0; round < 20; round++) {
            NamedTensor sum = counted(C, W).exp().sum(W).plus(round);
            AtomicReferenceArray<Tensor<?>> seen = new AtomicReferenceArray<>(RaceTeam.THREADS);
            Thread[] threads = new Thread[RaceTeam.THREADS];
            for (int n = 0; n < threads.length; n++) {
                int own = n;
                threads[n] = new Thread(() -> seen.set(own, sum.materialize()));
                threads[n].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            for (int n = 0; n < threads.length; n++) {
                assertSame(sum.materialize(), seen.get(n));
            }
            sum.close();
        }
    }
}
