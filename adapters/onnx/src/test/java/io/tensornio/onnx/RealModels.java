package io.tensornio.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.onnx.schema.Onnx.ModelProto;
import io.tensornio.value.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
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
 * if one cannot be loaded that is not known to be refused, or if any element differs from ONNX Runtime's by more than 1e-3 of it and twice the
 * precision of the largest one. Where one does, ONNX Runtime may be at fault: some models subtract the square of a mean from a mean of squares,
 * and its sigmoid is an approximation. Then the same model, computed in DOUBLE, tells who is right, and the same tolerance holds from there.
 */
public final class RealModels {
    /** Lengths of axes that a model leaves open, by words of its file's name: of each input its shape. */
    private static final Object[][] SHAPES = {
        {"magika", "1,2048"}, {"nudenet", "1,3,320,320"}, {"common_det", "1,3,416,416"}, {"ddddocr", "1,1,64,160"}, {"basic_pitch", "1,43844,1"},
        {"_cls_", "1,3,48,192"}, {"_rec_", "1,3,48,320"}, {"_det_", "1,3,320,480"}, {"16k_sequence", "4,576;1,1,128;1,1,128"},
        {"ifless", "1,576;;2,1,128"}, {"silero_vad_half", "1,576;2,1,128;"}, {"silero_vad", "1,576;2,1,128;"}};
    /** Models of another domain's operators, which nothing but ONNX Runtime has. */
    private static final List<String> REFUSED = java.util.Arrays.asList("common_old.onnx");

    private static final double TOLERANCE = 1e-3;

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
            String exact = "";
            try (Value out = model.run(inputs); OrtSession.Result expected = session.run(theirs)) {
                for (String output : model.outputs().keySet()) {
                    worst = Math.max(worst, difference(((OnnxTensor) expected.get(output).get()), out.get(output)));
                }
                if (worst > TOLERANCE) {
                    double[] errors = errors(file, inputs, out, expected);
                    exact = String.format(", from DOUBLE %.1e, ONNX Runtime's from DOUBLE %.1e", errors[0], errors[1]);
                    worst = errors[0];
                }
            }
            double ours = time(() -> model.run(inputs).close());
            double other = time(() -> session.run(theirs).close());
            System.out.printf("%s: largest difference %.1e%s, loaded in %d ms, runs in %.2f ms, ONNX Runtime in %.2f ms%n", name, worst, exact,
                loaded / 1000000, ours, other);
            return worst <= TOLERANCE;
        }
    }

    /** Something that is timed. */
    interface Action {
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

    /** Inputs of a model, by words of its file's name. */
    static Map<String, Tensor<?>> inputs(OnnxModel model, String name) {
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

    static OnnxTensor onnx(OrtEnvironment env, Tensor<?> tensor) throws OrtException {
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

    /** The largest errors of outputs, ours and those of ONNX Runtime, against the model in DOUBLE. */
    private static double[] errors(Path file, Map<String, Tensor<?>> inputs, Value out, OrtSession.Result expected) {
        byte[] wide;
        try {
            wide = InDouble.of(ModelProto.parseFrom(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, Object> widened = new LinkedHashMap<>();
        inputs.forEach((name, tensor) -> widened.put(name, tensor.dataType() != DataType.FLOAT ? tensor
            : Tensors.convert(tensor.floatData(), DataType.DOUBLE)));
        double[] errors = new double[2];
        try (OnnxModel model = OnnxModel.load(wide); Value exact = model.run(widened)) {
            for (String output : model.outputs().keySet()) {
                AnyTensor<?> right = exact.get(output).asTensor();
                if (right.dataType() != DataType.DOUBLE) {
                    continue;
                }
                double[] wanted = new double[(int) right.numElements()];
                right.doubleData().copyTo(wanted);
                errors[0] = Math.max(errors[0], difference(wanted, floats(out.get(output).asTensor())));
                FloatBuffer theirs = ((OnnxTensor) expected.get(output).get()).getFloatBuffer();
                float[] made = new float[theirs.remaining()];
                theirs.get(made);
                errors[1] = Math.max(errors[1], difference(wanted, made));
            }
        }
        return errors;
    }

    private static float[] floats(AnyTensor<?> tensor) {
        float[] values = new float[(int) tensor.numElements()];
        tensor.floatData().copyTo(values);
        return values;
    }

    /** The largest difference of an element, relative to it and to what makes the tolerance twice the precision of the largest one, or 1e-7. */
    private static double difference(double[] wanted, float... made) {
        double worst = wanted.length == made.length ? 0 : Double.POSITIVE_INFINITY;
        double largest = 0;
        for (double value : wanted) {
            largest = Math.max(largest, Math.abs(value));
        }
        double absolute = Math.max(1e-7, largest * 0x1p-22) / TOLERANCE;
        for (int n = 0; n < Math.min(wanted.length, made.length); n++) {
            double difference = Math.abs(made[n] - wanted[n]) / (Math.abs(wanted[n]) + absolute);
            worst = Double.isNaN(difference) ? Double.POSITIVE_INFINITY : Math.max(worst, difference);
        }
        return worst;
    }

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
        double[] values = new double[wanted.remaining()];
        java.util.Arrays.setAll(values, wanted::get);
        return difference(values, floats(actual.asTensor()));
    }
}
