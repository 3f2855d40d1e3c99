package io.tensornio.axes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Running sums, orders and quantiles along named axes, in expressions. */
@ExtendWith(MemoryBalance.class)
class NamedAlongTest {
    private final Axis row = Axis.of("R", 2);
    private final Axis column = Axis.of("C", 3);
    private final float[] values = {3, 1, 2, Float.NaN, 5, -4};
    private final NamedTensor x = NamedTensor.of(FloatTensorData.of(values, 2, 3), row, column);

    private static String text(NamedTensor computed) {
        try (Tensor<?> tensor = computed.materialize()) {
            return tensor.toString();
        }
    }

    @Test
    void runsAlongAnAxis() {
        assertEquals("FLOAT[2, 3]\n[[ 3.,  4.,  6.],\n [nan, nan, nan]]", text(x.cumsum(column)));
        NamedTensor counts = NamedTensor.of(FloatTensorData.of(new float[] {1, 2, 3, 4, 0, 6}, 2, 3), row, column);
        assertEquals("FLOAT[2, 3]\n[[1., 2., 3.],\n [5., 2., 9.]]", text(counts.cumsum(row)));
        assertEquals("FLOAT[2, 3]\n[[1., 2., 6.],\n [4., 0., 0.]]", text(counts.cumprod(column)));
        assertEquals("FLOAT[2, 3]\n[[1., 2., 3.],\n [4., 4., 6.]]", text(counts.cummax(column)));
    }

    @Test
    void ordersAlongAnAxis() {
        NamedTensor numbers = NamedTensor.of(FloatTensorData.of(new float[] {3, 1, 2, 0, 5, -4}, 2, 3), row, column);
        assertEquals("FLOAT[2, 3]\n[[ 1.,  2.,  3.],\n [-4.,  0.,  5.]]", text(numbers.sort(column)));
        assertEquals("FLOAT[2, 3]\n[[ 3.,  5.,  2.],\n [ 0.,  1., -4.]]", text(numbers.sort(row, true)));
        assertEquals("INT64[2, 3]\n[[1, 2, 0],\n [2, 0, 1]]", text(numbers.argsort(column)));
        assertEquals("FLOAT[2] [2., 0.]", text(numbers.median(column)));
        NamedTensor low = numbers.quantile(.25, row);
        assertArrayEquals(new Axis[] {column}, low.axes().toArray());
        assertEquals("FLOAT[3] [ 0.75,  2.  , -2.5 ]", text(low));
    }

    @Test
    void isComputedWhenItIsRead() {
        float[] own = values.clone();
        NamedTensor data = NamedTensor.of(FloatTensorData.of(own, 2, 3), row, column);
        try (NamedTensor sorted = data.times(2).sort(column); NamedTensor sum = sorted.plus(sorted.cumsum(column)).max(column)) {
            assertFalse(sorted.isMaterialized());
            own[0] = 7;         // not read before
            assertEquals(14 + 20, sum.floatData().get(0), 0);
            own[0] = 100;
            assertEquals(200, sorted.floatData().get(0, 2), 0);
            own[0] = 50;
            assertEquals(200, sorted.floatData().get(0, 2), 0);     // is kept now
            own[0] = 100;
        }
        try (NamedTensor again = data.sort(column)) {
            assertEquals(100, again.floatData().get(0, 2), 0);      // data is read anew
        }
        try (NamedTensor turned = data.sort(row).t(); Tensor<Float> moved = turned.floatTensor()) {
            assertArrayEquals(new long[] {3, 2}, moved.shape());
        }
        NamedTensor closed = data.sort(column);
        closed.close();
        Expect.exactly(TensorClosedException.class, closed::materialize);
        Expect.exactly(TensorClosedException.class, () -> closed.plus(1).materialize());
    }

    @Test
    void refusedByName() {
        Axis other = Axis.of("O", 9);
        Expect.exactly(IllegalArgumentException.class, () -> x.cumsum(other), "cumsum: ", "O");
        Expect.exactly(IllegalArgumentException.class, () -> x.quantile(1.5, column), "quantile: q is 1.5");
        Expect.exactly(IllegalArgumentException.class, () -> x.cast(DataType.INT32).median(column), "median: ", "INT32");
        Expect.exactly(IllegalArgumentException.class, () -> x.lt(1).sort(column), "sort: ", "BOOL");
    }
}
