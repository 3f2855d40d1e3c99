package io.tensornio.internal.op;

import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;

/** Images of another size: each element of an axis of the result is a sum of some of the input's, with weights. */
public final class Resizing {
    /** The parameter of the cubic of Keys, "Cubic convolution interpolation" (1981), that images have mostly. */
    private static final double CUBIC = -0.75;

    /** The positions and weights of an axis, of shape (result, taps). */
    private final long[] positions;
    private final double[] weights;
    private final long[] shape;

    private Resizing(long in, long out, int taps) {
        positions = new long[(int) out * taps];
        weights = new double[positions.length];
        shape = new long[] {out, taps};
        for (int n = 0; n < out; n++) {
            double centre = (n + 0.5) * in / out - 0.5;
            long first = (long) Math.floor(centre) - (taps / 2 - 1);
            for (int k = 0; k < taps; k++) {
                double distance = Math.abs(centre - (first + k));
                positions[n * taps + k] = Math.max(0, Math.min(in - 1, first + k));
                weights[n * taps + k] = taps == 2 ? Math.max(0, 1 - distance) : cubic(distance);
            }
        }
    }

    private static double cubic(double t) {
        return t <= 1 ? ((CUBIC + 2) * t - (CUBIC + 3)) * t * t + 1
            : t < 2 ? ((CUBIC * t - 5 * CUBIC) * t + 8 * CUBIC) * t - 4 * CUBIC : 0;
    }

    private TensorData<?> weights(DataType type) {
        if (type == DataType.DOUBLE) {
            return DoubleTensorData.of(weights, shape);
        }
        float[] floats = new float[weights.length];
        for (int n = 0; n < floats.length; n++) {
            floats[n] = (float) weights[n];
        }
        return FloatTensorData.of(floats, shape);
    }

    /**
     * Resizes.
     *
     * @param taps how many elements of an axis each is of: 1 for the nearest, 2 for a line, 4 for a cubic
     * @throws IllegalArgumentException if x are no images, or a size is none
     */
    public static Tensor<?> of(Tensor<?> x, long height, long width, int taps) {
        if (x.rank() != 4) {
            throw new IllegalArgumentException("x has rank " + x.rank() + ": its axes are batch, height, width and channels");
        }
        if (height < 0 || width < 0 || height * taps > Integer.MAX_VALUE || width * taps > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("an image of " + height + " by " + width + ": its sizes must be 0 to " + Integer.MAX_VALUE / taps);
        }
        if (x.size(1) == 0 && height > 0 || x.size(2) == 0 && width > 0) {
            throw new IllegalArgumentException("x has no elements that an image of " + height + " by " + width + " could be of");
        }
        if (taps == 1) {
            return Indexing.nearest(x, height, width);
        }
        Resizing rows = new Resizing(x.size(1), height, taps);
        Resizing columns = new Resizing(x.size(2), width, taps);
        return Texts.run("t[n, p, w, c] += x[n, rows[p, a], w, c] * byRow[p, a]\n"
                + "y[n, p, q, c] += t[n, p, columns[q, b], c] * byColumn[q, b]\nreturn y",
            x, LongTensorData.of(rows.positions, rows.shape), rows.weights(x.dataType()),
            LongTensorData.of(columns.positions, columns.shape), columns.weights(x.dataType()));
    }
}
