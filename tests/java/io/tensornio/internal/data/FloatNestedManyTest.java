package io.tensornio.internal.data;

import static io.tensornio.support.FloatNestedModel.ints;
import static io.tensornio.support.FloatNestedModel.product;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nested arrays of so many {@code float} that several threads walk through them. */
@ExtendWith(MemoryBalance.class)
class FloatNestedManyTest {
    /** Short and long rows, and few or many on the first axis. */
    private static final long[][] SHAPES = {{1300, 810}, {5, 53_000, 4}, {3, 11, 8, 4000}, {1, 1100, 1000}};

    private static float[] values(long... shape) {
        return FloatValues.array(0, product(ints(shape)));
    }

    private static float[] copied(FloatTensorData data) {
        float[] all = new float[(int) data.totalSize()];
        data.copyTo(all);
        return all;
    }

    /** As nested arrays, by a walk of one thread. */
    private static Object nested(float[] values, long... shape) {
        return FloatTensorData.of(values, shape).toNested();
    }

    @Test
    void allArriveWhereTheyBelong() {
        for (long[] shape : SHAPES) {
            float[] values = values(shape);
            Object nested = nested(values, shape);
            try (Tensor<?> tensor = Tensors.ofNested(nested)) {
                assertArrayEquals(values, copied(tensor.floatData()));
            }
            long[] twice = new long[shape.length + 1];
            System.arraycopy(shape, 0, twice, 1, shape.length);
            twice[0] = 2;
            Tensors.denseFloat(twice, data -> {
                data.putNested(nested, 1);          // not from the first byte of the memory on
                assertArrayEquals(values, copied(data.slice(1)));
                assertArrayEquals(FloatValues.zeros(values.length), copied(data.slice(0)));
            }).close();
        }
    }

    @Test
    void allArriveWhereTheyBelongInAView() {
        for (long[] shape : SHAPES) {
            float[] values = values(shape);
            Object nested = nested(values, shape);
            int last = shape.length - 1;
            Tensors.denseFloat(shape, data -> {
                for (FloatTensorData view : new FloatTensorData[] {data.flip(0), data.flip(last), data.flip()}) {
                    view.putNested(nested);
                    assertArrayEquals(values, copied(view));
                }
            }).close();
            long[] turned = shape.clone();
            turned[0] = shape[last];
            turned[last] = shape[0];
            int[] axes = new int[shape.length];
            Arrays.setAll(axes, d -> d == 0 ? last : d == last ? 0 : d);
            Tensors.denseFloat(turned, data -> {
                FloatTensorData view = data.permute(axes);
                view.putNested(nested);
                assertArrayEquals(values, copied(view));
            }).close();
        }
    }

    @Test
    void whatIsWrongFirstIsSaidToTheCaller() {
        float[][][] rows = (float[][][]) nested(values(40, 6700, 4), 40, 6700, 4);
        rows[21][0] = FloatValues.array(0, 5);
        rows[21][1] = null;
        rows[39] = null;
        for (int wrong = 21; wrong >= 1; wrong -= 10) {
            rows[wrong][0] = FloatValues.array(0, 5);
            String says = "row [" + wrong + "][0] has 5 elements, expected 4";
            isThrownHere(Expect.thrown(IllegalArgumentException.class, () -> Tensors.ofNested(rows), says));
            Tensors.denseFloat(new long[] {40, 6700, 4}, data -> {
                isThrownHere(Expect.thrown(IllegalArgumentException.class, () -> data.putNested(rows), says));
                assertArrayEquals(FloatValues.zeros(40 * 6700 * 4), copied(data));
            }).close();
        }
    }

    private static void isThrownHere(Throwable e) {
        String here = FloatNestedManyTest.class.getName();
        assertTrue(Arrays.stream(e.getStackTrace()).anyMatch(frame -> frame.getClassName().equals(here)), () -> Arrays.toString(e.getStackTrace()));
    }

    @Test
    void threadsThatAreBusyOrToStopAreNotWaitedFor() {
        float[] values = values(SHAPES[0]);
        float[][] nested = (float[][]) nested(values, SHAPES[0]);
        CountDownLatch end = new CountDownLatch(1);
        for (int n = 0; n < 2 * ForkJoinPool.getCommonPoolParallelism(); n++) {
            ForkJoinPool.commonPool().execute(() -> awaitQuietly(end));
        }
        Thread.currentThread().interrupt();
        try (Tensor<Float> tensor = Tensors.ofNested(nested)) {
            assertArrayEquals(values, copied(tensor.floatData()));
        } finally {
            end.countDown();
            assertTrue(Thread.interrupted(), "the interrupt got lost");
        }
    }

    private static void awaitQuietly(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
