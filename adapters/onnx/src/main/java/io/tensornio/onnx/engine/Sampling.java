package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import java.util.Arrays;

/** Elements between pixels: grids, regions, and boxes of images. */
final class Sampling {
    private Sampling() {
    }

    static void addTo(Table table) {
        table.one("GridSample", 16, "elements at positions of a grid, interpolated", Sampling::grid);
        table.one("AffineGrid", 20, "theta times the positions of an image", Sampling::affine).late();
        table.one("RoiAlign", 10, "the mean or largest of interpolated elements in each part of a region", Sampling::regions);
        table.one("NonMaxSuppression", 10, "boxes that overlap none of a higher score", Sampling::boxes);
    }

    /** The value between four pixels of an image that begins at `base`; what is outside is 0. */
    static double bilinear(double[] image, int base, int height, int width, double row, double column) {
        int y = (int) Math.floor(row);
        int x = (int) Math.floor(column);
        double below = row - y;
        double right = column - x;
        return (1 - below) * ((1 - right) * pixel(image, base, height, width, y, x) + right * pixel(image, base, height, width, y, x + 1))
            + below * ((1 - right) * pixel(image, base, height, width, y + 1, x) + right * pixel(image, base, height, width, y + 1, x + 1));
    }

    private static double pixel(double[] image, int base, int height, int width, int y, int x) {
        return y < 0 || y >= height || x < 0 || x >= width ? 0 : image[base + y * width + x];
    }

    /** An image of any number of axes, and what is outside of it. */
    private static final class Image {
        final double[] x;
        final long[] shape;
        final long[] strides;
        final String padding;
        final boolean corners;
        int base;

        Image(double[] x, long[] shape, String padding, boolean corners) {
            this.x = x;
            this.shape = shape;
            this.strides = Shapes.strides(shape);
            this.padding = padding;
            this.corners = corners;
        }

        double least() {
            return corners ? 0 : -0.5;
        }

        double most(int d) {
            return corners ? shape[d] - 1 : shape[d] - 0.5;
        }

        /** A position brought into the image, where the padding is not zeros. */
        double inside(double at, int d) {
            if (at >= least() && at <= most(d) || padding.equals("zeros")) {
                return at;
            }
            return padding.equals("border") ? Math.max(0, Math.min(shape[d] - 1, at)) : reflected(at, least(), most(d));
        }

        private static double reflected(double at, double least, double most) {
            double range = most - least;
            if (range <= 0) {
                return least;
            }
            boolean below = at < least;
            double distance = below ? least - at : at - most;
            double turns = Math.floor(distance / range);
            double rest = distance - turns * range;
            return turns % 2 == 0 == below ? least + rest : most - rest;
        }

        double value(long... at) {
            long position = base;
            for (int d = 0; d < at.length; d++) {
                long own = at[d];
                if (own < 0 || own >= shape[d]) {
                    if (padding.equals("zeros")) {
                        return 0;
                    }
                    own = (long) inside(own, d);
                    own = Math.max(0, Math.min(shape[d] - 1, own));
                }
                position += own * strides[d];
            }
            return x[(int) position];
        }

        /** The value at a position between elements, by weights of 2 or 4 elements of each axis. */
        double value(double[] at, int taps) {
            int rank = at.length;
            double[][] weights = new double[rank][];
            long[] first = new long[rank];
            for (int d = 0; d < rank; d++) {
                double floor = Math.floor(at[d]);
                first[d] = (long) floor - (taps == 4 ? 1 : 0);
                weights[d] = taps == 2 ? new double[] {1 - (at[d] - floor), at[d] - floor} : cubic(at[d] - floor);
            }
            double sum = 0;
            long[] index = new long[rank];
            for (int n = 0; n < (int) Math.pow(taps, rank); n++) {
                int rest = n;
                double weight = 1;
                for (int d = rank - 1; d >= 0; d--) {
                    index[d] = first[d] + rest % taps;
                    weight *= weights[d][rest % taps];
                    rest /= taps;
                }
                sum += weight == 0 ? 0 : weight * value(index);
            }
            return sum;
        }

