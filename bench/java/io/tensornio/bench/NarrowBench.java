package io.tensornio.bench;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.Tensors;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Types that are stored narrow against their carriers: copies, elements and products; conversions against copies of as many bytes. */
public class NarrowBench extends Timed {
    private static final int MANY = 1 << 24;
    private static final int SIDE = 4096;
    private static final int N = 1000;
    private static final Comprehension PRODUCT = Comprehension.of("z[i,j] += x[i,k] * y[k,j]");
    private static final Comprehension VECTOR = Comprehension.of("z[i] += x[i,k] * y[k]");

    /** A tensor of floats that are small integers. */
    private static Tensor<Float> floats(DataType type, long... shape) {
        return Tensors.denseFloat(type, shape, data -> {
            int[] n = {0};
            data.scalars().onEach(() -> n[0]++ & 63);
        });
    }

    /** 16 M floats. */
    @State(Scope.Thread)
    public static class Many {
        /** How they are stored. */
        @Param({"FLOAT", "FLOAT16", "BFLOAT16"})
        DataType type;
        Tensor<Float> tensor;
        final float[] array = new float[MANY];

        /** Makes them. */
        @Setup(Level.Trial)
        public void open() {
            tensor = floats(type, MANY);
        }

        /** Closes them. */
        @TearDown(Level.Trial)
        public void close() {
            tensor.close();
        }
    }

    /** All elements to an array. */
    @Benchmark
    public float[] copyTo(Many s) {
        s.tensor.floatData().copyTo(s.array);
        return s.array;
    }

    /** What is converted, and plain memory of as many bytes as that reads and writes. */
    @State(Scope.Thread)
    public abstract static class Conversion {
        private Tensor<?> source;
        TensorData<?> from;
        TensorData<?> to;
        ByteBuffer read;
        ByteBuffer written;

        abstract Tensor<?> source();

        abstract DataType target();

        /** Makes both; the target is open for as long as the benchmark runs, since a tensor's data cannot be written any more. */
        @Setup(Level.Trial)
        public void open() {
            source = source();
            from = source.data();
            long bytes = from.totalSize() * (from.dataType().byteSize() + target().byteSize());
            to = target() == DataType.INT8 ? IntTensorData.ofInt8(ByteBuffer.allocateDirect((int) from.totalSize()), from.shape())
                : new OpenTensor(from.shape()).data;
            read = ByteBuffer.allocateDirect((int) (bytes / 2));
            written = ByteBuffer.allocateDirect((int) (bytes / 2));
        }

        /** Closes the source. */
        @TearDown(Level.Trial)
        public void close() {
            source.close();
        }

        ByteBuffer copy() {
            read.clear();
            written.clear();
            return written.put(read);
        }
    }

    /** A photo of 4096 x 4096, channel by channel. */
    public static class Photo extends Conversion {
        @Override
        Tensor<?> source() {
            return Tensors.denseUInt8(new long[] {SIDE, SIDE, 3}, data -> { });
        }

        @Override
        DataType target() {
            return DataType.FLOAT;
        }

        @Override
        public void open() {
            super.open();
            from = from.permute(2, 0, 1);
            to = to.reshape(3, SIDE, SIDE);
        }
    }

    /** Floats as signed bytes. */
    public static class Quantized extends Conversion {
        @Override
        Tensor<?> source() {
            return floats(DataType.FLOAT, MANY);
        }

        @Override
        DataType target() {
            return DataType.INT8;
        }
    }

    /** A photo of bytes to floats from 0 to 1. */
    @Benchmark
    public TensorData<?> photo(Photo s) {
        s.from.convertTo(s.to, 1 / 255., 0);
        return s.to;
    }

    /** A copy that moves as many bytes. */
    @Benchmark
    public ByteBuffer photoCopied(Photo s) {
        return s.copy();
    }

    /** Floats to signed bytes, scaled. */
    @Benchmark
    public void quantized(Quantized s) {
        Tensors.convert(s.from, DataType.INT8, .5, 0).close();
    }

    /** The same to a user's memory. */
    @Benchmark
    public TensorData<?> quantizedInto(Quantized s) {
        s.from.convertTo(s.to, .5, 0);
        return s.to;
    }

    /** A copy that moves as many bytes. */
    @Benchmark
    public ByteBuffer quantizedCopied(Quantized s) {
        return s.copy();
    }

    /** A matrix of floats. */
    @State(Scope.Thread)
    public static class Floats {
        /** How they are stored. */
        @Param({"FLOAT", "FLOAT16", "BFLOAT16"})
        DataType type;
        Tensor<Float> matrix;

        /** Makes it. */
        @Setup(Level.Trial)
        public void open() {
            matrix = floats(type, N, N);
        }

        /** Closes it. */
        @TearDown(Level.Trial)
        public void close() {
            matrix.close();
        }
    }

    /** A matrix of ints. */
    @State(Scope.Thread)
    public static class Ints {
        /** How they are stored. */
        @Param({"INT32", "INT8", "INT16", "UINT16"})
        DataType type;
        Tensor<Integer> matrix;

        /** Makes it. */
        @Setup(Level.Trial)
        public void open() {
            matrix = Tensors.denseInt(type, new long[] {N, N}, data -> data.scalars().onEach(() -> 7));
        }

        /** Closes it. */
        @TearDown(Level.Trial)
        public void close() {
            matrix.close();
        }
    }

    /** The largest float. */
    @Benchmark
    @OperationsPerInvocation(N * N)
    public float getFloat(Floats s) {
        FloatTensorData data = s.matrix.floatData();
        float largest = 0;
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                largest = Math.max(largest, data.get(i, j));
            }
        }
        return largest;
    }

    /** The largest int. */
    @Benchmark
    @OperationsPerInvocation(N * N)
    public int getInt(Ints s) {
        IntTensorData data = s.matrix.intData();
        int largest = 0;
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                largest = Math.max(largest, data.get(i, j));
            }
        }
        return largest;
    }

    /** Operands of products. */
    @State(Scope.Thread)
    public static class Operands {
        /** How they are stored. */
        @Param({"FLOAT", "FLOAT16", "BFLOAT16"})
        DataType type;
        Tensor<Float> square;
        Tensor<Float> large;
        Tensor<Float> vector;

        /** Makes them. */
        @Setup(Level.Trial)
        public void open() {
            square = floats(type, 1024, 1024);
            large = floats(type, SIDE, SIDE);
            vector = floats(type, SIDE);
        }

        /** Closes them. */
        @TearDown(Level.Trial)
        public void close() {
            square.close();
            large.close();
            vector.close();
        }
    }

    /** A product of matrices of 1024 x 1024. */
    @Benchmark
    public void product(Operands s) {
        try (Results r = PRODUCT.run(s.square, s.square)) {
            r.get("z");
        }
    }

    /** A matrix of 4096 x 4096 by a vector. */
    @Benchmark
    public void vector(Operands s) {
        try (Results r = VECTOR.run(s.large, s.vector)) {
            r.get("z");
        }
    }
}
