package io.tensornio.onnxruntime;

import static io.tensornio.support.Expect.depth;
import static io.tensornio.support.Expect.thrown;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OnnxTensor;
import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.interop.Foreign;
import io.tensornio.interop.Pin;
import io.tensornio.value.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models that the tests make, run on tensors. */
class OrtModelTest {
    @TempDir
    Path folder;
    private long before;

    @BeforeEach
    void count() {
        before = MemoryStats.current().bytesInUse();
    }

    @AfterEach
    void everyTensorIsClosed() {
        assertTrue(MemoryStats.current().bytesInUse() <= before, () -> MemoryStats.current() + " was " + before);
    }

    private static Map<String, Object> x(Object value) {
        return Collections.singletonMap("x", value);
    }

    @Test
    void everyTypeGoesInAndOut() {
        int[] types = {OnnxFile.FLOAT, OnnxFile.DOUBLE, OnnxFile.INT32, OnnxFile.INT64, OnnxFile.BOOL, OnnxFile.UINT8, OnnxFile.STRING};
        Object[] values = {new float[][] {{1, Float.NaN}}, new double[][] {{1, -0.0}}, new int[][] {{-1, 2}}, new long[][] {{Long.MIN_VALUE, 2}},
            new boolean[][] {{true, false}}, new byte[][] {{(byte) 200, 0}}, new String[][] {{"", "b"}}};
        for (int n = 0; n < types.length; n++) {
            for (long first : new long[] {1, -1}) {
                Path path = OnnxFile.unary(folder, "Identity", OnnxFile.tensor(types[n], first, 2));
                try (OrtModel model = OrtModel.load(path); Tensor<?> tensor = Tensors.ofNested(values[n]); Value out = model.run(x(tensor))) {
                    assertEquals(Value.of(tensor), out.get("y"));
                    assertEquals(Collections.singleton("y"), out.asDict().keySet());
                }
            }
        }
    }

    @Test
    void tensorsValuesDataAndArraysAreInputs() {
        Path path = OnnxFile.unary(folder, "Neg", OnnxFile.tensor(OnnxFile.FLOAT, 2, 2));
        float[][] values = {{1, 2}, {3, 4}};
        try (OrtModel model = OrtModel.load(path); Tensor<Float> tensor = Tensors.ofNested(values);
            Tensor<Float> columns = Tensors.denseFloat(TensorLayout.columnMajor(2, 2), data -> data.put(new float[] {1, 2, 3, 4}))) {
            for (Object given : new Object[] {tensor, Value.of(tensor), tensor.floatData(), columns, values,
                FloatTensorData.of(new float[] {1, 3, 2, 4}, 2, 2).transpose()}) {
                try (Value out = model.run(x(given))) {
                    assertArrayEquals(new float[][] {{-1, -2}, {-3, -4}}, out.get("y").asTensor().toNested(float[][].class));
                }
            }
        }
    }

    @Test
    void outputsOfShapesThatAreKnownAreWrittenInPlace() {
        Path path = OnnxFile.unary(folder, "Neg", OnnxFile.tensor(OnnxFile.FLOAT, -1, 2));
        try (OrtModel model = OrtModel.load(path); Tensor<Float> tensor = Tensors.ofNested(new float[][] {{1, 2}, {3, 4}, {5, 6}})) {
            try (Value out = model.run(x(tensor), Collections.singletonMap("y", new long[] {3, 2}))) {
                assertArrayEquals(new float[][] {{-1, -2}, {-3, -4}, {-5, -6}}, out.get("y").asTensor().toNested(float[][].class));
            }
            // It would not be refused if the shape were not used.
            thrown(IllegalStateException.class, () -> model.run(x(tensor), Collections.singletonMap("y", new long[] {2, 2})), "Neg");
            thrown(IllegalArgumentException.class, () -> model.run(x(tensor), Collections.singletonMap("z", new long[] {3, 2})), "`z`", "y");
            thrown(IllegalArgumentException.class, () -> model.run(x(tensor), Collections.singletonMap("y", new long[] {-1, 2})), "`y`", "-1");
        }
    }