        private static double[] cubic(double x) {
            double a = -0.75;
            return new double[] {((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a, ((a + 2) * x - (a + 3)) * x * x + 1,
                ((a + 2) * (1 - x) - (a + 3)) * (1 - x) * (1 - x) + 1, ((a * (2 - x) - 5 * a) * (2 - x) + 8 * a) * (2 - x) - 4 * a};
        }
    }

    private static Item grid(Call call) {
        long[] xs = call.shape(0);
        long[] gs = call.shape(1);
        int rank = xs.length - 2;
        if (rank < 1 || gs.length != xs.length || gs[gs.length - 1] != rank || gs[0] != xs[0]) {
            throw call.refused("a grid of shape " + Arrays.toString(gs) + " is not for images of " + Arrays.toString(xs));
        }
        String mode = call.attributes.string("mode", call.opset() < 20 ? "bilinear" : "linear");
        long[] spatial = Arrays.copyOfRange(xs, 2, xs.length);
        Image image = new Image(call.doubles(0), spatial, call.attributes.string("padding_mode", "zeros"),
            call.attributes.flag("align_corners", false));
        double[] grid = call.doubles(1);
        long[] to = Arrays.copyOfRange(gs, 1, gs.length - 1);
        int points = Shapes.intSize(to);
        int pixels = Shapes.intSize(spatial);
        double[] y = new double[Shapes.intSize(Shapes.concat(new long[] {xs[0], xs[1]}, to))];
        double[] at = new double[rank];
        long[] whole = new long[rank];
        for (int n = 0; n < xs[0]; n++) {
            for (int p = 0; p < points; p++) {
                for (int d = 0; d < rank; d++) {
                    double given = grid[(n * points + p) * rank + rank - 1 - d];
                    double position = image.corners ? (given + 1) / 2 * (spatial[d] - 1) : ((given + 1) * spatial[d] - 1) / 2;
                    at[d] = image.inside(mode.equals("nearest") ? Math.rint(position) : position, d);
                    whole[d] = (long) at[d];
                }
                for (int c = 0; c < xs[1]; c++) {
                    image.base = (int) (n * xs[1] + c) * pixels;
                    y[(int) (n * xs[1] + c) * points + p] = mode.equals("nearest") ? image.value(whole)
                        : image.value(at, mode.endsWith("cubic") ? 4 : 2);
                }
            }
        }
        return Call.made(Data.ofDoubles(call.type(0), y, Shapes.concat(new long[] {xs[0], xs[1]}, to)));
    }

    private static Item affine(Call call) {
        long[] size = call.longs(1);
        int rank = size.length - 2;
        if (rank != 2 && rank != 3 || !Arrays.equals(call.shape(0), new long[] {size[0], rank, rank + 1})) {
            throw call.refused("theta of shape " + Arrays.toString(call.shape(0)) + " is not for images of " + Arrays.toString(size));
        }
        boolean corners = call.attributes.flag("align_corners", false);
        double[] theta = call.doubles(0);
        long[] spatial = Arrays.copyOfRange(size, 2, size.length);
        long[] strides = Shapes.strides(spatial);
        int points = Shapes.intSize(spatial);
        long[] shape = Shapes.concat(new long[] {size[0]}, spatial, new long[] {rank});
        double[] y = new double[Shapes.intSize(shape)];
        for (int n = 0; n < y.length; n++) {
            int row = n % rank;
            int point = n / rank % points;
            int of = (n / rank / points * rank + row) * (rank + 1);
            double sum = theta[of + rank];
            for (int k = 0; k < rank; k++) {
                int d = rank - 1 - k;       // x is the last axis
                double at = point / strides[d] % spatial[d];
                sum += theta[of + k] * (corners ? 2 * at / (spatial[d] - 1) - 1 : (2 * at + 1) / spatial[d] - 1);
            }
            y[n] = sum;
        }
        return Call.made(Data.ofDoubles(call.type(0), y, shape));
    }

    private static Item regions(Call call) {
        long[] xs = call.shape(0);
        long[] rs = call.shape(1);
        if (xs.length != 4 || rs.length != 2 || rs[1] != 4) {
            throw call.refused("images of rank 4 and regions of shape (n, 4) are expected");
        }
        Attributes a = call.attributes;
        int height = Math.toIntExact(a.integer("output_height", 1));
        int width = Math.toIntExact(a.integer("output_width", 1));
        double scale = a.number("spatial_scale", 1);
        long ratio = a.integer("sampling_ratio", 0);
        boolean half = call.opset() >= 16 && a.string("coordinate_transformation_mode", "half_pixel").equals("half_pixel");
        boolean most = a.string("mode", "avg").equals("max");
        double[] x = call.doubles(0);
        double[] regions = call.doubles(1);
        long[] batches = call.longs(2);
        int h = (int) xs[2];
        int w = (int) xs[3];
        int channels = (int) xs[1];
        int count = (int) rs[0];
        double[] y = new double[Shapes.intSize(count, channels, height, width)];
        for (int n = 0; n < count; n++) {
            double shift = half ? 0.5 : 0;
            double left = regions[n * 4] * scale - shift;
            double top = regions[n * 4 + 1] * scale - shift;
            double regionWidth = regions[n * 4 + 2] * scale - shift - left;
            double regionHeight = regions[n * 4 + 3] * scale - shift - top;
            if (!half) {
                regionWidth = Math.max(1, regionWidth);
                regionHeight = Math.max(1, regionHeight);
            }
            double binHeight = regionHeight / height;
            double binWidth = regionWidth / width;
            int rows = ratio > 0 ? (int) ratio : (int) Math.ceil(binHeight);
            int columns = ratio > 0 ? (int) ratio : (int) Math.ceil(binWidth);
            long batch = Indexing.position(batches[n], xs[0]);
            for (int c = 0; c < channels; c++) {
                int base = (int) (batch * channels + c) * h * w;
                for (int p = 0; p < height * width; p++) {
                    double sum = 0;
                    double largest = Double.NEGATIVE_INFINITY;
                    for (int s = 0; s < rows * columns; s++) {
                        double row = top + p / width * binHeight + (s / columns + 0.5) * binHeight / rows;
                        double column = left + p % width * binWidth + (s % columns + 0.5) * binWidth / columns;
                        double[] four = four(x, base, h, w, row, column);
                        sum += four[0];
                        largest = Math.max(largest, four[1]);
                    }
                    y[(n * channels + c) * height * width + p] = most ? largest == Double.NEGATIVE_INFINITY ? 0 : largest
                        : sum / Math.max(1, rows * columns);
                }
            }
        }
        return Call.made(Data.ofDoubles(call.type(0), y, count, channels, height, width));
    }

    /** The interpolated value of four pixels, and the largest of them weighted; 0 more than one pixel outside. */
    private static double[] four(double[] x, int base, int h, int w, double givenRow, double givenColumn) {
        if (givenRow < -1 || givenRow > h || givenColumn < -1 || givenColumn > w) {
            return new double[2];
        }
        double row = Math.max(0, givenRow);
        double column = Math.max(0, givenColumn);
        int top = Math.min(h - 1, (int) row);
        int left = Math.min(w - 1, (int) column);
        int bottom = Math.min(h - 1, top + 1);
        int right = Math.min(w - 1, left + 1);
        double below = top == h - 1 ? 0 : row - top;
        double beside = left == w - 1 ? 0 : column - left;
        double a = (1 - below) * (1 - beside) * x[base + top * w + left];
        double b = (1 - below) * beside * x[base + top * w + right];
        double c = below * (1 - beside) * x[base + bottom * w + left];
        double d = below * beside * x[base + bottom * w + right];
        return new double[] {a + b + c + d, Math.max(Math.max(a, b), Math.max(c, d))};
    }

    private static Item boxes(Call call) {
        long[] bs = call.shape(0);
        long[] ss = call.shape(1);
        if (bs.length != 3 || ss.length != 3 || bs[2] != 4 || bs[0] != ss[0] || bs[1] != ss[2]) {
            throw call.refused("boxes (batch, n, 4) and scores (batch, class, n) are expected");
        }
        double[] boxes = call.doubles(0);
        double[] scores = call.doubles(1);
        long most = call.has(2) ? call.integer(2) : 0;
        double overlap = call.has(3) ? call.number(3) : 0;
        double least = call.has(4) ? call.number(4) : Double.NEGATIVE_INFINITY;
        boolean centred = call.attributes.flag("center_point_box", false);
        int n = (int) bs[1];
        java.util.List<Long> chosen = new java.util.ArrayList<>();
        for (int b = 0; b < bs[0]; b++) {
            for (int c = 0; c < ss[1]; c++) {
                int base = (int) (b * ss[1] + c) * n;
                Integer[] order = new Integer[n];
                Arrays.setAll(order, k -> k);
                Arrays.sort(order, (k, l) -> Double.compare(scores[base + l], scores[base + k]));
                java.util.List<Integer> kept = new java.util.ArrayList<>();
                for (int k : order) {
                    if (kept.size() >= most || !(scores[base + k] > least)) {
                        break;
                    }
                    boolean free = true;
                    for (int other : kept) {
                        free &= overlap(boxes, (b * n + k) * 4, (b * n + other) * 4, centred) <= overlap;
                    }
                    if (free) {
                        kept.add(k);
                        chosen.addAll(Arrays.asList((long) b, (long) c, (long) k));
                    }
                }
            }
        }
        return Call.made(Data.ofLongs(DataType.INT64, chosen.stream().mapToLong(Long::longValue).toArray(), chosen.size() / 3, 3));
    }

    /** The area that two boxes share, divided by that of both together. */
    private static double overlap(double[] boxes, int a, int b, boolean centred) {
        double shared = 1;
        double first = 1;
        double second = 1;
        for (int d = 0; d < 2; d++) {
            double p = centred ? boxes[a + d] - boxes[a + 2 + d] / 2 : Math.min(boxes[a + d], boxes[a + 2 + d]);
            double q = centred ? boxes[a + d] + boxes[a + 2 + d] / 2 : Math.max(boxes[a + d], boxes[a + 2 + d]);
            double r = centred ? boxes[b + d] - boxes[b + 2 + d] / 2 : Math.min(boxes[b + d], boxes[b + 2 + d]);
            double s = centred ? boxes[b + d] + boxes[b + 2 + d] / 2 : Math.max(boxes[b + d], boxes[b + 2 + d]);
            shared *= Math.max(0, Math.min(q, s) - Math.max(p, r));
            first *= q - p;
            second *= s - r;
        }
        return first <= 0 || second <= 0 ? 0 : shared / (first + second - shared);
    }
}
