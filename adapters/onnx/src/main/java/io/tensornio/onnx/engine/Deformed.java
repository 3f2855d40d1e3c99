package io.tensornio.onnx.engine;

import java.util.Arrays;

/** The convolution whose windows take elements at offsets. */
final class Deformed {
    private Deformed() {
    }

    /** Two spatial axes: x[n,c,h,w], w[k,c/g,r,s], offset[n,og*r*s*2,p,q], bias[k], mask[n,og*r*s,p,q]. */
    static Item conv(Call call) {
        long[] xs = call.shape(0);
        long[] ws = call.shape(1);
        if (xs.length != 4 || ws.length != 4) {
            throw call.refused("only images of two spatial axes are supported");
        }
        int groups = (int) call.attributes.integer("group", 1);
        int offsetGroups = (int) call.attributes.integer("offset_group", 1);
        Window window = new Window(call, new long[] {xs[2], xs[3]}, new long[] {ws[2], ws[3]}, false);
        int height = (int) window.output[0];
        int width = (int) window.output[1];
        int r = (int) ws[2];
        int s = (int) ws[3];
        int channels = (int) xs[1];
        if (groups < 1 || offsetGroups < 1 || channels != groups * ws[1] || ws[0] % groups != 0 || channels % offsetGroups != 0
            || !Arrays.equals(call.shape(2), new long[] {xs[0], (long) offsetGroups * r * s * 2, height, width})
            || call.has(4) && !Arrays.equals(call.shape(4), new long[] {xs[0], (long) offsetGroups * r * s, height, width})) {
            throw call.refused("shapes do not fit");
        }
        double[] x = call.doubles(0);
        double[] w = call.doubles(1);
        double[] offset = call.doubles(2);
        double[] bias = call.has(3) ? call.doubles(3) : null;
        double[] mask = call.has(4) ? call.doubles(4) : null;
        int h = (int) xs[2];
        int v = (int) xs[3];
        int filters = (int) ws[0];
        int perGroup = (int) ws[1];
        double[] y = new double[Shapes.intSize(xs[0], filters, height, width)];
        int pixels = height * width;
        for (int n = 0; n < xs[0]; n++) {
            for (int k = 0; k < filters; k++) {
                for (int at = 0; at < pixels; at++) {
                    double sum = bias == null ? 0 : bias[k];
                    for (int c = 0; c < perGroup; c++) {
                        int channel = k / (filters / groups) * perGroup + c;
                        int group = channel / (channels / offsetGroups);
                        for (int t = 0; t < r * s; t++) {
                            int base = ((n * offsetGroups + group) * r * s + t) * 2 * pixels + at;
                            double row = at / width * window.strides[0] - window.before[0] + t / s * window.dilations[0] + offset[base];
                            double column = at % width * window.strides[1] - window.before[1] + t % s * window.dilations[1] + offset[base + pixels];
                            double value = Sampling.bilinear(x, (n * channels + channel) * h * v, h, v, row, column);
                            double m = mask == null ? 1 : mask[((n * offsetGroups + group) * r * s + t) * pixels + at];
                            sum += value * m * w[(k * perGroup + c) * r * s + t];
                        }
                    }
                    y[(n * filters + k) * pixels + at] = sum;
                }
            }
        }
        return Call.made(Data.ofDoubles(call.type(0), y, xs[0], filters, height, width));
    }
}
