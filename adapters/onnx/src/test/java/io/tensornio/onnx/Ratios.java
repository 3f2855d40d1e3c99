package io.tensornio.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.value.Value;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Times networks beside ONNX Runtime, in one run and one thread each: {@code Ratios FOLDER [WHEEL...]}, of the examples' data, and of packages of
 * Python whose models are timed, too. The library's threads are set by {@code -Dtensornio.threads=1}. Runs alternate, after some seconds in which
 * the Java code of both is compiled, and the least times of the processor are compared, which other programs disturb the least.
 */
public final class Ratios {
    /** Runs are not counted so long, until their Java code is compiled; and then a third of it, and so many at least. */
    private static final long SECONDS = 12;
    private static final int ROUNDS = 21;
    /** The models of packages that are timed, and what is to be reached. */
    private static final Object[][] SHIPPED = {{"magika", "/magika/models/standard_v3_3/model.onnx", 1.3},
        {"silero", "/silero_vad/data/silero_vad.onnx", 1.5}};

    private Ratios() {
    }

    public static void main(String... arguments) throws IOException, OrtException {
        float[][] digits = Digits.images(Digits.rows(Paths.get(arguments[0])));
        compare("digits", 1.0, Files.readAllBytes(Paths.get(arguments[0], "digits.onnx")), digits);
        compare("mobile", 1.5, Networks.mobile(), noise(1, 3, 112, 112));
        compare("residual", 1.5, Networks.residual(), noise(1, 3, 112, 112));
        compare("encoder", 1.3, Networks.encoder(), noise(1, 128, 256));
        for (String wheel : Arrays.copyOfRange(arguments, 1, arguments.length)) {
            for (Object[] shipped : SHIPPED) {
                if (Paths.get(wheel).getFileName().toString().startsWith((String) shipped[0])) {
                    shipped((String) shipped[0], (double) shipped[2], Paths.get(wheel), (String) shipped[1]);
                }
            }
        }
    }

    private static void shipped(String name, double wanted, Path wheel, String file) throws IOException, OrtException {
        try (FileSystem zip = FileSystems.newFileSystem(wheel, (ClassLoader) null)) {
            byte[] bytes = Files.readAllBytes(zip.getPath(file));
            try (OnnxModel model = OnnxModel.load(bytes); OrtSession session = session(bytes)) {
                Map<String, Tensor<?>> inputs = RealModels.inputs(model, file);
                Map<String, OnnxTensor> theirs = new HashMap<>();
                for (Map.Entry<String, Tensor<?>> input : inputs.entrySet()) {
                    theirs.put(input.getKey(), RealModels.onnx(OrtEnvironment.getEnvironment(), input.getValue()));
                }
                print(name, wanted, times(() -> model.run(inputs).close(), () -> session.run(theirs).close()), "");
            }
        }
    }

    static Object noise(int... shape) {
        java.util.Random random = new java.util.Random(5);
        Object array = java.lang.reflect.Array.newInstance(float.class, shape);
        fill(array, random);
        return array;
    }

    private static void fill(Object array, java.util.Random random) {
        if (array instanceof float[]) {
            float[] row = (float[]) array;
            for (int n = 0; n < row.length; n++) {
                row[n] = (float) random.nextGaussian();
            }
        } else {
            Arrays.stream((Object[]) array).forEach(part -> fill(part, random));
        }
    }

    private static OrtSession session(byte... bytes) throws OrtException {
        OrtSession.SessionOptions options = new OrtSession.SessionOptions();
        options.setIntraOpNumThreads(1);
        options.setInterOpNumThreads(1);
        return OrtEnvironment.getEnvironment().createSession(bytes, options);
    }

    private static void compare(String name, double wanted, byte[] bytes, Object input) throws OrtException {
        try (OnnxModel model = OnnxModel.load(bytes); Tensor<?> x = Tensors.ofNested(input); OrtSession session = session(bytes);
                OnnxTensor theirs = OnnxTensor.createTensor(OrtEnvironment.getEnvironment(), input)) {
            String in = model.inputs().keySet().iterator().next();
            double[] least = times(() -> model.run(Collections.singletonMap(in, x)).close(),
                () -> session.run(Collections.singletonMap(in, theirs)).close());
            print(name, wanted, least, String.format(Locale.ROOT, ", largest difference %.1e", difference(bytes, input)));
        }
    }

    private static void print(String name, double wanted, double[] least, String more) {
        System.out.printf(Locale.ROOT, "%-10s %8.3f ms, ONNX Runtime %8.3f ms, ratio %5.2f, wanted %.1f%s%n", name, least[0], least[1],
            least[0] / least[1], wanted, more);
    }

    /** Of this thread, in which all of a run is computed. */
    private static long processorTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** The least times of two actions in milliseconds, which alternate. */
    private static double[] times(RealModels.Action ours, RealModels.Action theirs) throws OrtException {
        double[] least = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
        long counted = System.nanoTime() + SECONDS * 1_000_000_000;
        for (int n = 0; n < ROUNDS || System.nanoTime() - counted < SECONDS * 1_000_000_000 / 3;) {
            boolean counts = System.nanoTime() - counted >= 0;
            long start = processorTime();
            ours.run();
            long between = processorTime();
            theirs.run();
            long end = processorTime();
            if (counts) {
                least[0] = Math.min(least[0], (between - start) / 1e6);
                least[1] = Math.min(least[1], (end - between) / 1e6);
                n++;
            }
        }
        return least;
    }

    /** The largest difference of the last outputs, relative to the largest element. */
    static double difference(byte[] bytes, Object input) throws OrtException {
        try (OnnxModel model = OnnxModel.load(bytes); Tensor<?> x = Tensors.ofNested(input); OrtSession session = session(bytes);
                OnnxTensor theirs = OnnxTensor.createTensor(OrtEnvironment.getEnvironment(), input)) {
            String in = model.inputs().keySet().iterator().next();
            String output = model.outputs().keySet().stream().reduce((first, last) -> last).get();
            try (Value out = model.run(Collections.singletonMap(in, x));
                    OrtSession.Result expected = session.run(Collections.singletonMap(in, theirs))) {
                float[] made = new float[(int) out.get(output).asTensor().numElements()];
                out.get(output).asTensor().floatData().copyTo(made);
                java.nio.FloatBuffer wanted = ((OnnxTensor) expected.get(output).get()).getFloatBuffer();
                double worst = 0;
                double largest = 0;
                for (int n = 0; n < made.length; n++) {
                    double difference = Math.abs(made[n] - wanted.get(n));
                    worst = Double.isNaN(difference) ? Double.POSITIVE_INFINITY : Math.max(worst, difference);
                    largest = Math.max(largest, Math.abs(wanted.get(n)));
                }
                return worst / largest;
            }
        }
    }
}