    @Test
    void anOutputOfAnyRankIsNotTakenForAScalar() {
        Path path = new OnnxFile().node("", "Reshape", new String[] {"x", "shape"}, new String[] {"y"})
            .input("x", OnnxFile.tensor(OnnxFile.FLOAT, -1)).input("shape", OnnxFile.tensor(OnnxFile.INT64, -1))
            .output("y", OnnxFile.anyTensor(OnnxFile.FLOAT)).write(folder, "reshape");
        Map<String, Object> given = new HashMap<>();
        given.put("x", new float[] {1, 2, 3, 4});
        try (OrtModel model = OrtModel.load(path)) {
            for (long[] shape : new long[][] {{4}, {2, 2}, {1, 4, 1}}) {
                given.put("shape", shape);
                for (Map<String, long[]> shapes : Arrays.asList(Collections.<String, long[]>emptyMap(), Collections.singletonMap("y", shape))) {
                    try (Value out = model.run(given, shapes)) {
                        assertArrayEquals(shape, out.get("y").asTensor().shape());
                        assertEquals(4, out.get("y").asTensor().floatData().flatten().get(3));
                    }
                }
            }
            given.put("x", new float[] {5});
            given.put("shape", new long[0]);
            try (Value out = model.run(given)) {
                assertEquals(5, out.get("y").asTensor().floatData().get());
            }
        }
    }

    private static long address(AnyTensor<?> tensor) {
        try (Pin pin = Pin.of(tensor)) {
            return pin.address();
        }
    }

    private static ByteBuffer memory(OnnxTensor onnx) {
        return (ByteBuffer) onnx.getBufferRef().orElseThrow(() -> new AssertionError("memory of ONNX Runtime's own"));
    }

    private static long address(OnnxTensor onnx) {
        ByteBuffer memory = memory(onnx).duplicate();
        try (Tensor<?> there = Foreign.adopt(DataType.UINT8, new long[] {memory.remaining()}, memory, () -> { })) {
            return address(there);
        }
    }

    /** During the run, after which ONNX Runtime's tensors are closed. */
    @Test
    void inputsAndOutputsOfShapesThatAreKnownAreTheMemoryOfTheTensors() throws Exception {
        for (long size : new long[] {3, -1}) {
            Path path = OnnxFile.unary(folder, "Neg", OnnxFile.tensor(OnnxFile.FLOAT, size));
            Map<String, long[]> shapes = size < 0 ? Collections.singletonMap("y", new long[] {3}) : Collections.emptyMap();
            try (OrtModel model = OrtModel.load(path); Tensor<Float> x = Tensors.ofNested(new float[] {1, 2, 3}); OrtModel.Run run = model.new Run();
                Value out = run.all(x(x), shapes)) {
                AnyTensor<?> y = out.get("y").asTensor();
                assertEquals(address(x), address(run.ins.get("x")));
                assertEquals(address(y), address(run.pinned.get("y")));
                memory(run.pinned.get("y")).putFloat(0, 9);
                assertArrayEquals(new float[] {9, -2, -3}, y.toNested(float[].class));
                assertArrayEquals(new float[] {9, -2, -3}, (float[]) run.pinned.get("y").getValue());
            }
        }
    }

    @Test
    void inputsOfOtherLayoutsAreCopiedAndOutputsOfOtherShapesAreWrittenByOnnxRuntime() throws Exception {
        Path path = OnnxFile.unary(folder, "Neg", OnnxFile.tensor(OnnxFile.FLOAT, -1, 2));
        try (OrtModel model = OrtModel.load(path); OrtModel.Run run = model.new Run();
            Tensor<Float> columns = Tensors.denseFloat(TensorLayout.columnMajor(2, 2), data -> data.put(new float[] {1, 2, 3, 4}));
            Value out = run.all(x(columns), Collections.emptyMap())) {
            assertNotEquals(address(columns), address(run.ins.get("x")));
            assertEquals(Collections.emptySet(), run.pinned.keySet());
            assertArrayEquals(new float[][] {{-1, -2}, {-3, -4}}, out.get("y").asTensor().toNested(float[][].class));
        }
    }

    @Test
    void everyNarrowTypeThatBothHaveGoesInAndOut() {
        DataType[] types = {DataType.FLOAT16, DataType.BFLOAT16, DataType.INT8, DataType.INT16};
        int[] codes = {10, 16, 3, 5};           // of TensorProto.DataType
        for (int n = 0; n < types.length; n++) {
            for (long first : new long[] {1, -1}) {
                Path path = OnnxFile.unary(folder, "Identity", OnnxFile.tensor(codes[n], first, 2));
                try (OrtModel model = OrtModel.load(path); Tensor<Integer> ints = Tensors.ofNested(new int[][] {{1, 127}});
                    Tensor<?> tensor = Tensors.convert(ints.intData(), types[n]); Value out = model.run(x(tensor))) {
                    assertEquals(Value.of(tensor), out.get("y"));
                }
            }
        }
    }

