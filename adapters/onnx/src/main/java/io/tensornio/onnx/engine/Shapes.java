package io.tensornio.onnx.engine;

import java.util.Arrays;

/** Arithmetic of shapes and axes. */
final class Shapes {
    static final long[] SCALAR = {};

    private Shapes() {
    }

    /** The number of elements. */
    static long size(long... shape) {
        long size = 1;
        for (long length : shape) {
            if (length == 0) {
                return 0;
            }
        }
        for (long length : shape) {
            if (length < 0) {
                throw new IllegalArgumentException("a shape has a negative size: " + Arrays.toString(shape));
            }
            try {
                size = Math.multiplyExact(size, length);
            } catch (ArithmeticException e) {
                throw new IllegalArgumentException("a shape has more elements than can be counted: " + Arrays.toString(shape), e);
            }
        }
        return size;
    }

    static int intSize(long... shape) {
        long size = size(shape);
        if (size > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("this operator handles at most 2^31 elements, not those of the shape " + Arrays.toString(shape));
        }
        return (int) size;
    }

    /** The product of the sizes of axes `from` to before `to`. */
    static long product(long[] shape, int from, int to) {
        return size(Arrays.copyOfRange(shape, from, to));
    }

    /** An axis that may count from the end. */
    static int axis(long axis, int rank) {
        if (axis < -rank || axis >= rank) {
            throw new IllegalArgumentException("there is no axis " + axis + " at rank " + rank);
        }
        return (int) (axis < 0 ? axis + rank : axis);
    }

    /** Axes that may count from the end, each once. */
    static boolean[] axes(long[] axes, int rank) {
        boolean[] chosen = new boolean[rank];
        for (long axis : axes) {
            int at = axis(axis, rank);
            if (chosen[at]) {
                throw new IllegalArgumentException("axis " + axis + " is named twice in " + Arrays.toString(axes));
            }
            chosen[at] = true;
        }
        return chosen;
    }

    /** The shape to which shapes broadcast. */
    static long[] broadcast(long[]... shapes) {
        int rank = 0;
        for (long[] shape : shapes) {
            rank = Math.max(rank, shape.length);
        }
        long[] result = new long[rank];
        Arrays.fill(result, 1);
        for (long[] shape : shapes) {
            for (int d = 0; d < shape.length; d++) {
                int at = rank - shape.length + d;
                if (shape[d] != 1 && result[at] != 1 && result[at] != shape[d]) {
                    throw new IllegalArgumentException("the shapes " + Arrays.deepToString(shapes) + " do not broadcast");
                }
                result[at] = result[at] == 1 ? shape[d] : result[at];
            }
        }
        return result;
    }

    /** Steps from one position to the next on each axis, in elements, of row-major order. */
    static long[] strides(long... shape) {
        long[] strides = new long[shape.length];
        long step = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            strides[d] = step;
            step *= shape[d];
        }
        return strides;
    }

    static long[] concat(long[]... parts) {
        int length = 0;
        for (long[] part : parts) {
            length += part.length;
        }
        long[] all = new long[length];
        int at = 0;
        for (long[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    /** A shape with other sizes in place of one axis. */
    static long[] replaced(long[] shape, int axis, long... by) {
        return concat(Arrays.copyOfRange(shape, 0, axis), by, Arrays.copyOfRange(shape, axis + 1, shape.length));
    }

    static int[] ints(long... values) {
        int[] ints = new int[values.length];
        for (int n = 0; n < ints.length; n++) {
            ints[n] = Math.toIntExact(values[n]);
        }
        return ints;
    }
}
