package io.tensornio.op;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ragged and sparse tensors as operands and results, and who closes them. */
@ExtendWith(MemoryBalance.class)
class OpsStoredTest {
    private static final LongTensorData CELLS = LongTensorData.of(new long[] {0, 1, 1, 0}, 2, 2);

    private static RaggedTensor<Float> ragged() {
        return Tensors.raggedOfNested(new float[][] {{1, 2}, {}, {3}});
    }

    private static SparseTensor<Float> sparse() {
        return Tensors.sparseFloat(CELLS, FloatTensorData.of(new float[] {5, 7}), 2, 2);
    }

    @Test
    void constantsOfAllKindsAreBorrowed() {
        try (RaggedTensor<Float> rows = ragged(); SparseTensor<Float> cells = sparse(); Tensor<Float> dense = Tensors.ofNested(new float[] {1})) {
            try (Ops tf = Ops.create()) {
                Constant<Float> r = tf.constant(rows);
                assertSame(rows, r.any());
                assertEquals("FLOAT[3, -1]\n[[1., 2.], [], [3.]]", r.toString());
                assertEquals(-1, r.shape()[1]);
                assertEquals(2, r.rank());
                assertEquals(DataType.FLOAT, r.dataType());
                assertSame(cells, tf.constant(cells).any());
                AnyTensor<Float> any = dense;
                assertSame(dense, tf.constant(any).any());
                assertSame(dense, tf.constant(any).asTensor());
                Expect.exactly(IllegalStateException.class, r::asTensor, "this operand is ragged: its tensor is any()");
                Expect.exactly(IllegalStateException.class, tf.constant(cells)::asTensor, "this operand is sparse: its tensor is any()");
            }
            assertFalse(rows.isClosed() || cells.isClosed());
        }
    }

    @Test
    void constantsThatAreNone() {
        RaggedTensor<Float> closed = ragged();
        closed.close();
        try (Ops tf = Ops.create(); RaggedTensor<String> words = Tensors.raggedOfNested(new String[][] {{"a"}, {}});
                RaggedTensor<Float> rows = ragged()) {
            Expect.thrown(IllegalArgumentException.class, () -> tf.constant(words), "a constant of STRING");
            Expect.thrown(TensorClosedException.class, () -> tf.constant(closed), "FLOAT", "[3, -1]");
            Expect.thrown(NullPointerException.class, () -> tf.constant((AnyTensor<Float>) null), "tensor");
            Constant<Float> r = tf.constant(rows);
            Expect.thrown(IllegalArgumentException.class, () -> tf.keepAny(r), "constant");
            Ops done = Ops.create();
            done.close();
            Expect.thrown(IllegalStateException.class, () -> done.constant(rows), "closed");
        }
    }

    @Test
    void comprehensionsTakeAndGiveAllKinds() {
        Comprehension all = Comprehension.of("d[i] += R[i,j]; r[i,j] = 2 * R[i,j]; sparse s[k,l] = -S[k,l]");
        Operand<?> doubled;
        try (RaggedTensor<Float> rows = ragged(); SparseTensor<Float> cells = sparse(); Ops tf = Ops.create()) {
            Map<String, Operand<?>> made = tf.applyAll(all, tf.constant(rows), tf.constant(cells));
            assertEquals("FLOAT[3] [3., 0., 3.]", made.get("d").toString());
            doubled = made.get("r");
            assertEquals("FLOAT[3, -1]\n[[2., 4.], [], [6.]]", doubled.toString());
            SparseTensor<?> negative = (SparseTensor<?>) made.get("s").any();
            assertEquals("FLOAT[2] [-5., -7.]", negative.values().toString());
            Operand<Float> typed = tf.apply(Float.class, all.returning("r"), tf.constant(rows), tf.constant(cells));
            assertEquals("FLOAT[3, -1]\n[[2., 4.], [], [6.]]", typed.toString());
            Expect.thrown(IllegalArgumentException.class, () -> tf.apply(Double.class, all.returning("r"), tf.constant(rows), tf.constant(cells)),
                "the output r is FLOAT, not DOUBLE");
            Expect.thrown(IllegalArgumentException.class, () -> tf.apply(Comprehension.of("y[i,j] = S[i,j] + 1"), tf.constant(cells)), "toDense()");
            try (Results results = Comprehension.of("y[i] += R[i,j]").run(doubled)) {       // an operand is an input
                assertEquals("FLOAT[3] [6., 0., 6.]", results.get("y").toString());
            }
        }
        assertTrue(doubled.any().isClosed());
        assertEquals(-1, doubled.shape()[1]);
    }

