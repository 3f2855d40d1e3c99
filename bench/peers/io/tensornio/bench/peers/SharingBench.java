package io.tensornio.bench.peers;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.tensornio.AnyTensor;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.arrow.ArrowTensors;
import io.tensornio.onnxruntime.OrtModel;
import io.tensornio.onnxruntime.OrtTensor;
import io.tensornio.onnxruntime.OrtTensors;
import io.tensornio.value.Value;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Tensors in and out of ONNX Runtime and Arrow, against the same by hand. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"-Xms2g", "-Xmx2g", "--add-opens=java.base/java.nio=ALL-UNNAMED"})
@SuppressWarnings("try")            // what is there to be closed is not used
public class SharingBench {
    private static final long[] SHAPE = {1, 3, 640, 640};
    private static final int N = 3 * 640 * 640;

    /** A model that negates its input, y = -x, of 4.9 MB: run on tensors, and by hand. */
    @State(Scope.Thread)
    public static class Model {
        private static final String NEG = "CAg6TgoLCgF4EgF5IgNOZWcSAWdaHQoBeBIYChYIARISCgIIAQoCCAMKAwiABQoDCIAFYh0KAXkSGAoWCAESEgoCCAEKAggDCgMI"
            + "gAUKAwiABUIECgAQEQ==";

        final OrtEnvironment env = OrtEnvironment.getEnvironment();
        final float[][][] nested = new float[3][640][640];
        Path path;
        OrtModel model;
        OrtSession session;
        Tensor<Float> tensor;
        ByteBuffer in;
        ByteBuffer out;

        /** Loads it twice. */
        @Setup(Level.Trial)
        public void open() throws IOException, OrtException {
            path = Files.write(Files.createTempFile("neg", ".onnx"), Base64.getDecoder().decode(NEG));
            try (OrtSession.SessionOptions one = new OrtSession.SessionOptions()) {
                one.setIntraOpNumThreads(1);
                model = OrtModel.load(path, one);
                session = env.createSession(path.toString(), one);
            }
            tensor = Tensors.denseFloat(SHAPE, data -> data.put(FloatTensorData.constant(3, SHAPE)));
            in = ByteBuffer.allocateDirect(4 * N).order(ByteOrder.nativeOrder());
            out = ByteBuffer.allocateDirect(4 * N).order(ByteOrder.nativeOrder());
        }

        /** Closes it. */
        @TearDown(Level.Trial)
        public void close() throws IOException, OrtException {
            model.close();
            session.close();
            tensor.close();
            Files.delete(path);
        }
    }

    /** Runs on a tensor, for a new one. */
    @Benchmark
    public float run(Model on) {
        try (Value out = on.model.run(Collections.singletonMap("x", on.tensor))) {
            return out.get("y").asTensor().floatData().get(0, 0, 0, 0);
        }
    }

    /** Runs on buffers that are pinned by hand, and used again each time. */
    @Benchmark
    public float runByHand(Model on) throws OrtException {
        try (OnnxTensor in = OnnxTensor.createTensor(on.env, on.in.asFloatBuffer(), SHAPE);
            OnnxTensor out = OnnxTensor.createTensor(on.env, on.out.asFloatBuffer(), SHAPE);
            OrtSession.Result result = on.session.run(Collections.singletonMap("x", in), Collections.emptySet(),
                Collections.singletonMap("y", out))) {
            return on.out.getFloat(0);
        }
    }

    /** A tensor for ONNX Runtime. */
    @Benchmark
    public OnnxTensor input(Model on) {
        try (OrtTensor input = OrtTensors.of(on.env, on.tensor)) {
            return input.onnx();
        }
    }

    /** What ONNX Runtime makes of nested arrays by itself. */
    @Benchmark
    public OnnxTensor inputOfNested(Model on) throws OrtException {
        try (OnnxTensor input = OnnxTensor.createTensor(on.env, on.nested)) {
            return input;
        }
    }

    /** 64 MiB. */
    @State(Scope.Thread)
    public static class Column {
        BufferAllocator allocator;
        Tensor<Float> tensor;
        FieldVector vector;

        /** Makes them. */
        @Setup(Level.Trial)
        public void open() {
            allocator = new RootAllocator();
            tensor = Tensors.denseFloat(new long[] {16 << 20}, data -> data.put(FloatTensorData.constant(3, 16 << 20)));
            vector = ArrowTensors.toVector(tensor, allocator);
        }

        /** Closes them. */
        @TearDown(Level.Trial)
        public void close() {
            vector.close();
            tensor.close();
            allocator.close();
        }
    }

    /** A vector of a tensor. */
    @Benchmark
    public int toArrow(Column on) {
        try (FieldVector vector = ArrowTensors.toVector(on.tensor, on.allocator)) {
            return vector.getValueCount();
        }
    }

    /** A tensor over a vector. */
    @Benchmark
    public long fromArrow(Column on) {
        return ArrowTensors.inPlace(on.vector, tensor -> tensor.numElements());
    }

    /** A copy of a vector, for comparison. */
    @Benchmark
    public long copyOfArrow(Column on) {
        try (AnyTensor<?> copy = ArrowTensors.of(on.vector)) {
            return copy.numElements();
        }
    }
}
