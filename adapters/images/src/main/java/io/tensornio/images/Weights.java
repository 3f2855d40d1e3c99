package io.tensornio.images;

import java.util.Arrays;

/** The weights by which the pixels of one axis become those of a resized one. */
final class Weights {
    /** The first pixel that counts for each new one, and how many. */
    final int[] first;
    final int[] count;
    /** The weights of each new pixel, whose sum is 1. */
    final double[][] weights;
    /** The same in units of 2^-{@link #BITS}, rounded to nearest, as Pillow has them for bytes. */
    final int[][] units;
    static final int BITS = 22;

    /**
     * Computes the weights.
     *
     * @param from the number of pixels, at least 1
     * @param to the number of new ones, at least 1
     */
    Weights(int from, int to, Resampling how) {
        first = new int[to];
        count = new int[to];
        weights = new double[to][];
        units = new int[to][];
        double scale = (double) from / to;
        double widened = Math.max(scale, 1);
        double support = how.support * widened;
        for (int n = 0; n < to; n++) {
            double middle = (n + .5) * scale;
            if (how == Resampling.NEAREST) {
                first[n] = Math.min((int) middle, from - 1);
                count[n] = 1;
                weights[n] = new double[] {1};
                units[n] = new int[] {1 << BITS};
                continue;
            }
            int begin = Math.max((int) (middle - support + .5), 0);
            int end = Math.min((int) (middle + support + .5), from);
            double[] all = new double[end - begin];
            double sum = 0;
            for (int k = 0; k < all.length; k++) {
                all[k] = how.weight((k + begin - middle + .5) * (1 / widened));
                sum += all[k];
            }
            for (int k = 0; k < all.length; k++) {
                all[k] /= sum;
            }
            first[n] = begin;
            count[n] = all.length;
            weights[n] = all;
            units[n] = new int[all.length];
            for (int k = 0; k < all.length; k++) {
                double scaled = all[k] * (1 << BITS);
                units[n][k] = (int) (scaled < 0 ? scaled - .5 : scaled + .5);
            }
        }
    }

    /** The most pixels that count for a new one. */
    int most() {
        return Arrays.stream(count).max().getAsInt();
    }
}
