package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import java.util.Arrays;

/** Signals: Fourier transforms, windows, the mel scale; and the determinant. */
final class Signals {
    private Signals() {
    }

    static void addTo(Table table) {
        table.one("DFT", 17, "y[o, k] += a[o, n] * exp(-2 pi i n k / N)", Signals::fourier).late();
        table.one("STFT", 17, "the same of windows of a signal", Signals::shortTime).late();
        table.one("HannWindow", 17, "0.5 - 0.5 cos", call -> window(call, 0.5, 0.5, 0)).late();
        table.one("HammingWindow", 17, "25/46 - 21/46 cos", call -> window(call, 25. / 46, 21. / 46, 0)).late();
        table.one("BlackmanWindow", 17, "0.42 - 0.5 cos + 0.08 cos", call -> window(call, 0.42, 0.5, 0.08)).late();
        table.one("MelWeightMatrix", 17, "triangles on the mel scale", Signals::mel).late();
        table.one("Det", 11, "the determinant", Signals::determinant);
    }

    private static Item window(Call call, double constant, double first, double second) {
        long size = call.integer(0);
        DataType type = call.attributes.dataType("output_datatype", DataType.FLOAT);
        double length = call.attributes.flag("periodic", true) ? size : size - 1;
        double[] values = new double[Shapes.intSize(size)];
        for (int n = 0; n < values.length; n++) {
            double angle = 2 * Math.PI * n / length;
            values[n] = constant - first * Math.cos(angle) + second * Math.cos(2 * angle);
        }
        return Call.made(Data.ofDoubles(type, values, size));
    }

