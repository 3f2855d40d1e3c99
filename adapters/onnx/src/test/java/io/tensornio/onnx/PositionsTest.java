package io.tensornio.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.onnx.schema.Onnx.AttributeProto;
import io.tensornio.onnx.schema.Onnx.GraphProto;
import io.tensornio.onnx.schema.Onnx.TensorProto;
import io.tensornio.value.Value;
import java.util.Collections;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Positions of largest and smallest elements: the first of equal ones, among them both zeros, and the first that is not a number before all. */
class PositionsTest {
    private static final float[] SPECIAL = {Float.NaN, -Float.NaN, Float.intBitsToFloat(0xffc12345), 0f, -0f, Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY, Float.MIN_VALUE, -Float.MIN_VALUE, Float.MAX_VALUE, -Float.MAX_VALUE, 1, -1, 2, -2};

    private static int naive(float[] row, boolean largest) {
        int best = 0;
        for (int n = 1; n < row.length; n++) {
            boolean isBetter = Float.isNaN(row[n]) || (largest ? row[n] > row[best] : row[n] < row[best]);
            best = !Float.isNaN(row[best]) && isBetter ? n : best;
        }
        return best;
    }

    private static OnnxModel model(String operator, int axis) {
        return OnnxModel.load(Models.model(GraphProto.newBuilder().setName("g").addInput(Models.value("x", "n", "k"))
            .addOutput(Models.value("y", TensorProto.DataType.INT64)).addNode(Models.node(operator, "x", "y").toBuilder()
            .addAttribute(AttributeProto.newBuilder().setName("axis").setType(AttributeProto.AttributeType.INT).setI(axis)))));
    }

    @Test
    void areThoseOfALoop() {
        Random random = new Random(9);
        for (String operator : new String[] {"ArgMax", "ArgMin"}) {
            try (OnnxModel along = model(operator, 1); OnnxModel across = model(operator, 0)) {
                for (int round = 0; round < 200; round++) {
                    int rows = 1 + random.nextInt(4);
                    int length = 1 + random.nextInt(8);
                    float[][] x = new float[rows][length];
                    float[][] turned = new float[length][rows];
                    for (int n = 0; n < rows * length; n++) {
                        x[n / length][n % length] = SPECIAL[random.nextInt(SPECIAL.length)];
                        turned[n % length][n / length] = x[n / length][n % length];
                    }
                    try (Value out = along.run(Collections.singletonMap("x", x));
                            Value other = across.run(Collections.singletonMap("x", turned))) {
                        for (int row = 0; row < rows; row++) {
                            long wanted = naive(x[row], operator.equals("ArgMax"));
                            assertEquals(wanted, out.get("y").asTensor().longData().get(row, 0));
                            assertEquals(wanted, other.get("y").asTensor().longData().get(0, row));
                        }
                    }
                }
            }
        }
    }
}