    /** ONNX Runtime writes through buffers that are read-only, and gives inputs out again: what it writes must always be new. */
    @Test
    void anOutputIsNeverTheMemoryOfAPublishedTensor() {
        for (long first : new long[] {3, -1}) {
            Path path = OnnxFile.unary(folder, "Identity", OnnxFile.tensor(OnnxFile.FLOAT, first));
            try (OrtModel model = OrtModel.load(path); Tensor<Float> tensor = Tensors.ofNested(new float[] {1, 2, 3});
                Value once = model.run(x(tensor)); Value again = model.run(x(once.get("y")), Collections.singletonMap("y", new long[] {3}))) {
                Set<Long> addresses = new HashSet<>();
                for (AnyTensor<?> one : new AnyTensor<?>[] {tensor, once.get("y").asTensor(), again.get("y").asTensor()}) {
                    addresses.add(address(one));
                    assertArrayEquals(new float[] {1, 2, 3}, one.toNested(float[].class));
                }
                assertEquals(3, addresses.size());
            }
        }
    }

    @Test
    void sequencesAreLists() {
        Path path = new OnnxFile().node("", "SequenceConstruct", new String[] {"x", "x"}, new String[] {"s"}).node("Neg", "x", "y")
            .input("x", OnnxFile.tensor(OnnxFile.FLOAT, 2)).output("s", OnnxFile.sequence(OnnxFile.tensor(OnnxFile.FLOAT, 2)))
            .output("y", OnnxFile.tensor(OnnxFile.FLOAT, 2)).write(folder, "sequence");
        try (OrtModel model = OrtModel.load(path); Tensor<Float> tensor = Tensors.ofNested(new float[] {1, 2}); Value out = model.run(x(tensor))) {
            assertEquals(Value.list(tensor, tensor), out.get("s"));
            assertArrayEquals(new float[] {-1, -2}, out.get("y").asTensor().toNested(float[].class));
            thrown(IllegalArgumentException.class, () -> model.run(x(tensor), Collections.singletonMap("s", new long[] {2})), "`s`");
        }
    }

    @Test
    void mapsAreDictionaries() {
        Map<String, OnnxFile.Message> labels = new HashMap<>();
        labels.put("ints", OnnxFile.ints("classlabels_int64s", 10, -7));
        labels.put("strings", OnnxFile.strings("classlabels_strings", "10", "-7"));
        labels.forEach((name, attribute) -> {
            int keys = name.equals("ints") ? OnnxFile.INT64 : OnnxFile.STRING;
            Path path = new OnnxFile().node("ai.onnx.ml", "ZipMap", new String[] {"x"}, new String[] {"m"}, attribute)
                .input("x", OnnxFile.tensor(OnnxFile.FLOAT, 2, 2))
                .output("m", OnnxFile.sequence(OnnxFile.map(keys, OnnxFile.tensor(OnnxFile.FLOAT)))).write(folder, name);
            try (OrtModel model = OrtModel.load(path); Value out = model.run(x(new float[][] {{1, 2}, {3, 4}}))) {
                assertEquals(2, out.get("m").asList().size());
                assertEquals(2f, out.get("m").get(0).get("-7").asTensor().floatData().get());
                assertEquals(3f, out.get("m").get(1).get("10").asTensor().floatData().get());
            }
        });
    }

    @Test
    void whatJavaCannotGiveIsRefusedAsItIsLoaded() {
        int[] types = {OnnxFile.UINT16, OnnxFile.UINT32, OnnxFile.UINT64};
        String[] names = {"UINT16", "UINT32", "UINT64"};
        for (int n = 0; n < types.length; n++) {
            Path path = OnnxFile.unary(folder, "Identity", OnnxFile.tensor(types[n], 2));
            thrown(IllegalArgumentException.class, () -> OrtModel.load(path), "`x`", names[n]);
        }
        OnnxFile.Message list = OnnxFile.sequence(OnnxFile.tensor(OnnxFile.FLOAT, 2));
        thrown(IllegalArgumentException.class, () -> OrtModel.load(OnnxFile.unary(folder, "Identity", list)), "`x`", "tensors");
        OnnxFile.Message optional = new OnnxFile.Message().message(9, new OnnxFile.Message().message(1, OnnxFile.tensor(OnnxFile.FLOAT, 2)));
        Path path = new OnnxFile().node("OptionalHasElement", "x", "y").input("x", optional).output("y", OnnxFile.tensor(OnnxFile.BOOL))
            .write(folder, "optional");
        assertThrows(IllegalArgumentException.class, () -> OrtModel.load(path));
    }