    /**
     * The transform of rows of real (one channel) or complex (two channels) numbers, (row, n, channel).
     *
     * @param length how many elements of a row are taken; what it lacks are zeros
     */
    private static Item transform(TensorData<?> rows, long length, boolean inverse, boolean oneSided) {
        long n = Math.min(length, rows.size(1));
        long kept = oneSided ? length / 2 + 1 : length;
        double[] cos = new double[Shapes.intSize(n, kept)];
        double[] sin = new double[cos.length];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < kept; k++) {
                double angle = 2 * Math.PI * ((long) i * k % length) / length;
                cos[(int) (i * kept + k)] = Math.cos(angle) / (inverse ? length : 1);
                sin[(int) (i * kept + k)] = Math.sin(angle) / (inverse ? length : -1);
            }
        }
        TensorData<?> x = rows.size(1) == n ? rows : Shaping.range(rows, 1, 0, n);
        TensorData<?> c = Data.ofDoubles(rows.dataType(), cos, n, kept);
        TensorData<?> s = Data.ofDoubles(rows.dataType(), sin, n, kept);
        Item[] parts = Programs.all(rows.size(2) == 1 ? "a[o,k] += x0[o,n,0] * x1[n,k]; b[o,k] += x0[o,n,0] * x2[n,k]; return a, b"
            : "p[o,k] += x0[o,n,0] * x1[n,k]; q[o,k] += x0[o,n,1] * x2[n,k]; r[o,k] += x0[o,n,0] * x2[n,k]; t[o,k] += x0[o,n,1] * x1[n,k]; "
                + "a[o,k] = p[o,k] - q[o,k]; b[o,k] = r[o,k] + t[o,k]; return a, b", x, c, s);
        Item both = Call.made(Data.joined(2, true, Arrays.asList(parts[0].data(), parts[1].data())));
        parts[0].release();
        parts[1].release();
        return both;
    }

    private static Item fourier(Call call) {
        TensorData<?> x = call.data(0);
        int rank = x.rank();
        long given = call.opset() < 20 ? call.attributes.integer("axis", 1) : call.has(2) ? call.integer(2) : -2;
        int axis = Shapes.axis(given, rank);
        if (axis == rank - 1 || x.size(rank - 1) != 1 && x.size(rank - 1) != 2) {
            throw call.refused("the last axis has the real and the imaginary parts, and cannot be transformed");
        }
        long length = call.has(1) ? call.integer(1) : x.size(axis);
        if (length < 1) {
            throw call.refused("a transform of length " + length + " is not defined");
        }
        int[] order = new int[rank];            // the axis becomes the last but one
        int at = 0;
        for (int d = 0; d < rank - 1; d++) {
            if (d != axis) {
                order[at++] = d;
            }
        }
        order[at] = axis;
        order[rank - 1] = rank - 1;
        TensorData<?> moved = x.permute(order);
        long[] shape = moved.shape();
        Item rows = Call.reshaped(call.view(0, moved), Shapes.size(shape) / Math.max(1, x.size(axis) * x.size(rank - 1)), x.size(axis),
            x.size(rank - 1));
        Item made = transform(rows.data(), length, call.attributes.flag("inverse", false), call.attributes.flag("onesided", false));
        rows.release();
        shape[rank - 2] = made.shape()[1];
        shape[rank - 1] = 2;
        Item shaped = Convolutions.reshapedOnce(made, shape);
        int[] back = new int[rank];
        for (int d = 0; d < rank; d++) {
            back[order[d]] = d;
        }
        try {
            return shaped.view(shaped.data().permute(back));
        } finally {
            shaped.release();
        }
    }

    private static Item shortTime(Call call) {
        TensorData<?> x = call.data(0);             // (batch, signal, 1 or 2)
        long step = call.integer(1);
        long length = call.has(3) ? call.integer(3) : call.data(2).size(0);
        if (x.rank() != 3 || step < 1 || length < 1 || length > x.size(1)) {
            throw call.refused("windows of " + length + ", " + step + " apart, are not in " + call.item(0));
        }
        TensorData<?> frames = x.slidingWindow(1, length, step);    // (batch, frame, channel, n)
        boolean windowed = call.has(2);
        Item rows = windowed ? Programs.run("y[b,f,n,c] = x0[b,f,c,n] * x1[n]", frames, call.data(2))
            : Item.of(frames.permute(0, 1, 3, 2).copy());
        long batch = x.size(0);
        long count = frames.size(1);
        Item flat = Convolutions.reshapedOnce(rows, batch * count, length, x.size(2));
        Item made = transform(flat.data(), length, false, call.attributes.flag("onesided", true));
        flat.release();
        return Convolutions.reshapedOnce(made, batch, count, made.shape()[1], 2);
    }

    private static Item mel(Call call) {
        int bins = Math.toIntExact(call.integer(0));
        long length = call.integer(1);
        double rate = call.integer(2);
        double low = 2595 * Math.log10(1 + call.number(3) / 700);
        double high = 2595 * Math.log10(1 + call.number(4) / 700);
        int spectrum = Math.toIntExact(length / 2 + 1);
        if (bins < 1 || length < 1) {
            throw call.refused("there are no " + bins + " bins of " + length);
        }
        int[] at = new int[bins + 2];
        double step = (high - low) / at.length;
        for (int n = 0; n < at.length; n++) {
            double frequency = 700 * (Math.pow(10, (n * step + low) / 2595) - 1);
            at[n] = (int) Math.floor((length + 1) * frequency / rate);
        }
        double[] weights = new double[Shapes.intSize(spectrum, bins)];
        for (int b = 0; b < bins; b++) {
            int lower = at[b];
            int centre = at[b + 1];
            int upper = at[b + 2];
            if (centre == lower) {
                put(weights, centre, b, spectrum, bins, 1);
            } else {
                for (int j = lower; j <= centre; j++) {
                    put(weights, j, b, spectrum, bins, (double) (j - lower) / (centre - lower));
                }
            }
            for (int j = centre; centre != upper && j < upper; j++) {
                put(weights, j, b, spectrum, bins, (double) (upper - j) / (upper - centre));
            }
        }
        return Call.made(Data.ofDoubles(call.attributes.dataType("output_datatype", DataType.FLOAT), weights, spectrum, bins));
    }

    private static void put(double[] weights, int row, int column, int rows, int columns, double value) {
        if (row >= 0 && row < rows) {
            weights[row * columns + column] = value;
        }
    }

    /** By Gaussian elimination with partial pivoting. */
    private static Item determinant(Call call) {
        long[] shape = call.shape(0);
        int rank = shape.length;
        if (rank < 2 || shape[rank - 1] != shape[rank - 2]) {
            throw call.refused("square matrices are expected, not shape " + Arrays.toString(shape));
        }
        int n = (int) shape[rank - 1];
        double[] all = call.doubles(0);
        long[] result = Arrays.copyOf(shape, rank - 2);
        double[] determinants = new double[Shapes.intSize(result)];
        for (int m = 0; m < determinants.length; m++) {
            determinants[m] = determinant(Arrays.copyOfRange(all, m * n * n, (m + 1) * n * n), n);
        }
        return Call.made(Data.ofDoubles(call.type(0), determinants, result));
    }

    private static double determinant(double[] a, int n) {
        double product = 1;
        for (int k = 0; k < n; k++) {
            int pivot = k;
            for (int row = k + 1; row < n; row++) {
                pivot = Math.abs(a[row * n + k]) > Math.abs(a[pivot * n + k]) ? row : pivot;
            }
            if (a[pivot * n + k] == 0) {
                return 0;
            }
            for (int column = 0; pivot != k && column < n; column++) {
                double other = a[k * n + column];
                a[k * n + column] = a[pivot * n + column];
                a[pivot * n + column] = other;
            }
            product *= pivot == k ? a[k * n + k] : -a[k * n + k];
            for (int row = k + 1; row < n; row++) {
                double factor = a[row * n + k] / a[k * n + k];
                for (int column = k; column < n; column++) {
                    a[row * n + column] -= factor * a[k * n + column];
                }
            }
        }
        return product;
    }
}
