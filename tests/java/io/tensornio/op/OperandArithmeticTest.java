package io.tensornio.op;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.tensornio.Axis;
import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.axes.NamedTensor;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Operators of operands, and what else operands are taken for. */
@ExtendWith(MemoryBalance.class)
class OperandArithmeticTest {
    @Test
    void operandsAreAddedSubtractedMultipliedAndDivided() {
        try (Ops tf = Ops.create()) {
            Operand<Float> a = tf.constant(new float[][] {{1, 2}, {3, 4}});
            Operand<Float> b = tf.constant(new float[] {2, 4});
            assertEquals("FLOAT[2, 2]\n[[3., 6.],\n [5., 8.]]", a.plus(b).toString());
            assertEquals("FLOAT[2, 2]\n[[-1., -2.],\n [ 1.,  0.]]", a.minus(b).toString());
            assertEquals("FLOAT[2, 2]\n[[ 2.,  8.],\n [ 6., 16.]]", a.times(b).toString());
            assertEquals("FLOAT[2, 2]\n[[0.5, 0.5],\n [1.5, 1. ]]", a.div(b).toString());
            Expect.thrown(NullPointerException.class, () -> a.plus((Operand<Float>) null), "b");
            Operand<Float> three = tf.constant(new float[3]);
            Expect.thrown(IllegalArgumentException.class, () -> a.times(three), "[2, 2]", "[3]");
        }
    }

    @Test
    void numbersBecomeOfTheTypeOfTheElements() {
        try (Ops tf = Ops.create()) {
            assertEquals("FLOAT[2] [1.5, 2.5]", Held.held(Held.held(tf.constant(new float[] {1, 2})).plus(.5)).toString());
            assertEquals("DOUBLE[1] [0.25]", Held.held(Held.held(tf.constant(new double[] {.5})).div(2)).toString());
            assertEquals("INT32[2] [ 0, -1]", Held.held(Held.held(tf.constant(new int[] {3, 2})).minus(3L)).toString());
            assertEquals("INT64[1] [21]", Held.held(Held.held(tf.constant(new long[] {7})).times(3f)).toString());
            assertEquals("UINT8[1] [255]", Held.held(Held.held(tf.constant(new byte[] {55})).plus(200)).toString());
            Class<IllegalArgumentException> bad = IllegalArgumentException.class;
            Expect.thrown(bad, () -> tf.constant(new int[] {1}).plus(.5), "INT32 cannot hold the number 0.5");
            Expect.thrown(bad, () -> tf.constant(new int[] {1}).times(1L << 40), "INT32 cannot hold");
            Expect.thrown(bad, () -> tf.constant(new byte[] {1}).minus(-1), "UINT8 cannot hold");
            Expect.thrown(bad, () -> tf.constant(new long[] {1}).div(Double.NaN), "INT64 cannot hold");
            Expect.thrown(bad, () -> tf.constant(new boolean[] {true}).plus(1), "BOOL has no numbers");
            Expect.thrown(NullPointerException.class, () -> tf.constant(new long[] {1}).plus((Number) null), "number");
        }
    }

    @Test
    void reductionsOfNothingAreToldInTheCallersNames() {
        try (Ops tf = Ops.create()) {
            Operand<Integer> nothing = tf.constant(new int[0]);
            for (String name : new String[] {"max", "min"}) {
                IllegalArgumentException fault = Expect.thrown(IllegalArgumentException.class,
                    () -> (name.equals("max") ? tf.reduce.max(nothing) : tf.reduce.min(nothing)).toString(),
                    name + "(INT32 [0]): the " + name + "imum of no elements has no value in INT32");
                assertFalse(fault.getMessage().contains("i0"), fault.getMessage());
            }
        }
    }

    @Test
    void operandsAndMaterialisedNamedTensorsAreInputsOfComprehensions() {
        Comprehension twice = Comprehension.of("y[i] = 2 * x[i]");
        try (Ops tf = Ops.create(); Tensor<Float> tensor = Tensors.ofNested(new float[] {1, 2})) {
            try (Results results = twice.run(tf.constant(tensor).plus(1))) {
                assertEquals("FLOAT[2] [4., 6.]", results.get("y").toString());
            }
            NamedTensor bound = NamedTensor.of(tensor, Axis.of("X", 2));
            NamedTensor lazy = bound.plus(1);
            try (Results results = twice.run(bound)) {
                assertEquals("FLOAT[2] [2., 4.]", results.get("y").toString());
            }
            Expect.thrown(IllegalArgumentException.class, () -> twice.run(lazy), "input x", "named axes", "materialize()");
            lazy.materialize();
            try (Results results = twice.run(lazy)) {
                assertEquals("FLOAT[2] [4., 6.]", results.get("y").toString());
            }
            lazy.close();
            Expect.thrown(TensorClosedException.class, () -> twice.run(lazy));
        }
    }

    @Test
    void arraysAreRefusedWithWhatWrapsThem() {
        Comprehension twice = Comprehension.of("y[i] = 2 * x[i]");
        Class<IllegalArgumentException> bad = IllegalArgumentException.class;
        Expect.thrown(bad, () -> twice.run(new float[2]), "input x is a float[]: wrap it, as FloatTensorData.of(array, shape)");
        Expect.thrown(bad, () -> twice.run((Object) new int[2]), "int[]", "IntTensorData.of(array, shape)");
        Expect.thrown(bad, () -> twice.run((Object) new double[2][3]), "double[][]", "Tensors.ofNested(array)");
        Expect.thrown(bad, () -> twice.run("text"), "java.lang.String", "an input is a Tensor");
        try (Results results = twice.run(FloatTensorData.of(new float[] {3}))) {
            assertEquals("FLOAT[1] [6.]", results.get("y").toString());
        }
    }
}
