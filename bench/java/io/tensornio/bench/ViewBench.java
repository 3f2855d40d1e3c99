package io.tensornio.bench;

import static io.tensornio.TensorIndex.at;
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
        FloatTensorData inner = new OpenTensor(2 * HALF - 2, 2 * HALF - 2).data;
        FloatTensorData zeros = FloatTensorData.constant(0, 2 * HALF, 2 * HALF);
        FloatTensorData padded = inner.pad(new long[] {1, 1}, new long[] {1, 1});
        FloatTensorData innerTarget = joined.slice(range(1, 2 * HALF - 1), range(1, 2 * HALF - 1));
        FloatTensorData stacked = FloatTensorData.stack(0, left, right);
        FloatTensorData stackTarget = joined.reshape(2, 2 * HALF, HALF);
        FloatTensorData tiled = left.tile(1, 2);
        FloatTensorData half = both.slice(range(0, HALF), range(HALF / 2, HALF + HALF / 2));
        FloatTensorData halfTarget = joined.slice(range(0, HALF), range(0, HALF));
        FloatTensorData turned = matrix.transpose();
        FloatTensorData strided = matrix.slice(range(0, SIDE), range(0, SIDE - 1));

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

    /** Rows of 3 for each of 4 further rows, which is kept. */
    @Benchmark
    public FloatTensorData broadcastTo(Data s) {
        return s.image.broadcastTo(4, 8, 8, 3);
    }

    /** The diagonal, which is kept. */
    @Benchmark
    public FloatTensorData diagonal(Data s) {
        return s.small.diagonal(0, 1);
    }

    /** Windows of 3 on axis 0, which are kept. */
    @Benchmark
    public FloatTensorData slidingWindow(Data s) {
        return s.small.slidingWindow(0, 3, 1);
    }

    /** An axis reversed, which is kept. */
    @Benchmark
    public FloatTensorData flip(Data s) {
        return s.small.flip(0);
    }

    /** Another axis of 1, which is kept. */
    @Benchmark
    public FloatTensorData expandDims(Data s) {
        return s.small.expandDims(1);
    }

    /** An axis in two, which is kept. */
    @Benchmark
    public FloatTensorData unflatten(Data s) {
        return s.small.unflatten(0, 2, 4);
    }

    /** Elements of a corner of a transpose. */
    @Benchmark
    public float getTransposed(Data s) {
        float sum = 0;
        for (int i = 0; i < 64; i++) {
            for (int j = 0; j < 64; j++) {
                sum += s.turned.get(i, j);
            }
        }
        return sum;
    }

    /** Elements of a corner of a slice with gaps, in an order that goes through memory as {@link #getTransposed} does. */
    @Benchmark
    public float getSlice(Data s) {
        float sum = 0;
        for (int i = 0; i < 64; i++) {
            for (int j = 0; j < 64; j++) {
                sum += s.strided.get(j, i);
            }
        }
        return sum;
    }

    /** A matrix in a frame of zeros. */
    @Benchmark
    public void copyPad(Data s) {
        s.joined.put(s.padded);
    }

    /** The copy that {@link #copyPad} consists of, and the fill. */
    @Benchmark
    public void copyPadParts(Data s) {
        s.joined.put(s.zeros);
        s.innerTarget.put(s.inner);
    }

    /** Two matrices as one of rank 3. */
    @Benchmark
    public void copyStack(Data s) {
        s.stackTarget.put(s.stacked);
    }

    /** The two copies that {@link #copyStack} consists of. */
    @Benchmark
    public void copyStackParts(Data s) {
        s.stackTarget.slice(at(0)).put(s.left);
        s.stackTarget.slice(at(1)).put(s.right);
    }

    /** A matrix twice. */
    @Benchmark
    public void copyTile(Data s) {
        s.joined.put(s.tiled);
    }

    /** The two copies that {@link #copyTile} consists of. */
    @Benchmark
    public void copyTileParts(Data s) {
        s.leftTarget.put(s.left);
        s.rightTarget.put(s.left);
    }

    /** A part of a concat, across its seam. */
    @Benchmark
    public void copyConcatSlice(Data s) {
        s.halfTarget.put(s.half);
    }

    /** The two copies that {@link #copyConcatSlice} consists of. */
    @Benchmark
    public void copyConcatSliceParts(Data s) {
        int half = Data.HALF / 2;
        s.halfTarget.slice(range(0, Data.HALF), range(0, half)).put(s.left.slice(range(0, Data.HALF), range(half, Data.HALF)));
        s.halfTarget.slice(range(0, Data.HALF), range(half, Data.HALF)).put(s.right.slice(range(0, Data.HALF), range(0, half)));
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