    @Test
    void aKeptResultIsTheCallers() {
        RaggedTensor<Float> kept;
        SparseTensor<?> alsoKept;
        try (RaggedTensor<Float> rows = ragged(); SparseTensor<Float> cells = sparse(); Ops tf = Ops.create()) {
            Operand<Float> made = tf.apply(Float.class, Comprehension.of("r[i,j] = 2 * R[i,j]"), tf.constant(rows));
            Expect.exactly(IllegalStateException.class, () -> tf.keep(made), "ragged", "any()");
            kept = (RaggedTensor<Float>) tf.keepAny(made);
            assertSame(kept, tf.keepAny(made));
            alsoKept = (SparseTensor<?>) tf.keepAny(tf.apply(Comprehension.of("sparse s[i,j] = -S[i,j]"), tf.constant(cells)));
            Operand<Float> dense = tf.constant(new float[] {1}).plus(1);
            assertSame(dense.asTensor(), tf.keepAny(dense));
            dense.asTensor().close();
            Operand<?> closed = tf.apply(Comprehension.of("r[i,j] = 2 * R[i,j]"), tf.constant(rows));
            closed.any().close();
            Expect.thrown(TensorClosedException.class, () -> tf.keepAny(closed), "[3, -1]");
        }
        assertEquals(6, kept.floatData().get(2, 0));
        assertEquals("FLOAT[2] [-5., -7.]", alsoKept.values().toString());
        kept.close();
        alsoKept.close();
    }

    /** Also the parts of a sparse tensor that are made on first use, and views. */
    @Test
    void aScopeClosesAllParts() {
        SparseTensor<?> cells;
        FloatTensorData row;
        try (SparseTensor<Float> given = sparse(); RaggedTensor<Float> rows = ragged(); Ops tf = Ops.create()) {
            cells = (SparseTensor<?>) tf.apply(Comprehension.of("sparse s[i,j] = 3 * S[i,j]"), tf.constant(given)).any();
            assertEquals("INT64[3] [0, 1, 2]", cells.rowPointers().toString());
            row = tf.apply(Comprehension.of("r[i,j] = 2 * R[i,j]"), tf.constant(rows)).any().floatData().slice(0);
            assertEquals(4, row.get(1));
        }
        Expect.thrown(TensorClosedException.class, cells::values);
        Expect.thrown(TensorClosedException.class, () -> row.get(1));
    }

    @Test
    void otherOperationsRefuseByName() {
        try (RaggedTensor<Float> rows = ragged(); SparseTensor<Float> cells = sparse(); Ops tf = Ops.create()) {
            Operand<Float> r = tf.constant(rows);
            Operand<Float> s = tf.constant(cells);
            Operand<Float> d = tf.constant(new float[2][2]);
            Class<IllegalArgumentException> bad = IllegalArgumentException.class;
            String ragged = "is ragged: apply a comprehension, or make it dense by toDense(padding)";
            String sparse = "is sparse: apply a comprehension, or make it dense by toDense()";
            Expect.exactly(bad, () -> tf.array.sort(r, 1), "sort(FLOAT [3, -1]): x " + ragged);
            Expect.exactly(bad, () -> tf.array.concat(0, d, r), "concat(FLOAT [3, -1]): parts 1 " + ragged);
            Expect.exactly(bad, () -> tf.linalg.transpose(s), "transpose(FLOAT [2, 2]): x " + sparse);
            Expect.exactly(bad, () -> tf.linalg.einsum("ij->i", s), "einsum(FLOAT [2, 2]): operands 0 " + sparse);
            Expect.exactly(bad, () -> tf.linalg.svd(s), "svd(FLOAT [2, 2]): x " + sparse);
            Expect.exactly(bad, () -> tf.nn.softmax(r, 1), "softmax(FLOAT [3, -1]): x " + ragged);
            Expect.exactly(bad, () -> tf.nn.relu(s), "relu(FLOAT [2, 2]): x " + sparse);
            Expect.exactly(bad, () -> tf.array.gather(d, r, 0), "gather(FLOAT [3, -1]): indices " + ragged);
            Expect.exactly(bad, () -> tf.reduce.median(r, 1), "median(FLOAT [3, -1]): x " + ragged);
            Expect.exactly(bad, () -> tf.fft.rfft(r), "rfft(FLOAT [3, -1]): x " + ragged);
            Expect.exactly(bad, () -> tf.math.neg(s), "neg(FLOAT [2, 2]): x " + sparse);
            assertEquals(4, tf.math.add(d, d).shape().length * 2);
            // dense ones of these shapes were added before
            Expect.exactly(bad, () -> tf.math.add(d, s), "add(FLOAT [2, 2], FLOAT [2, 2]): b " + sparse);
            Expect.exactly(bad, () -> s.plus(1), "add(FLOAT [2, 2], FLOAT []): a " + sparse);
            Expect.exactly(bad, () -> tf.reduce.sum(s, 0), "sum(FLOAT [2, 2]): x " + sparse);
            Expect.exactly(bad, () -> tf.linalg.matmul(r, d), "matmul(FLOAT [3, -1], FLOAT [2, 2]): a " + ragged);
            Expect.exactly(bad, () -> tf.linalg.matmul(d, s), "matmul(FLOAT [2, 2], FLOAT [2, 2]): b " + sparse);
            Expect.exactly(bad, () -> tf.linalg.matmul(s, s), "matmul(FLOAT [2, 2], FLOAT [2, 2]): a " + sparse);
        }
    }
}
