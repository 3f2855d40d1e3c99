package io.tensornio.op;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.to;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Elements put elsewhere, and new tensors. */
class OpsArrayTest {
    private static final float[][] A = {{1, 2, 3}, {4, 5, 6}};

    @Test
    void elementsArePutElsewhere() {
        try (Ops tf = Ops.create()) {
            Constant<Float> a = tf.constant(A);
            Shown shown = new Shown(tf);
            shown.is("FLOAT[3,2] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]", tf.array.reshape(a, 3, -1));
            shown.is("FLOAT[3,2] [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]", tf.array.transpose(a));
            shown.is("FLOAT[3,2] [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]", tf.array.permute(a, -1, 0));
            shown.is("FLOAT[2,4] [[1.0, 2.0, 3.0, 1.0], [4.0, 5.0, 6.0, 4.0]]", tf.array.concat(-1, a, tf.array.slice(a, all(), to(1))));
            shown.is("FLOAT[2,2,3] [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]", tf.array.stack(0, a, a));
            shown.is("FLOAT[2,3] [[4.0, 5.0, 6.0], [1.0, 2.0, 3.0]]", tf.array.slice(a, flip()));
            shown.is("FLOAT[3,4] [[0.0, 0.0, 0.0, 0.0], [1.0, 2.0, 3.0, 0.0], [4.0, 5.0, 6.0, 0.0]]",
                tf.array.pad(a, new long[] {1, 0}, new long[] {0, 1}));
            shown.is("FLOAT[2,6] [[1.0, 2.0, 3.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 4.0, 5.0, 6.0]]", tf.array.tile(a, 1, 2));
            shown.is("FLOAT[2,3,1] [[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]]]", tf.array.expandDims(a, -1));
            shown.is("FLOAT[2,3] [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]", tf.array.squeeze(tf.array.expandDims(a, 1)));
            shown.is("INT64[2,2] [[0, 1], [1, 0]]", tf.array.where(tf.constant(new boolean[][] {{false, true}, {true, false}})));
            shown.is("INT64[1,0] [[]]", tf.array.where(tf.constant(true)));
        }
    }

    @Test
    void aConstantIsAnIndex() {
        try (Ops tf = Ops.create()) {
            Constant<Float> a = tf.constant(A);
            Shown shown = new Shown(tf);
            shown.is("FLOAT[2] [2.0, 5.0]", tf.array.slice(a, all(), tf.constant(1)));
            shown.is("FLOAT[] 6.0", tf.array.slice(a, tf.constant(new long[] {-1, -1})));
        }
        try (Ops tf = Ops.create(); Tensor<String> words = Tensors.ofNested(new String[] {"in the town", "where I was", "born"})) {
            assertEquals("where I was", words.stringData().slice(tf.constant(1)).get());
        }
    }

    @Test
    void newTensors() {
        try (Ops tf = Ops.create()) {
            Shown shown = new Shown(tf);
            shown.is("INT32[4] [0, 3, 6, 9]", tf.array.range(0, 10, 3));
            shown.is("INT64[3] [5, 3, 1]", tf.array.range(5L, 0L, -2L));
            shown.is("FLOAT[3] [0.0, 0.25, 0.5]", tf.array.range(0f, .75f, .25f));
            shown.is("DOUBLE[0] []", tf.array.range(1.0, 0.0, 1.0));
            shown.is("INT64[4] [" + Long.MIN_VALUE + ", " + Long.MIN_VALUE / 2 + ", 0, " + (1L << 62) + "]",
                tf.array.range(Long.MIN_VALUE, Long.MAX_VALUE, 1L << 62));
            shown.is("DOUBLE[2,1] [[2.5], [2.5]]", tf.array.fill(2.5, 2, 1));
            shown.is("INT32[] 7", tf.array.fill(7));
            shown.is("BOOL[2] [true, true]", tf.array.fill(true, 2));
            shown.is("UINT8[1] [200]", tf.array.fill((byte) 200, 1));
            shown.is("FLOAT[4,3] [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]",
                tf.array.oneHot(tf.constant(new int[] {2, 0, 3, -1}), 3));
            Tensor<Float> wide = tf.array.oneHot(tf.constant(new byte[] {44}), 300).asTensor();
            assertArrayEquals(new long[] {1, 300}, wide.shape());
            assertEquals(1, wide.floatData().get(0, 44));
        }
    }

    @Test
    void gatheringPutsAxesOfIndicesInPlaceOfOne() {
        Seeds.each(1, 20, (random, done) -> {
            int rank = 1 + random.nextInt(3);
            long[] shape = new long[rank];
            Arrays.setAll(shape, d -> 1 + random.nextInt(4));
            int axis = random.nextInt(rank);
            Naive table = Naive.random(random::nextFloat, shape);
            Naive indices = Naive.random(() -> random.nextInt((int) shape[axis]), Naive.shape(random, random.nextInt(3)));
            int looked = indices.shape.length;
            long[] result = new long[rank - 1 + looked];
            System.arraycopy(shape, 0, result, 0, axis);
            System.arraycopy(indices.shape, 0, result, axis, looked);
            System.arraycopy(shape, axis + 1, result, axis + looked, rank - axis - 1);
            done.append(Arrays.toString(shape)).append(Arrays.toString(indices.shape)).append(" axis ").append(axis);
            try (Ops tf = Ops.create()) {
                Naive.of(result, at -> {
                    long[] from = new long[rank];
                    System.arraycopy(at, 0, from, 0, axis);
                    from[axis] = (long) indices.at(Arrays.copyOfRange(at, axis, axis + looked));
                    System.arraycopy(at, axis + looked, from, axis + 1, rank - axis - 1);
                    return table.at(from);
                }).check(tf, tf.array.gather(table.<Float>operand(tf, DataType.FLOAT), indices.operand(tf, DataType.INT64), axis - rank),
                    DataType.FLOAT);
            }
        });
    }

    /** A tensor that is not row-major is an operand, too; results are row-major. */
    @Test
    void anyLayoutIsTaken() {
        try (Ops tf = Ops.create();
            Tensor<Float> columns = Tensors.denseFloat(TensorLayout.columnMajor(2, 3),
                data -> data.put(FloatTensorData.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3)))) {
            Constant<Float> a = tf.constant(columns);
            Shown shown = new Shown(tf);
            shown.is("FLOAT[6] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]", tf.array.reshape(a, 6));
            shown.is("FLOAT[2,3] [[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]]", tf.math.add(a, a));
        }
    }
}
