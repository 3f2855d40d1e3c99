package io.tensornio.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.Tensor;
import io.tensornio.value.Value;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs the models in packages of Python, and compares their outputs with those of ONNX Runtime on one thread: {@code RealModels WHEEL...}. It fails
 * if one cannot be loaded that is not known to be refused, or outputs differ by more than 1e-3.
 */
public final class RealModels {
    /** Lengths of axes that a model leaves open, by words of its file's name: of each input its shape. */
    private static final Object[][] SHAPES = {
        {"magika", "1,2048"}, {"nudenet", "1,3,320,320"}, {"common_det", "1,3,416,416"}, {"ddddocr", "1,1,64,160"}, {"basic_pitch", "1,43844,1"},
        {"_cls_", "1,3,48,192"}, {"_rec_", "1,3,48,320"}, {"_det_", "1,3,320,480"}, {"16k_sequence", "4,576;1,1,128;1,1,128"},
        {"ifless", "1,576;;2,1,128"}, {"silero_vad_half", "1,576;2,1,128;"}, {"silero_vad", "1,576;2,1,128;"}};
    /** Models of another domain's operators, which nothing but ONNX Runtime has. */
    private static final List<String> REFUSED = java.util.Arrays.asList("common_old.onnx");

    private RealModels() {
    }

    /** Runs the models of all wheels that are there. */
    public static void main(String... wheels) throws IOException, OrtException {
        boolean good = true;
        for (String wheel : wheels) {
            Path folder = Files.createTempDirectory("models");
            try (FileSystem zip = FileSystems.newFileSystem(Paths.get(wheel), (ClassLoader) null);
                    Stream<Path> files = Files.walk(zip.getPath("/"))) {
                for (Path file : files.filter(path -> path.toString().endsWith(".onnx")).sorted().collect(Collectors.toList())) {
                    Path copy = folder.resolve(file.getFileName().toString());
                    Files.copy(file, copy);
                    good &= compared(copy, file.toString());
                    Files.delete(copy);
                }
            }
            Files.delete(folder);
        }
        System.exit(good ? 0 : 1);
    }

    private static boolean compared(Path file, String name) throws OrtException {
        if (REFUSED.contains(file.getFileName().toString())) {
            System.out.println(name + ": refused: " + OnnxModel.unsupported(file));
            return true;
        }
        OrtEnvironment env = OrtEnvironment.getEnvironment();
        OrtSession.SessionOptions options = new OrtSession.SessionOptions();
        options.setIntraOpNumThreads(1);
        options.setInterOpNumThreads(1);
        long start = System.nanoTime();
        try (OnnxModel model = OnnxModel.load(file); OrtSession session = env.createSession(file.toString(), options)) {
            long loaded = System.nanoTime() - start;
            Map<String, Tensor<?>> inputs = inputs(model, name);
            Map<String, OnnxTensor> theirs = new HashMap<>();
            for (Map.Entry<String, Tensor<?>> input : inputs.entrySet()) {
                theirs.put(input.getKey(), onnx(env, input.getValue()));
            }
            double worst = 0;
            try (Value out = model.run(inputs); OrtSession.Result expected = session.run(theirs)) {
                for (String output : model.outputs().keySet()) {
                    worst = Math.max(worst, difference(((OnnxTensor) expected.get(output).get()), out.get(output)));
                }
            }
            double ours = time(() -> model.run(inputs).close());
            double other = time(() -> session.run(theirs).close());
            System.out.printf("%s: largest difference %.1e, loaded in %d ms, runs in %.2f ms, ONNX Runtime in %.2f ms%n", name, worst,
                loaded / 1000000, ours, other);
            return worst <= 1e-3;
        }
    }

    private interface Action {
        void run() throws OrtException;
    }

    /** The shortest of five runs in milliseconds, after one. */
    private static double time(Action action) throws OrtException {
        double best = Double.POSITIVE_INFINITY;
        for (int n = 0; n < 5; n++) {
            long start = System.nanoTime();
            action.run();
            best = Math.min(best, (System.nanoTime() - start) / 1e6);
        }
        return best;
    }

