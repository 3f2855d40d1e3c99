package io.tensornio.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.BooleanTensorData;
import io.tensornio.ByteTensorData;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Constant data as an input of comprehensions: one element in memory, whatever its shape. */
@ExtendWith(MemoryBalance.class)
class ConstantInputsTest {
    private static final String[] TEXTS = {"y[i,j] = a[i,j] + b[i,j]; gradient y by b", "y[i] += a[i,k] * b[k,j]", "y[j] max= b[i,j]",
        "y[j,i] = b[i,j] * a[j,i]", "y[i] += b[i,i]", "y += b[i,j] * a[i,j]; z = y * b[0,1]; gradient z by b, a"};

    @Test
    void aConstantLargerThanTheBudgetIsRead() {
        FloatTensorData huge = FloatTensorData.constant(2, 1 << 20, 1 << 20);
        try (Results r = Comprehension.of("y[i] = x[i,5] + x[1000000,i] where i in 0:3").run(huge)) {
            assertEquals(FloatTensorData.of(new float[] {4, 4, 4}), r.floatTensor("y").floatData());
        }
        try (Results r = Comprehension.of("y[i] = x[3,i]").run(huge.slice(TensorIndex.all(), TensorIndex.range(7, 9)))) {
            assertEquals(FloatTensorData.of(new float[] {2, 2}), r.floatTensor("y").floatData());
        }
    }

    private static void agree(String text, TensorData<?> a, TensorData<?> constant, TensorData<?> same) {
        Comprehension program = Comprehension.of(text);
        Object[] one = program.inputs().stream().map(name -> "a".equals(name) ? a : constant).toArray();
        Object[] other = program.inputs().stream().map(name -> "a".equals(name) ? a : same).toArray();
        try (Results found = program.run(one); Results expected = program.run(other)) {
            for (String name : expected.names()) {
                assertEquals(expected.get(name).data(), found.get(name).data(), text + " " + name);
            }
        }
    }

    @Test
    void resultsAreThoseOfAnArray() {
        float[] floats = new float[16];
        Arrays.fill(floats, 3);
        double[] doubles = new double[16];
        Arrays.fill(doubles, 3);
        float[] numbers = new float[16];
        double[] wide = new double[16];
        for (int n = 0; n < 16; n++) {
            numbers[n] = n - 5;
            wide[n] = n - 5;
        }
        for (String text : TEXTS) {
            agree(text, FloatTensorData.of(numbers, 4, 4), FloatTensorData.constant(3, 4, 4), FloatTensorData.of(floats, 4, 4));
            agree(text, FloatTensorData.of(numbers, 4, 4), FloatTensorData.constant(3, 4, 4).transpose(), FloatTensorData.of(floats, 4, 4));
            agree(text, DoubleTensorData.of(wide, 4, 4), DoubleTensorData.constant(3, 4, 4), DoubleTensorData.of(doubles, 4, 4));
        }
    }

    @Test
    void allTypesAndShapes() {
        int[] ints = new int[6];
        Arrays.fill(ints, 7);
        long[] longs = new long[6];
        Arrays.fill(longs, 7);
        byte[] bytes = new byte[6];
        Arrays.fill(bytes, (byte) 200);
        boolean[] flags = new boolean[6];
        Arrays.fill(flags, true);
        String text = "y[j,i] = b[i,j]";
        agree(text, null, IntTensorData.constant(7, 2, 3), IntTensorData.of(ints, 2, 3));
        agree(text, null, LongTensorData.constant(7, 2, 3), LongTensorData.of(longs, 2, 3));
        agree(text, null, ByteTensorData.constant(200, 2, 3), ByteTensorData.of(bytes, 2, 3));
        agree(text, null, BooleanTensorData.constant(true, 2, 3), BooleanTensorData.of(flags, 2, 3));
        agree(text, null, FloatTensorData.constant(1, 0, 3), FloatTensorData.of(new float[0], 0, 3));
        agree("y = b", null, FloatTensorData.constant(1), FloatTensorData.of(new float[] {1}, new long[0]));
    }
}
