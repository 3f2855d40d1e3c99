package io.tensornio.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensors;
import io.tensornio.onnx.engine.Table;
import io.tensornio.onnx.schema.Onnx.AttributeProto;
import io.tensornio.onnx.schema.Onnx.GraphProto;
import io.tensornio.onnx.schema.Onnx.TensorProto;
import io.tensornio.value.Value;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnnxModelTest {
    private static final float[][] X = {{1, 2}, {3, 4}};

    @TempDir
    Path directory;

    private static OnnxModel layer() {
        return OnnxModel.load(Models.model(Models.layer()));
    }

    @Test
    void aLayerIsComputed() {
        try (OnnxModel model = layer(); Value out = model.run(Collections.singletonMap("x", X))) {
            // (1 2)(1 2; 3 4) = (7 10), (3 4) times it (15 22); less 10, and more by a half.
            assertArrayEquals(new float[][] {{0, 10.5f}, {5, 22.5f}}, out.get("y").asTensor().toNested(float[][].class));
            assertEquals(10, out.get("s").asTensor().floatData().get(0, 0));
        }
    }

    @Test
    void aModelDescribesItself() {
        try (OnnxModel model = layer()) {
            assertEquals(Collections.singleton("x"), model.inputs().keySet());
            assertEquals(DataType.FLOAT, model.inputs().get("x").dataType());
            assertEquals(Arrays.asList("batch", "2"), model.inputs().get("x").axes());
            assertEquals(Value.Kind.TENSOR, model.outputs().get("y").kind());
            assertEquals(Collections.singletonMap("", 18L), model.opsets());
            assertTrue(model.toString().contains("input  x FLOAT[batch, 2]"), model.toString());
        }
    }

    @Test
    void axesAreFixedByTheirNames() {
        byte[] bytes = Models.model(Models.layer());
        try (OnnxModel model = OnnxModel.load(bytes, Options.freeze("batch", 1))) {
            assertEquals(Arrays.asList("1", "2"), model.inputs().get("x").axes());
            assertThrows(IllegalArgumentException.class, () -> model.run(Collections.singletonMap("x", X)));
            model.run(Collections.singletonMap("x", new float[1][2])).close();
        }
        assertThrows(IllegalArgumentException.class, () -> OnnxModel.load(bytes, Options.freeze("length", 1)));
        assertThrows(IllegalArgumentException.class, () -> Options.freeze("batch", -1));
    }

    @Test
    void theThreadsOfARunChangeNoResult() {
        byte[] bytes = Models.model(Models.layer());
        try (OnnxModel model = OnnxModel.load(bytes, Options.freeze("batch", 1).threads(1)); OnnxModel all = OnnxModel.load(bytes);
            Value one = model.run(Collections.singletonMap("x", new float[1][2]));
            Value same = all.run(Collections.singletonMap("x", new float[1][2]))) {
            assertEquals(same.get("s").toString(), one.get("s").toString());
            assertEquals(Arrays.asList("1", "2"), model.inputs().get("x").axes());
        }
        assertThrows(IllegalArgumentException.class, () -> Options.defaults().threads(0));
    }

    @Test
    void someOutputsAloneAreComputed() {
        try (OnnxModel model = layer(); Value out = model.run(Collections.singletonMap("x", X), "s")) {
            assertEquals(Collections.singleton("s"), out.asDict().keySet());
            assertThrows(IllegalArgumentException.class, () -> model.run(Collections.singletonMap("x", X), "z"));
        }
    }

    @Test
    void filesAndStreamsAreRead() throws IOException {
        Path file = Files.write(directory.resolve("layer.onnx"), Models.model(Models.layer()));
        try (OnnxModel a = OnnxModel.load(file); OnnxModel b = OnnxModel.load(new ByteArrayInputStream(Files.readAllBytes(file)))) {
            assertEquals(a.inputs().keySet(), b.inputs().keySet());
        }
        assertEquals(Collections.emptyList(), OnnxModel.unsupported(file));
    }

    @Test
    void whatIsNotSupportedIsToldAtOnce() {
        byte[] model = Models.model(Models.layer().addNode(Models.node("Frobnicate", "y", "z")).addNode(Models.node("Grind", "z", "zz")));
        String message = assertThrows(IllegalArgumentException.class, () -> OnnxModel.load(model)).getMessage();
        assertTrue(message.contains("Frobnicate") && message.contains("Grind"), message);
    }

    @Test
    void aScanOfABatchHasZerosForExamplesWithoutSlices() {
        GraphProto body = GraphProto.newBuilder().setName("sum").addInput(Models.value("s", 1)).addInput(Models.value("x", 1))
            .addNode(Models.node("Add", "s x", "t")).addNode(Models.node("Identity", "t", "y")).addOutput(Models.value("t", 1))
            .addOutput(Models.value("y", 1)).build();
        GraphProto.Builder graph = GraphProto.newBuilder().setName("scan").addInput(Models.value("lengths", TensorProto.DataType.INT64, 3))
            .addInput(Models.value("from", 3, 1)).addInput(Models.value("xs", 3, 2, 1)).addOutput(Models.value("last"))
            .addOutput(Models.value("sums")).addNode(Models.node("Scan", "lengths from xs", "last sums").toBuilder()
                .addAttribute(AttributeProto.newBuilder().setName("body").setType(AttributeProto.AttributeType.GRAPH).setG(body))
                .addAttribute(AttributeProto.newBuilder().setName("num_scan_inputs").setType(AttributeProto.AttributeType.INT).setI(1)));
        Map<String, Object> in = new HashMap<>();
        in.put("from", new float[][] {{100}, {200}, {300}});
        in.put("xs", new float[][][] {{{1}, {2}}, {{3}, {4}}, {{5}, {6}}});
        try (OnnxModel model = OnnxModel.load(Models.model(graph, 8))) {
            in.put("lengths", new long[] {0, 2, 1});
            try (Value out = model.run(in)) {
                assertArrayEquals(new float[][] {{100}, {207}, {305}}, out.get("last").asTensor().toNested(float[][].class));
                assertArrayEquals(new float[][][] {{{0}, {0}}, {{203}, {207}}, {{305}, {0}}},
                    out.get("sums").asTensor().toNested(float[][][].class));
            }
            in.put("lengths", new long[] {1, 2, 0});
            try (Value out = model.run(in)) {
                assertArrayEquals(new float[][][] {{{101}, {0}}, {{203}, {207}}, {{0}, {0}}},
                    out.get("sums").asTensor().toNested(float[][][].class));
            }
        }
    }

    @Test
    void inputsThatDoNotFitAreRefused() {
        try (OnnxModel model = layer()) {
            for (Object wrong : new Object[] {new float[][] {{1, 2, 3}}, new double[][] {{1, 2}}, new float[] {1, 2}}) {
                assertThrows(IllegalArgumentException.class, () -> model.run(Collections.singletonMap("x", wrong)));
            }
            assertThrows(IllegalArgumentException.class, () -> model.run(Collections.emptyMap()));
            assertThrows(IllegalArgumentException.class, () -> model.run(Collections.singletonMap("other", X)));
        }
    }

    @Test
    void aClosedModelIsRefused() {
        OnnxModel model = layer();
        model.close();
        model.close();
        assertThrows(IllegalStateException.class, () -> model.run(Collections.singletonMap("x", X)));
    }

    @Test
    void anInterruptedThreadEndsItsRun() {
        try (OnnxModel model = layer()) {
            Thread.currentThread().interrupt();
            assertThrows(ModelInterruptedException.class, () -> model.run(Collections.singletonMap("x", X)));
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void manyThreadsRunItWhileItIsClosed() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        OnnxModel model = layer();
        try {
            Future<?>[] all = new Future<?>[8];
            for (int n = 0; n < all.length; n++) {
                all[n] = threads.submit(() -> {
                    try {
                        while (true) {
                            try (Value out = model.run(Collections.singletonMap("x", X))) {
                                assertEquals(22.5f, out.get("y").asTensor().floatData().get(1, 1));
                            }
                        }
                    } catch (IllegalStateException closed) {
                        assertTrue(closed.getMessage().contains("closed"), closed.getMessage());
                    }
                });
            }
            Thread.sleep(200);
            model.close();
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void manyShapesLeaveNothingBehind() {
        try (OnnxModel model = layer()) {
            long before = MemoryStats.current().bytesInUse();
            for (int n = 1; n <= 10000; n++) {
                model.run(Collections.singletonMap("x", FloatTensorData.constant(1, n, 2))).close();
            }
            assertTrue(MemoryStats.current().bytesInUse() - before < 1 << 20);
        }
    }

    @Test
    void aModelOfManyPiecesIsReadWhole() throws IOException {
        for (int count : new int[] {16_000, 16_384, 100_000}) {
            float[] values = new float[count];
            for (int n = 0; n < count; n++) {
                values[n] = n % 7;
            }
            byte[] bytes = Models.model(GraphProto.newBuilder().setName("g").addInput(Models.value("x", count)).addOutput(Models.value("y"))
                .addInitializer(Models.floats("w", new long[] {count}, values)).addNode(Models.node("Add", "x w", "y")));
            Path file = Files.write(directory.resolve("many.onnx"), bytes);
            java.io.InputStream slow = new java.io.FilterInputStream(new ByteArrayInputStream(bytes)) {
                @Override
                public int read(byte[] to, int from, int length) throws IOException {
                    return super.read(to, from, Math.min(length, 1000));
                }
            };
            for (OnnxModel model : new OnnxModel[] {OnnxModel.load(file), OnnxModel.load(slow)}) {
                try (OnnxModel own = model; Value out = own.run(Collections.singletonMap("x", new float[count]))) {
                    float[] found = new float[count];
                    out.get("y").asTensor().floatData().copyTo(found);
                    assertArrayEquals(values, found);
                }
            }
        }
    }

    @Test
    void theBytesThatAModelWasReadFromAreNotKept() throws InterruptedException {
        GraphProto.Builder graph = GraphProto.newBuilder().setName("g").addInput(Models.value("x", 1, 1, 4, 4)).addOutput(Models.value("y"))
            .addInitializer(Models.floats("w", new long[] {1, 1, 3, 3}, new float[9])).addNode(Models.node("Conv", "x w", "y").toBuilder()
            .addAttribute(AttributeProto.newBuilder().setName("auto_pad").setType(AttributeProto.AttributeType.STRING)
            .setS(com.google.protobuf.ByteString.copyFromUtf8("SAME_UPPER"))));
        byte[] bytes = Models.model(graph);
        java.lang.ref.WeakReference<byte[]> kept = new java.lang.ref.WeakReference<>(bytes);
        try (OnnxModel model = OnnxModel.load(bytes)) {
            bytes = null;
            for (int n = 0; kept.get() != null && n < 100; n++) {
                System.gc();
                Thread.sleep(20);
            }
            assertNull(kept.get());
            assertEquals("y", String.join(",", model.outputs().keySet()));
        }
    }

    @Test
    void digitsAreRecognised() throws IOException {
        Path folder = Paths.get("examples/data");
        float[][] rows = Digits.rows(folder);
        try (OnnxModel model = OnnxModel.load(folder.resolve("digits.onnx"));
                io.tensornio.Tensor<Float> x = Tensors.ofNested(Digits.images(rows)); Value out = model.run(Collections.singletonMap("X", x))) {
            int right = 0;
            for (int n = 0; n < rows.length; n++) {
                right += out.get("label").asTensor().longData().get(n) == (long) rows[n][64] ? 1 : 0;
            }
            assertEquals(418, right);           // as many as scikit-learn's own
        }
    }

    @Test
    void inputsThatHaveAValueMayBeReplaced() {
        GraphProto.Builder graph = Models.layer().addInput(Models.value("b", 2));
        try (OnnxModel model = OnnxModel.load(Models.model(graph)); Value own = model.run(Collections.singletonMap("x", X))) {
            assertEquals(Collections.singleton("x"), model.inputs().keySet());
            assertEquals(Collections.singleton("b"), model.replaceable().keySet());
            assertArrayEquals(new float[][] {{0, 10.5f}, {5, 22.5f}}, own.get("y").asTensor().toNested(float[][].class));
            Map<String, Object> given = new HashMap<>();
            given.put("x", X);
            given.put("b", new float[] {1, -20});
            try (Value out = model.run(given)) {
                assertArrayEquals(new float[][] {{8, 0}, {16, 2}}, out.get("y").asTensor().toNested(float[][].class));
            }
        }
    }

    @Test
    void elementsStoredNarrowAreComputedWideAndRoundedOnce() {
        GraphProto.Builder graph = GraphProto.newBuilder().setName("narrow").addInput(Models.value("x", TensorProto.DataType.FLOAT16, 2))
            .addOutput(Models.value("y", TensorProto.DataType.FLOAT16, 2)).addInitializer(TensorProto.newBuilder().setName("w").addDims(2)
            .setDataType(TensorProto.DataType.FLOAT16_VALUE).addInt32Data(0x3c00).addInt32Data(0x4000)).addNode(Models.node("Add", "x w", "y"));
        try (OnnxModel model = OnnxModel.load(Models.model(graph));
                Value out = model.run(Collections.singletonMap("x", Tensors.convert(FloatTensorData.of(new float[] {2048, 1}), DataType.FLOAT16)))) {
            // 2048 + 1 lies between two numbers of FLOAT16, and goes to the even one; 1 + 2 is exact.
            assertEquals(DataType.FLOAT16, out.get("y").asTensor().dataType());
            assertEquals(2048, out.get("y").asTensor().floatData().get(0));
            assertEquals(3, out.get("y").asTensor().floatData().get(1));
        }
    }

    @Test
    void narrowIntegersWrap() {
        GraphProto.Builder graph = GraphProto.newBuilder().setName("narrow").addInput(Models.value("x", TensorProto.DataType.INT8, 2))
            .addOutput(Models.value("y", TensorProto.DataType.INT8, 2)).addNode(Models.node("Add", "x x", "t"))
            .addNode(Models.node("Add", "t x", "y"));
        try (OnnxModel model = OnnxModel.load(Models.model(graph));
                Value out = model.run(Collections.singletonMap("x", IntTensorData.ofInt8(new byte[] {100, -3})))) {
            // 300 - 256.
            assertArrayEquals(new int[] {44, -9}, out.get("y").asTensor().toNested(int[].class));
        }
    }

    @Test
    void theUpperHalfOfUInt64IsNotComputedWith() {
        GraphProto.Builder graph = GraphProto.newBuilder().setName("wide").addInput(Models.value("x", TensorProto.DataType.UINT64, 1))
            .addOutput(Models.value("y", TensorProto.DataType.UINT64, 1)).addNode(Models.node("Add", "x x", "y"));
        try (OnnxModel model = OnnxModel.load(Models.model(graph))) {
            try (Value out = model.run(Collections.singletonMap("x", LongTensorData.ofUInt64(new long[] {21})))) {
                assertEquals(42, out.get("y").asTensor().longData().get(0));
            }
            String message = assertThrows(IllegalArgumentException.class,
                () -> model.run(Collections.singletonMap("x", LongTensorData.ofUInt64(new long[] {-1})))).getMessage();
            assertTrue(message.contains("Add_y") && message.contains("2^63"), message);
        }
    }

    @Test
    void thePageOfOperatorsIsTheirTable() throws IOException {
        Path page = Paths.get("docs/onnx-operators.md");
        if (Boolean.getBoolean("accept")) {
            Files.write(page, Table.page(), StandardCharsets.UTF_8);
        }
        assertEquals(Table.page(), Files.readAllLines(page, StandardCharsets.UTF_8));
    }
}
