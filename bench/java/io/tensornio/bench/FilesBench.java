package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import io.tensornio.io.Npy;
import io.tensornio.io.Safetensors;
import io.tensornio.io.TensorFile;
import io.tensornio.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Files of 1 GiB in the page cache, read and written: {@code bench/python/files.py} has what NumPy and safetensors take for the same. */
@Warmup(iterations = 1, time = 2)
@Measurement(iterations = 3, time = 3)
@Fork(value = 1, jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-Dtensornio.maxMemory=3g"})
public class FilesBench extends Timed {
    private static final int N = 1 << 28;
    private static final int PARTS = 1000;

    /** The files. */
    @State(Scope.Thread)
    public static class Folder {
        Path folder;
        Path npy;
        Path one;
        Path many;
        Path written;
        Tensor<Float> tensor;
        Value named;
        final Comprehension sum = Comprehension.of("s += x[i]");

        /** Writes them. */
        @Setup(Level.Trial)
        public void open() throws IOException {
            folder = Files.createTempDirectory("files");
            npy = folder.resolve("x.npy");
            one = folder.resolve("x.safetensors");
            many = folder.resolve("many.safetensors");
            written = folder.resolve("written");
            tensor = Tensors.denseFloat(new long[] {N}, data -> data.put(FloatTensorData.constant(3, N)));
            named = Value.dict(Collections.singletonMap("x", tensor));
            Npy.write(npy, tensor.floatData());
            Safetensors.write(one, named);
            Map<String, Object> parts = new LinkedHashMap<>();
            for (int n = 0; n < PARTS; n++) {
                parts.put("t" + n, Tensors.create(FloatTensorData.constant(n, N / PARTS)));
            }
            try (Value all = Value.dict(parts)) {
                Safetensors.write(many, all);
            }
        }

        /** Deletes them. */
        @TearDown(Level.Trial)
        public void close() throws IOException {
            named.close();
            for (Path file : new Path[] {npy, one, many, written, folder}) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Reads an array. */
    @Benchmark
    public float readNpy(Folder on) {
        try (Tensor<?> read = Npy.read(on.npy)) {
            return read.floatData().get(N - 1);
        }
    }

    /** Writes an array. */
    @Benchmark
    public void writeNpy(Folder on) {
        Npy.write(on.written, on.tensor.floatData());
    }

    /** Reads a tensor. */
    @Benchmark
    public float readSafetensors(Folder on) {
        try (Value read = Safetensors.read(on.one)) {
            return read.get("x").asTensor().floatData().get(N - 1);
        }
    }

    /** Writes a tensor. */
    @Benchmark
    public void writeSafetensors(Folder on) {
        Safetensors.write(on.written, on.named);
    }

    /** Sums a file that is mapped, by a comprehension. */
    @Benchmark
    public float sumMapped(Folder on) {
        try (Tensor<?> mapped = Npy.map(on.npy); Results sum = on.sum.run(mapped)) {
            return sum.floatTensor("s").floatData().get();
        }
    }

    /** Sums a tensor, by a comprehension. */
    @Benchmark
    public float sumInMemory(Folder on) {
        try (Results sum = on.sum.run(on.tensor)) {
            return sum.floatTensor("s").floatData().get();
        }
    }

    /** Sums a file that is mapped, in Java, element by element. */
    @Benchmark
    public double walkMapped(Folder on) {
        try (Tensor<?> mapped = Npy.map(on.npy)) {
            return walk(mapped.floatData());
        }
    }

    /** Sums a tensor, in Java, element by element. */
    @Benchmark
    public double walkInMemory(Folder on) {
        return walk(on.tensor.floatData());
    }

    private static double walk(FloatTensorData data) {
        double sum = 0;
        for (FloatTensorIterator at = data.scalars(); at.hasMoreElements();) {
            sum += at.get();
        }
        return sum;
    }

    /** Opens a file, and reads one of its tensors. */
    @Benchmark
    public float oneOfMany(Folder on) {
        try (TensorFile file = Safetensors.open(on.many); Tensor<?> read = file.read("t500")) {
            return read.floatData().get(0);
        }
    }
}