    @Test
    void filesThatAreNoModelsAreRefusedByName() throws IOException {
        thrown(UncheckedIOException.class, () -> OrtModel.load(folder.resolve("none.onnx")), "none.onnx");
        Path garbage = Files.write(folder.resolve("garbage.onnx"), "not a model".getBytes(StandardCharsets.UTF_8));
        thrown(IllegalArgumentException.class, () -> OrtModel.load(garbage), "garbage.onnx");
    }

    @Test
    void inputsAreChecked() {
        Path path = OnnxFile.unary(folder, "Neg", OnnxFile.tensor(OnnxFile.FLOAT, 2));
        try (OrtModel model = OrtModel.load(path); Tensor<Double> doubles = Tensors.ofNested(new double[] {1, 2});
            AnyTensor<Float> sparse = Tensors.sparseFloat(new long[] {2}, 1, data -> data.put(1, 0));
            Tensor<Float> three = Tensors.ofNested(new float[] {1, 2, 3})) {
            thrown(IllegalArgumentException.class, () -> model.run(new HashMap<>()), "`x`", "missing");
            thrown(IllegalArgumentException.class, () -> model.run(Collections.singletonMap("z", doubles)), "`z`", "x");
            thrown(IllegalArgumentException.class, () -> model.run(x(doubles)), "`x`", "DOUBLE", "FLOAT");
            thrown(IllegalArgumentException.class, () -> model.run(x(sparse)), "`x`", "SparseTensor");
            thrown(IllegalArgumentException.class, () -> model.run(x(Value.list())), "`x`", "LIST");
            assertThrows(IllegalStateException.class, () -> model.run(x(three)));
            three.numElements();
        }
        Tensor<Float> closed = Tensors.ofNested(new float[] {1, 2});
        closed.close();
        try (OrtModel model = OrtModel.load(path)) {
            assertThrows(TensorClosedException.class, () -> model.run(x(closed)));
        }
    }

    @Test
    void aClosedModelIsRefused() {
        OrtModel model = OrtModel.load(OnnxFile.unary(folder, "Neg", OnnxFile.tensor(OnnxFile.FLOAT, 2)));
        assertEquals(Collections.singleton("x"), model.inputs().keySet());
        assertEquals(Collections.singleton("y"), model.outputs().keySet());
        model.close();
        model.close();
        thrown(IllegalStateException.class, () -> model.run(x(new float[] {1, 2})), "closed");
    }

    @Test
    void closingTheModelOrTheTensorDuringARunIsHarmless() throws InterruptedException {
        Path path = OnnxFile.unary(folder, "Neg", OnnxFile.tensor(OnnxFile.FLOAT, -1));
        int n = 300_000;
        int depth = depth();
        for (int round = 0; round < 20 * depth; round++) {
            OrtModel model = OrtModel.load(path);
            Tensor<Float> tensor = Tensors.denseFloat(new long[] {n}, data -> data.put(FloatTensorData.constant(3, n)));
            AtomicInteger good = new AtomicInteger();
            List<Throwable> bad = Collections.synchronizedList(new ArrayList<>());
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                threads.add(new Thread(() -> {
                    try {
                        while (true) {
                            try (Value out = model.run(x(tensor))) {
                                FloatTensorData data = out.get("y").asTensor().floatData();
                                for (int i = 0; i < n; i += 1000) {
                                    assertEquals(-3, data.get(i));
                                }
                                good.incrementAndGet();
                            }
                        }
                    } catch (IllegalStateException e) {
                        assertTrue(e instanceof TensorClosedException || e.getMessage().contains("closed"), e.getMessage());
                    }
                }));
            }
            threads.forEach(thread -> thread.setUncaughtExceptionHandler((t, e) -> bad.add(e)));
            threads.forEach(Thread::start);
            while (good.get() < 3 && bad.isEmpty()) {
                Thread.yield();
            }
            AutoCloseable[] both = {model, tensor};
            try {
                both[round % 2].close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            model.close();
            tensor.close();
            assertEquals(Collections.emptyList(), bad);
        }
    }
}
