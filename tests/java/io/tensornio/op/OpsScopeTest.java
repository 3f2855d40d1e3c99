package io.tensornio.op;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import io.tensornio.compute.Comprehension;
import io.tensornio.op.math.Add;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who closes what. */
@ExtendWith(MemoryBalance.class)
class OpsScopeTest {
    @Test
    void theDocumentsExample() {
        Tensor<Float> one = Tensors.denseFloat(new long[] {2}, data -> data.put(new float[] {1, 2}));
        try (Ops tf = Ops.create()) {
            Constant<Float> matrix1 = tf.constant(one);
            Constant<Float> matrix2 = tf.constant(FloatTensorData.of(new float[] {10, 20}));
            Add<Float> sum = tf.math.add(matrix1, matrix2);
            new Shown(tf).is("FLOAT[2] [11.0, 22.0]", sum);
        }
        assertFalse(one.isClosed());
        one.close();
    }

    @Test
    void aScopeClosesItsResultsOnce() {
        Ops tf = Ops.create();
        Constant<Float> copied = tf.constant(new float[] {1, 2});
        Operand<Float> sum = tf.math.add(copied, copied);
        FloatTensorData data = sum.asTensor().floatData();
        tf.close();
        tf.close();
        assertTrue(sum.asTensor().isClosed() && copied.asTensor().isClosed());
        Expect.thrown(TensorClosedException.class, () -> data.get(0));
        assertEquals(1, sum.rank());
        assertEquals(2, sum.shape()[0]);
        assertEquals(DataType.FLOAT, sum.dataType());
        Expect.thrown(IllegalStateException.class, () -> tf.math.add(copied, copied), "closed", "Ops.create()");
        Expect.thrown(IllegalStateException.class, () -> tf.constant(1), "closed");
        Expect.thrown(IllegalStateException.class, () -> tf.apply(Comprehension.of("y[i] = x[i]"), copied), "closed");
        try (Ops other = Ops.create()) {
            Expect.thrown(TensorClosedException.class, () -> other.math.neg(sum), "FLOAT", "[2]");
            Expect.thrown(TensorClosedException.class, () -> other.array.reshape(sum, 2), "FLOAT", "[2]");
        }
    }

    @Test
    void scopesNest() {
        try (Ops outer = Ops.create()) {
            Operand<Float> x = outer.constant(new float[] {1, 2});
            Operand<Float> kept;
            Operand<Float> lost;
            try (Ops inner = Ops.create()) {
                lost = inner.math.neg(x);
                kept = outer.math.neg(lost);
                assertSame(inner, lost.ops());
                assertSame(outer, kept.ops());
            }
            assertTrue(lost.asTensor().isClosed());
            new Shown(outer).is("FLOAT[2] [1.0, 2.0]", kept);
        }
    }

    @Test
    void aKeptResultIsTheCallers() {
        Tensor<Float> kept;
        Operand<Float> sum;
        try (Ops tf = Ops.create()) {
            Constant<Float> x = tf.constant(new float[] {1, 2});
            sum = tf.math.add(x, x);
            kept = tf.keep(sum);
            assertSame(kept, tf.keep(sum));
            assertSame(kept, sum.asTensor());
            new Shown(tf).is("FLOAT[2] [4.0, 8.0]", tf.math.add(sum, sum));
            Expect.thrown(IllegalArgumentException.class, () -> tf.keep(x), "constant");
            Operand<Float> closed = tf.math.neg(x);
            closed.asTensor().close();
            Expect.thrown(TensorClosedException.class, () -> tf.keep(closed), "FLOAT", "[2]");
        }
        assertEquals(4, kept.floatData().get(1));
        kept.close();
        assertTrue(sum.asTensor().isClosed());
    }

    @Test
    void aResultNeedsItsOperandsNoLonger() {
        try (Ops tf = Ops.create()) {
            Operand<Float> x = tf.math.neg(tf.constant(new float[] {1, 2}));
            Operand<Float> reshaped = tf.array.reshape(x, 2, 1);
            x.asTensor().close();
            new Shown(tf).is("FLOAT[2,1] [[-1.0], [-2.0]]", reshaped);
            Expect.thrown(TensorClosedException.class, () -> tf.math.add(reshaped, x), "FLOAT", "[2]");
        }
    }

    @Test
    void threadsShareAScope() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Operand<Float>> all = new ArrayList<>();
        Queue<Operand<Float>> held = new ConcurrentLinkedQueue<>();     // else the collector may find them before the scope is closed
        try (Ops tf = Ops.create()) {
            Operand<Float> x = tf.constant(new float[] {1, 2});
            List<Callable<Operand<Float>>> tasks = new ArrayList<>();
            for (int n = 0; n < 64; n++) {
                int times = n;
                tasks.add(() -> {
                    Operand<Float> sum = x;
                    for (int i = 0; i < times; i++) {
                        sum = tf.math.add(sum, x);
                        held.add(sum);
                    }
                    return sum;
                });
            }
            for (Future<Operand<Float>> done : pool.invokeAll(tasks)) {
                all.add(done.get());
            }
            for (int n = 0; n < all.size(); n++) {
                assertEquals(2f * (n + 1), all.get(n).asTensor().floatData().get(1));
            }
        } finally {
            pool.shutdown();
        }
        assertTrue(all.stream().allMatch(one -> one.asTensor().isClosed()));
        assertTrue(held.stream().allMatch(one -> one.asTensor().isClosed()));
    }

    @Test
    void comprehensionsAreApplied() {
        try (Ops tf = Ops.create()) {
            Constant<Float> a = tf.constant(new float[] {1, 2});
            Comprehension scaled = Comprehension.of("s[i] = 2*a[i]; n[i] = int(a[i])");
            Map<String, Operand<?>> both = tf.applyAll(scaled, a);
            assertEquals(Arrays.asList("s", "n"), new ArrayList<>(both.keySet()));
            new Shown(tf).is("INT32[2] [1, 2]", both.get("n"));
            Operand<Float> one = tf.apply(Float.class, scaled.returning("s"), a);
            new Shown(tf).is("FLOAT[2] [3.0, 6.0]", tf.math.add(one, a));
            new Shown(tf).is("INT32[2] [1, 2]", tf.apply(scaled.returning("n"), a));
            Expect.thrown(IllegalArgumentException.class, () -> tf.apply(scaled, a), "2 outputs", "[s, n]", "applyAll");
            Expect.thrown(IllegalArgumentException.class, () -> tf.apply(Double.class, scaled.returning("s"), a), "s", "FLOAT", "DOUBLE");
        }
    }

    @Test
    void constantsOfEachTypeAndRank() {
        try (Ops tf = Ops.create()) {
            Shown shown = new Shown(tf);
            shown.is("FLOAT[] 1.5", tf.constant(1.5f));
            shown.is("DOUBLE[] 1.5", tf.constant(1.5));
            shown.is("INT32[] 1", tf.constant(1));
            shown.is("INT64[] 1", tf.constant(1L));
            shown.is("BOOL[] true", tf.constant(true));
            Constant<UInt8> bytes = tf.constant((byte) 200);
            shown.is("UINT8[] 200", bytes);
            shown.is("INT64[1,1,1,1,1,2] [[[[[[1, 2]]]]]]", tf.constant(new long[][][][][][] {{{{{{1, 2}}}}}}));
            Expect.thrown(IllegalArgumentException.class, () -> tf.constant(new float[][] {{1, 2}, {3}}), "2", "1");
        }
    }
}
