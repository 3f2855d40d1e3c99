package io.tensornio.onnx;

import static io.tensornio.support.Expect.depth;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.onnx.schema.Onnx.AttributeProto;
import io.tensornio.onnx.schema.Onnx.GraphProto;
import io.tensornio.onnx.schema.Onnx.NodeProto;
import io.tensornio.onnx.schema.Onnx.TensorProto;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Models that are cut, flipped, and have fields repeated and huge sizes: each runs, or is refused by an error that names the place. */
class DamagedModelsTest {
    /** 2^62 as the format writes it. */
    private static final byte[] HUGE = {-128, -128, -128, -128, -128, -128, -128, -128, 64};

    /** What the models may be of: a layer, a network of images, a loop, narrow elements, and classical operators. */
    private static byte[][] models() throws IOException {
        GraphProto.Builder images = GraphProto.newBuilder().setName("images").addInput(Models.value("x", "n", 1, 6, 6))
            .addOutput(Models.value("y", "n", 2)).addInitializer(Models.floats("w", new long[] {2, 1, 3, 3}, new float[18]))
            .addInitializer(Models.floats("f", new long[] {2, 2}, 1, 2, 3, 4))
            .addNode(Models.node("Conv", "x w", "c").toBuilder().addAttribute(integers("pads", 1, 1, 1, 1)))
            .addNode(Models.node("MaxPool", "c", "m").toBuilder().addAttribute(integers("kernel_shape", 2, 2)))
            .addNode(Models.node("GlobalAveragePool", "m", "g")).addNode(Models.node("Flatten", "g", "h"))
            .addNode(Models.node("Gemm", "h f", "k")).addNode(Models.node("Softmax", "k", "y"));
        GraphProto.Builder body = GraphProto.newBuilder().setName("body").addInput(Models.value("i", TensorProto.DataType.INT64))
            .addInput(Models.value("go", TensorProto.DataType.BOOL)).addInput(Models.value("s", 2))
            .addOutput(Models.value("go", TensorProto.DataType.BOOL)).addOutput(Models.value("t", 2)).addNode(Models.node("Add", "s x", "t"));
        GraphProto.Builder loop = GraphProto.newBuilder().setName("loop").addInput(Models.value("x", 2)).addOutput(Models.value("y", 2))
            .addInitializer(Models.longs("count", new long[0], 3)).addNode(NodeProto.newBuilder().setOpType("Loop").setName("again")
            .addInput("count").addInput("").addInput("x").addOutput("y").addAttribute(AttributeProto.newBuilder().setName("body")
            .setType(AttributeProto.AttributeType.GRAPH).setG(body)));
        GraphProto.Builder narrow = GraphProto.newBuilder().setName("narrow").addInput(Models.value("x", 2))
            .addOutput(Models.value("y", TensorProto.DataType.FLOAT16, 2)).addInitializer(TensorProto.newBuilder().setName("w").addDims(2)
            .setDataType(TensorProto.DataType.FLOAT16_VALUE).addInt32Data(0x3c00).addInt32Data(0x4000))
            .addNode(Models.node("CastLike", "x w", "c")).addNode(Models.node("Mul", "c w", "y"));
        return new byte[][] {Models.model(Models.layer()), Models.model(images), Models.model(loop), Models.model(narrow),
            Files.readAllBytes(Paths.get("examples/data/digits.onnx"))};
    }

    private static AttributeProto integers(String name, long... values) {
        AttributeProto.Builder attribute = AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.INTS);
        Arrays.stream(values).forEach(attribute::addInts);
        return attribute.build();
    }

    private static byte[] damaged(byte[] whole, Random random) {
        byte[] bytes = random.nextInt(6) == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
        for (int k = random.nextInt(3); k >= 0 && bytes.length > 0; k--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0:
                    bytes[at] = (byte) random.nextInt();
                    break;
                case 1:
                    bytes[at] ^= (byte) (1 << random.nextInt(8));
                    break;
                case 2:
                    bytes = inserted(bytes, at, HUGE, random.nextInt(2));
                    break;
                default: {
                    int from = random.nextInt(bytes.length);
                    bytes = inserted(bytes, at, Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + random.nextInt(64))), 0);
                }
            }
        }
        return bytes;
    }

    private static byte[] inserted(byte[] bytes, int at, byte[] more, int dropped) {
        byte[] made = new byte[bytes.length + more.length - dropped];
        System.arraycopy(bytes, 0, made, 0, at);
        System.arraycopy(more, 0, made, at, more.length);
        System.arraycopy(bytes, at + dropped, made, at + more.length, bytes.length - at - dropped);
        return made;
    }

    /** Inputs of the lengths that the model has; null if these are unreasonable. */
    private static Map<String, Tensor<?>> inputs(OnnxModel model) {
        Map<String, Tensor<?>> inputs = new LinkedHashMap<>();
        for (ModelValue input : model.inputs().values()) {
            double size = 1;
            if (input.axes() == null || input.dataType() == null || input.dataType() == DataType.STRING) {
                return null;
            }
            long[] shape = new long[input.axes().size()];
            for (int d = 0; d < shape.length; d++) {
                shape[d] = input.axes().get(d).matches("\\d+") ? Long.parseLong(input.axes().get(d)) : 2;
                size *= shape[d];
            }
            if (size > 1 << 16) {
                return null;
            }
            inputs.put(input.name(), Tensors.dense(input.dataType(), shape, data -> { }));
        }
        return inputs;
    }

    /** What becomes of a model: whether it ran. */
    private static boolean runs(byte[] bytes) {
        try (OnnxModel model = OnnxModel.load(bytes)) {
            Map<String, Tensor<?>> inputs = inputs(model);
            if (inputs == null) {
                return false;
            }
            try {
                model.run(inputs).close();
                return true;
            } catch (IllegalArgumentException refused) {
                assertTrue(refused.getMessage().contains("`"), refused.getMessage());
                return false;
            } finally {
                inputs.values().forEach(Tensor::close);
            }
        } catch (IllegalArgumentException | UncheckedIOException | OutOfMemoryError refused) {
            assertNotNull(refused.getMessage());
            return false;
        } catch (ModelInterruptedException tooLong) {
            assertTrue(Thread.interrupted());           // a loop that the damage made very long
            return false;
        }
    }

    /** 2,000 damaged models; a depth of 50 makes them 10^5. */
    @Test
    void eachRunsOrIsRefused() throws IOException {
        byte[][] models = models();
        for (byte[] whole : models) {
            assertTrue(runs(whole));
        }
        Random random = new Random(7);
        int count = 2000 * depth();
        long before = MemoryStats.current().bytesInUse();
        int ran = 0;
        ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
        Thread runner = Thread.currentThread();
        try {
            for (int n = 0; n < count; n++) {
                byte[] bytes = damaged(models[n % models.length], random);
                ScheduledFuture<?> end = watch.schedule(runner::interrupt, 5, TimeUnit.SECONDS);
                ran += runs(bytes) ? 1 : 0;
                end.cancel(true);
                Thread.interrupted();
            }
        } finally {
            watch.shutdownNow();
        }
        assertTrue(ran > count / 20, ran + " of " + count + " still run");
        // Less is no fault: what an earlier test dropped has been collected meanwhile.
        long open = MemoryStats.current().bytesInUse() - before;
        assertTrue(open <= 0, open + " bytes were left open");
    }
}