    private static Map<String, Tensor<?>> inputs(OnnxModel model, String name) {
        String[] shapes = null;
        for (Object[] known : SHAPES) {
            if (name.contains((String) known[0]) && shapes == null) {
                shapes = ((String) known[1]).split(";", -1);
            }
        }
        Map<String, Tensor<?>> inputs = new LinkedHashMap<>();
        int n = 0;
        for (ModelValue input : model.inputs().values()) {
            String text = shapes[n++];
            long[] shape = text.isEmpty() ? new long[0] : Stream.of(text.split(",")).mapToLong(Long::parseLong).toArray();
            int size = (int) java.util.Arrays.stream(shape).reduce(1, (a, b) -> a * b);
            switch (input.dataType()) {
                case INT32: {
                    // The start of a text, as bytes, and what magika has for none.
                    byte[] source = "import java.util.List;\n\npublic final class Point {\n    private final int x;\n}\n".getBytes();
                    int[] values = new int[size];
                    java.util.Arrays.setAll(values, k -> k < 1024 && k < source.length ? source[k] : 256);
                    inputs.put(input.name(), IntTensorData.of(values, shape).copy());
                    break;
                }
                case INT64:
                    inputs.put(input.name(), LongTensorData.constant(16000, shape).copy());
                    break;
                default: {
                    float[] values = new float[size];
                    java.util.Random noise = new java.util.Random(3);
                    boolean state = input.name().equals("state") || input.name().equals("h") || input.name().equals("c");
                    for (int k = 0; k < size; k++) {
                        values[k] = state ? 0 : (float) (0.4 * Math.sin(k * 0.13) + 0.3 * Math.sin(k * 0.0071) + 0.2 * noise.nextGaussian());
                    }
                    inputs.put(input.name(), FloatTensorData.of(values, shape).copy());
                }
            }
        }
        return inputs;
    }

    private static OnnxTensor onnx(OrtEnvironment env, Tensor<?> tensor) throws OrtException {
        int size = (int) tensor.numElements();
        switch (tensor.dataType()) {
            case INT32: {
                int[] values = new int[size];
                tensor.intData().copyTo(values);
                return OnnxTensor.createTensor(env, IntBuffer.wrap(values), tensor.shape());
            }
            case INT64: {
                long[] values = new long[size];
                tensor.longData().copyTo(values);
                return OnnxTensor.createTensor(env, LongBuffer.wrap(values), tensor.shape());
            }
            default: {
                float[] values = new float[size];
                tensor.floatData().copyTo(values);
                return OnnxTensor.createTensor(env, FloatBuffer.wrap(values), tensor.shape());
            }
        }
    }

    /** The largest difference, relative to the largest value; of outputs that are all below 1e-3, to that. */
    private static double difference(OnnxTensor expected, Value actual) {
        if (expected.getInfo().type == ai.onnxruntime.OnnxJavaType.INT64) {
            LongBuffer wanted = expected.getLongBuffer();
            long[] made = new long[wanted.remaining()];
            actual.asTensor().longData().copyTo(made);
            for (int n = 0; n < made.length; n++) {
                if (wanted.get(n) != made[n]) {
                    return Double.POSITIVE_INFINITY;
                }
            }
            return 0;
        }
        FloatBuffer wanted = expected.getFloatBuffer();
        float[] made = new float[wanted.remaining()];
        if (actual.asTensor().numElements() != made.length) {
            return Double.POSITIVE_INFINITY;
        }
        actual.asTensor().floatData().copyTo(made);
        double largest = 0;
        for (int n = 0; n < made.length; n++) {
            largest = Math.max(largest, Math.abs(wanted.get(n)));
        }
        double worst = 0;
        for (int n = 0; n < made.length; n++) {
            double difference = Math.abs(made[n] - wanted.get(n)) / Math.max(largest, 1e-3);
            worst = Double.isNaN(difference) ? Double.POSITIVE_INFINITY : Math.max(worst, difference);
        }
        return worst;
    }
}
