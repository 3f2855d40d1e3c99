package io.tensornio.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.onnx.schema.Onnx.AttributeProto;
import io.tensornio.onnx.schema.Onnx.GraphProto;
import io.tensornio.value.Value;
import java.util.Collections;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Convolutions that have one window along an axis, of which a part is in the padding, are those of the part of the filter that is inside. */
class OneWindowTest {
    private static final int MOST = 6;

    private static AttributeProto integers(String name, long... values) {
        AttributeProto.Builder attribute = AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.INTS);
        for (long value : values) {
            attribute.addInts(value);
        }
        return attribute.build();
    }

    /** An image of two channels, and a filter of two channels or one each, along one axis. */
    private static final class Case {
        private final int length;
        private final int size;
        private final int stride;
        private final int dilation;
        private final int before;
        private final int after;
        private final int groups;
        private final float[] image;
        private final float[] filter;

        Case(Random random) {
            length = 1 + random.nextInt(MOST);
            size = 1 + random.nextInt(MOST);
            stride = 1 + random.nextInt(MOST);
            dilation = 1 + random.nextInt(3);
            before = random.nextInt(MOST);
            after = random.nextInt(MOST);
            groups = 1 + random.nextInt(2);
            image = floats(random, 2 * length);
            filter = floats(random, 2 * 2 / groups * size);
        }

        private static float[] floats(Random random, int count) {
            float[] all = new float[count];
            for (int n = 0; n < count; n++) {
                all[n] = random.nextInt(9) - 4;
            }
            return all;
        }

        int windows() {
            int room = length + before + after - dilation * (size - 1) - 1;
            return room < 0 ? 0 : room / stride + 1;
        }

        byte[] model() {
            return Models.model(GraphProto.newBuilder().setName("g").addInput(Models.value("x", 1, 2, length)).addOutput(Models.value("y"))
                .addInitializer(Models.floats("w", new long[] {2, 2 / groups, size}, filter))
                .addNode(Models.node("Conv", "x w", "y").toBuilder().addAttribute(integers("pads", before, after))
                    .addAttribute(integers("strides", stride)).addAttribute(integers("dilations", dilation))
                    .addAttribute(AttributeProto.newBuilder().setName("group").setType(AttributeProto.AttributeType.INT).setI(groups))));
        }

        float[] expected() {
            float[] result = new float[2 * windows()];
            for (int n = 0; n < result.length; n++) {
                int filters = n / windows();
                for (int c = 0; c < 2 / groups; c++) {
                    int channel = groups == 1 ? c : filters;
                    for (int r = 0; r < size; r++) {
                        int at = n % windows() * stride + r * dilation - before;
                        result[n] += at < 0 || at >= length ? 0 : image[channel * length + at] * filter[(filters * 2 / groups + c) * size + r];
                    }
                }
            }
            return result;
        }

        Object nested() {
            float[][][] nested = new float[1][2][length];
            for (int n = 0; n < image.length; n++) {
                nested[0][n / length][n % length] = image[n];
            }
            return nested;
        }
    }

    @Test
    void aWindowThatReachesIntoPaddingIsTheSumOfWhatIsInside() {
        Random random = new Random(7);
        int single = 0;
        for (int n = 0; n < 600; n++) {
            Case one = new Case(random);
            if (one.windows() == 0) {
                continue;
            }
            single += one.windows() == 1 ? 1 : 0;
            try (OnnxModel model = OnnxModel.load(one.model()); Value out = model.run(Collections.singletonMap("x", one.nested()))) {
                float[] made = new float[2 * one.windows()];
                out.get("y").asTensor().floatData().copyTo(made);
                assertArrayEquals(one.expected(), made, 0, "case " + n);
            }
        }
        assertTrue(single > 100, "single windows: " + single);
    }
}
