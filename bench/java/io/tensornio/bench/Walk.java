package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import java.nio.FloatBuffer;
import org.tensorflow.ndarray.FloatNdArray;

/**
 * How 250,000 elements of some rank are walked through: in the order of memory, by steps of 2 on the last axis, or across, the first axis innermost.
 * The innermost loop is the last of four, of which a lower rank uses the inner ones.
 */
final class Walk {
    private static final int LOOPS = 4;
    private static final long[][] LENGTHS = {{250_000}, {500, 500}, {50, 50, 100}, {20, 25, 20, 25}};

    /** The lengths of the loops. */
    final int[] lengths = {1, 1, 1, 1};
    /** Of what is walked through. */
    final long[] shape;
    private final int[] strides = new int[LOOPS];
    private final int rank;
    private final boolean step2;
    private final boolean transposed;

    /** Such as {@code 3-contiguous}, {@code 3-step2} or {@code 3-transposed}. */
    Walk(String name) {
        rank = name.charAt(0) - '0';
        step2 = name.endsWith("step2");
        transposed = name.endsWith("transposed");
        shape = new long[rank];
        int stride = step2 ? 2 : 1;
        for (int axis = rank - 1; axis >= 0; axis--) {
            int loop = transposed ? rank - 1 - axis : axis;
            shape[axis] = LENGTHS[rank - 1][loop];
            lengths[LOOPS - rank + loop] = (int) shape[axis];
            strides[LOOPS - rank + loop] = stride;
            stride *= (int) shape[axis];
        }
    }

    OpenTensor tensor() {
        return step2 ? Views.every2nd(shape) : new OpenTensor(shape);
    }

    FloatNdArray ndArray() {
        return step2 ? FloatArrays.every2nd(shape) : FloatArrays.ndArray(shape);
    }

    /** By a buffer, whose strides are not known when the loops are compiled. */
    Loops<FloatBuffer> ofBuffer() {
        int s0 = strides[0];
        int s1 = strides[1];
        int s2 = strides[2];
        int s3 = strides[3];
        return new Loops<>(lengths, (b, i, j, k, l) -> b.get(i * s0 + j * s1 + k * s2 + l * s3),
            (b, v, i, j, k, l) -> b.put(i * s0 + j * s1 + k * s2 + l * s3, v));
    }

    /** By {@code get(i, j)} and {@code put(v, i, j)}. */
    Loops<FloatTensorData> ofTensor() {
        switch (rank) {         // no other lambda is linked
            case 1:
                return new Loops<>(lengths, (d, i, j, k, l) -> d.get(l), (d, v, i, j, k, l) -> d.put(v, l));
            case 2:
                return transposed ? new Loops<>(lengths, (d, i, j, k, l) -> d.get(l, k), (d, v, i, j, k, l) -> d.put(v, l, k))
                    : new Loops<>(lengths, (d, i, j, k, l) -> d.get(k, l), (d, v, i, j, k, l) -> d.put(v, k, l));
            case 3:
                return transposed ? new Loops<>(lengths, (d, i, j, k, l) -> d.get(l, k, j), (d, v, i, j, k, l) -> d.put(v, l, k, j))
                    : new Loops<>(lengths, (d, i, j, k, l) -> d.get(j, k, l), (d, v, i, j, k, l) -> d.put(v, j, k, l));
            default:
                return transposed ? new Loops<>(lengths, (d, i, j, k, l) -> d.get(l, k, j, i), (d, v, i, j, k, l) -> d.put(v, l, k, j, i))
                    : new Loops<>(lengths, (d, i, j, k, l) -> d.get(i, j, k, l), (d, v, i, j, k, l) -> d.put(v, i, j, k, l));
        }
    }

    /** By {@code getFloat} and {@code setFloat}. */
    Loops<FloatNdArray> ofNdArray() {
        switch (rank) {         // likewise
            case 1:
                return new Loops<>(lengths, (a, i, j, k, l) -> a.getFloat(l), (a, v, i, j, k, l) -> a.setFloat(v, l));
            case 2:
                return transposed ? new Loops<>(lengths, (a, i, j, k, l) -> a.getFloat(l, k), (a, v, i, j, k, l) -> a.setFloat(v, l, k))
                    : new Loops<>(lengths, (a, i, j, k, l) -> a.getFloat(k, l), (a, v, i, j, k, l) -> a.setFloat(v, k, l));
            case 3:
                return transposed ? new Loops<>(lengths, (a, i, j, k, l) -> a.getFloat(l, k, j), (a, v, i, j, k, l) -> a.setFloat(v, l, k, j))
                    : new Loops<>(lengths, (a, i, j, k, l) -> a.getFloat(j, k, l), (a, v, i, j, k, l) -> a.setFloat(v, j, k, l));
            default:
                return transposed ? new Loops<>(lengths, (a, i, j, k, l) -> a.getFloat(l, k, j, i), (a, v, i, j, k, l) -> a.setFloat(v, l, k, j, i))
                    : new Loops<>(lengths, (a, i, j, k, l) -> a.getFloat(i, j, k, l), (a, v, i, j, k, l) -> a.setFloat(v, i, j, k, l));
        }
    }

    /** By {@code get(int...)} and {@code put(v, int...)}, in the order of memory. */
    Loops<FloatTensorData> ofIndices() {
        Indices indices = new Indices(rank);
        return new Loops<>(lengths, indices, indices);
    }

    /** The indices in an array that is used again. */
    private static final class Indices implements Loops.Read<FloatTensorData>, Loops.Write<FloatTensorData> {
        private final int[] index;

        Indices(int rank) {
            index = new int[rank];
        }

        @Override
        public void row(int i, int j, int k) {
            int rank = index.length;
            if (rank >= 2) {
                index[rank - 2] = k;
            }
            if (rank >= 3) {
                index[rank - 3] = j;
            }
            if (rank == LOOPS) {
                index[0] = i;
            }
        }

        @Override
        public float get(FloatTensorData from, int i, int j, int k, int l) {
            int[] index = this.index;
            index[index.length - 1] = l;
            return from.get(index);
        }

        @Override
        public void put(FloatTensorData to, float v, int i, int j, int k, int l) {
            int[] index = this.index;
            index[index.length - 1] = l;
            to.put(v, index);
        }
    }
}
