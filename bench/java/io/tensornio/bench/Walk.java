package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import java.nio.FloatBuffer;
import org.tensorflow.ndarray.FloatNdArray;

/**
 * A walk through elements by four nested loops, of which the outer ones run once if the rank is lower. The lengths and the
 * strides in a buffer are fields, so that they are not known when a loop is compiled.
 */
final class Walk {
    private static final int LOOPS = 4;
    private static final long[][] LENGTHS = {{250_000}, {500, 500}, {50, 50, 100}, {20, 25, 20, 25}};

    final int rank;
    final OpenTensor tensor;
    private final boolean step2;
    private final int[] n = {1, 1, 1, 1};
    private final int[] strides = new int[LOOPS];
    private final boolean transposed;

    /** A walk of that pattern: {@code contiguous}, {@code step2} on the last axis, or {@code transposed}, the first axis innermost. */
    Walk(int rank, String pattern) {
        this.rank = rank;
        transposed = pattern.equals("transposed");
        step2 = pattern.equals("step2");
        long[] lengths = LENGTHS[rank - 1];
        long[] shape = shape();
        tensor = step2 ? TensorLoops.every2nd(shape) : new OpenTensor(shape);
        int stride = step2 ? 2 : 1;
        for (int axis = rank - 1; axis >= 0; axis--) {
            strides[LOOPS - rank + loop(axis)] = stride;
            stride *= (int) shape[axis];
        }
        for (int loop = 0; loop < rank; loop++) {
            n[LOOPS - rank + loop] = (int) lengths[loop];
        }
    }

    /** The shape of the tensor whose elements are met. */
    long[] shape() {
        long[] shape = new long[rank];
        for (int axis = 0; axis < rank; axis++) {
            shape[axis] = LENGTHS[rank - 1][loop(axis)];
        }
        return shape;
    }

    /** Which loop an axis has, and which axis a loop. */
    private int loop(int axis) {
        return transposed ? rank - 1 - axis : axis;
    }

    private int rows() {
        return n[0] * n[1] * n[2];
    }

    /** What stands where the loops come by. */
    Loops.Contents contents() {
        return p -> {
            int position = 0;
            for (int loop = LOOPS - 1, rest = p; loop >= 0; rest /= n[loop--]) {
                position += rest % n[loop] * strides[loop];
            }
            return tensor.buffer.get(position);
        };
    }

    /** The loops over the buffer. */
    Loops<FloatBuffer> raw() {
        return new Raw(this);
    }

    /** The loops over the tensor. */
    Loops<FloatTensorData> tensor(boolean varargs) {
        return new ByCall(this, varargs ? new Call.Varargs(rank) : Call.of(rank, transposed));
    }

    /** An {@code NdArray} with the elements of the tensor. */
    FloatNdArray array() {
        return step2 ? NdArrayLoops.every2nd(shape()) : NdArrayLoops.array(shape());
    }

    /** What stands in an {@code NdArray} where the loops come by. */
    Loops.Contents contents(FloatNdArray array) {
        long[] lengths = LENGTHS[rank - 1];
        return p -> {
            long[] index = new long[rank];
            long rest = p;
            for (int loop = rank - 1; loop >= 0; rest /= lengths[loop--]) {
                index[loop(loop)] = rest % lengths[loop];
            }
            return array.getFloat(index);
        };
    }

    /** The loops over an {@code NdArray}, which are to be handed null. */
    Loops<FloatTensorData> over(FloatNdArray array) {
        return new ByCall(this, NdArrayCall.on(array, transposed));
    }

    private static final class Raw extends Loops<FloatBuffer> {
        private final int n0;
        private final int n1;
        private final int n2;
        private final int s0;
        private final int s1;
        private final int s2;
        private final int s3;

        Raw(Walk walk) {
            super(walk.rows(), walk.n[3]);
            n0 = walk.n[0];
            n1 = walk.n[1];
            n2 = walk.n[2];
            s0 = walk.strides[0];
            s1 = walk.strides[1];
            s2 = walk.strides[2];
            s3 = walk.strides[3];
        }

        @Override
        void copy(FloatBuffer from, float[] to) {
            int n3 = columns;
            int s3 = this.s3;
            int p = 0;
            for (int i = 0; i < n0; i++) {
                for (int j = 0; j < n1; j++) {
                    for (int k = 0; k < n2; k++, p += n3) {
                        int start = i * s0 + j * s1 + k * s2;
                        for (int l = 0; l < n3; l++) {
                            to[p + l] = from.get(start + l * s3);
                        }
                    }
                }
            }
        }

        @Override
        void put(FloatBuffer to) {
            int n3 = columns;
            int s3 = this.s3;
            int row = 0;
            for (int i = 0; i < n0; i++) {
                for (int j = 0; j < n1; j++) {
                    for (int k = 0; k < n2; k++, row++) {
                        int start = i * s0 + j * s1 + k * s2;
                        for (int l = 0; l < n3; l++) {
                            to.put(start + l * s3, row + l);
                        }
                    }
                }
            }
        }

        @Override
        float max(FloatBuffer from) {
            int n3 = columns;
            int s3 = this.s3;
            float max = Float.NEGATIVE_INFINITY;
            for (int i = 0; i < n0; i++) {
                for (int j = 0; j < n1; j++) {
                    for (int k = 0; k < n2; k++) {
                        int start = i * s0 + j * s1 + k * s2;
                        for (int l = 0; l < n3; l++) {
                            float value = from.get(start + l * s3);
                            if (value > max) {
                                max = value;
                            }
                        }
                    }
                }
            }
            return max;
        }
    }

    private static final class ByCall extends Loops<FloatTensorData> {
        private final int n0;
        private final int n1;
        private final int n2;
        private final Call call;

        ByCall(Walk walk, Call call) {
            super(walk.rows(), walk.n[3]);
            n0 = walk.n[0];
            n1 = walk.n[1];
            n2 = walk.n[2];
            this.call = call;
        }

        @Override
        void copy(FloatTensorData from, float[] to) {
            Call call = this.call;
            int n3 = columns;
            int p = 0;
            for (int i = 0; i < n0; i++) {
                for (int j = 0; j < n1; j++) {
                    for (int k = 0; k < n2; k++, p += n3) {
                        call.row(i, j, k);
                        for (int l = 0; l < n3; l++) {
                            to[p + l] = call.get(from, i, j, k, l);
                        }
                    }
                }
            }
        }

        @Override
        void put(FloatTensorData to) {
            Call call = this.call;
            int n3 = columns;
            int row = 0;
            for (int i = 0; i < n0; i++) {
                for (int j = 0; j < n1; j++) {
                    for (int k = 0; k < n2; k++, row++) {
                        call.row(i, j, k);
                        for (int l = 0; l < n3; l++) {
                            call.put(to, row + l, i, j, k, l);
                        }
                    }
                }
            }
        }

        @Override
        float max(FloatTensorData from) {
            Call call = this.call;
            int n3 = columns;
            float max = Float.NEGATIVE_INFINITY;
            for (int i = 0; i < n0; i++) {
                for (int j = 0; j < n1; j++) {
                    for (int k = 0; k < n2; k++) {
                        call.row(i, j, k);
                        for (int l = 0; l < n3; l++) {
                            float value = call.get(from, i, j, k, l);
                            if (value > max) {
                                max = value;
                            }
                        }
                    }
                }
            }
            return max;
        }
    }
}
