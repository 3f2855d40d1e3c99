package io.tensornio.bench;

import static io.tensornio.TensorIndex.range;

import io.tensornio.FloatTensorData;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What making a view costs, and what copying one costs beside a copy of as many bytes, or the copies that it consists of. */
@Warmup(iterations = 3, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 600, timeUnit = TimeUnit.MILLISECONDS)
public class ViewBench extends Timed {
    /** Data to look at in other ways: the two large ones have 64 MiB each. */
    @State(Scope.Thread)
    public static class Data {
        private static final int SIDE = 4096;
        private static final int CUBE = 256;
        private static final int HALF = 1024;
        FloatTensorData small = new OpenTensor(8, 8).data;
        FloatTensorData image = new OpenTensor(8, 8, 3).data;
        FloatTensorData matrix = new OpenTensor(SIDE, SIDE).data;
        FloatTensorData cube = new OpenTensor(CUBE, CUBE, CUBE).data;
        FloatTensorData target = new OpenTensor(SIDE, SIDE).data;
        FloatTensorData cubeTarget = target.reshape(CUBE, CUBE, CUBE);
        FloatTensorData left = new OpenTensor(2 * HALF, HALF).data;
        FloatTensorData right = new OpenTensor(2 * HALF, HALF).data;
        FloatTensorData both = FloatTensorData.concat(1, left, right);
        FloatTensorData joined = new OpenTensor(2 * HALF, 2 * HALF).data;
        FloatTensorData leftTarget = joined.slice(range(0, 2 * HALF), range(0, HALF));
        FloatTensorData rightTarget = joined.slice(range(0, 2 * HALF), range(HALF, 2 * HALF));

        /** Checks that the copies are of what they should be. */
        @Setup
        public void check() {
            joined.put(both);
            target.put(matrix.transpose());
            if (joined.get(1, HALF) != right.get(1, 0) || target.get(1, 2) != matrix.get(2, 1)) {
                throw new IllegalStateException("a view was copied wrong");
            }
        }
    }

    /** A transpose of a matrix, which is kept. */
    @Benchmark
    public FloatTensorData transpose(Data s) {
        return s.small.transpose();
    }

    /** A permutation of three axes, which is kept. */
    @Benchmark
    public FloatTensorData permute(Data s) {
        return s.image.permute(2, 0, 1);
    }

    /** Another shape, which is kept. */
    @Benchmark
    public FloatTensorData reshape(Data s) {
        return s.image.reshape(64, 3);
    }

    /** 64 MiB, as they are. */
    @Benchmark
    public void copyWhole(Data s) {
        s.target.put(s.matrix);
    }

    /** 64 MiB, transposed. */
    @Benchmark
    public void copyTransposed(Data s) {
        s.target.put(s.matrix.transpose());
    }

    /** 64 MiB, the last axis first. */
    @Benchmark
    public void copyPermuted(Data s) {
        s.cubeTarget.put(s.cube.permute(2, 0, 1));
    }

    /** Two matrices side by side. */
    @Benchmark
    public void copyConcat(Data s) {
        s.joined.put(s.both);
    }

    /** The two copies that {@link #copyConcat} consists of. */
    @Benchmark
    public void copyParts(Data s) {
        s.leftTarget.put(s.left);
        s.rightTarget.put(s.right);
    }

    /** Both, transposed. */
    @Benchmark
    public void copyConcatTransposed(Data s) {
        s.joined.put(s.both.transpose());
    }

    /** The two copies that {@link #copyConcatTransposed} consists of. */
    @Benchmark
    public void copyPartsTransposed(Data s) {
        FloatTensorData turned = s.joined.transpose();
        turned.slice(range(0, 2 * Data.HALF), range(0, Data.HALF)).put(s.left);
        turned.slice(range(0, 2 * Data.HALF), range(Data.HALF, 2 * Data.HALF)).put(s.right);
    }
}
