package io.tensornio.images;

import io.tensornio.ByteTensorData;
import java.util.Arrays;

/** Resizes images that are rows of pixels in arrays: rows first, then columns, as Pillow does. */
final class Resizer {
    /** What rounds a sum of units to nearest. */
    private static final int HALF = 1 << Weights.BITS - 1;

    private final Weights rows;
    private final Weights columns;
    private final int width;
    private final int newHeight;
    private final int newWidth;
    private final int channels;

    Resizer(int height, int width, int channels, int newHeight, int newWidth, Resampling how) {
        columns = new Weights(width, newWidth, how);
        rows = new Weights(height, newHeight, how);
        this.width = width;
        this.newHeight = newHeight;
        this.newWidth = newWidth;
        this.channels = channels;
    }

    /**
     * Bytes without a sign. Between rows and columns values are rounded to bytes; of these, a window of the lines that the filter reaches is kept, as
     * integers, so that all values of a line are summed by one loop over arrays. The image is read row by row.
     */
    byte[] resize(ByteTensorData image, boolean hasAlpha) {
        byte[] pixels = new byte[width * channels];
        int row = newWidth * channels;
        int[][] window = new int[rows.most()][row];
        int[] sums = new int[row];
        byte[] resized = new byte[newHeight * row];
        for (int y = 0, made = 0; y < newHeight; y++) {
            int end = rows.first[y] + rows.count[y];
            for (made = Math.max(made, rows.first[y]); made < end; made++) {
                image.get(pixels, made);
                if (hasAlpha) {
                    multiplyByAlpha(pixels);
                }
                line(pixels, window[made % window.length]);
            }
            Arrays.fill(sums, HALF);
            for (int k = 0; k < rows.count[y]; k++) {
                add(rows.units[y][k], window[(rows.first[y] + k) % window.length], sums);
            }
            for (int x = 0; x < row; x++) {
                resized[y * row + x] = (byte) rounded(sums[x]);
            }
        }
        return resized;
    }

    /** A line of the image with its new width. Three colours are summed side by side. */
    private void line(byte[] pixels, int[] line) {
        int colors = channels < 3 ? 0 : 3;
        for (int x = 0; x < newWidth; x++) {
            int[] units = columns.units[x];
            int from = columns.first[x] * channels;
            int to = x * channels;
            if (colors == 3) {
                int red = HALF;
                int green = HALF;
                int blue = HALF;
                int at = from;
                for (int unit : units) {
                    red += unit * (pixels[at] & 0xff);
                    green += unit * (pixels[at + 1] & 0xff);
                    blue += unit * (pixels[at + 2] & 0xff);
                    at += channels;
                }
                line[to] = rounded(red);
                line[to + 1] = rounded(green);
                line[to + 2] = rounded(blue);
            }
            for (int c = colors; c < channels; c++) {
                int sum = HALF;
                int at = from + c;
                for (int unit : units) {
                    sum += unit * (pixels[at] & 0xff);
                    at += channels;
                }
                line[to + c] = rounded(sum);
            }
        }
    }

    private static void add(int unit, int[] line, int[] sums) {
        for (int x = 0; x < sums.length; x++) {
            sums[x] += unit * line[x];
        }
    }

    /** Numbers, which are rounded to floats in between. */
    float[] resize(float[] pixels) {
        int row = newWidth * channels;
        double[][] window = new double[rows.most()][row];
        double[] sums = new double[row];
        float[] resized = new float[newHeight * row];
        for (int y = 0, made = 0; y < newHeight; y++) {
            int end = rows.first[y] + rows.count[y];
            for (made = Math.max(made, rows.first[y]); made < end; made++) {
                line(pixels, made, window[made % window.length]);
            }
            Arrays.fill(sums, 0);
            for (int k = 0; k < rows.count[y]; k++) {
                add(rows.weights[y][k], window[(rows.first[y] + k) % window.length], sums);
            }
            for (int x = 0; x < row; x++) {
                resized[y * row + x] = (float) sums[x];
            }
        }
        return resized;
    }

    private void line(float[] pixels, int y, double[] line) {
        for (int x = 0; x < newWidth; x++) {
            double[] weights = columns.weights[x];
            int from = (y * width + columns.first[x]) * channels;
            for (int c = 0; c < channels; c++) {
                double sum = 0;
                int at = from + c;
                for (double weight : weights) {
                    sum += weight * pixels[at];
                    at += channels;
                }
                line[x * channels + c] = (float) sum;
            }
        }
    }

    private static void add(double weight, double[] line, double[] sums) {
        for (int x = 0; x < sums.length; x++) {
            sums[x] += weight * line[x];
        }
    }

    private static int rounded(int sum) {
        return Math.max(0, Math.min(255, sum >> Weights.BITS));
    }

    /** Multiplies colours by their alpha, without which the colours of transparent pixels would show. */
    private static void multiplyByAlpha(byte[] pixels) {
        for (int at = 0; at < pixels.length; at += 4) {
            int alpha = pixels[at + 3] & 0xff;
            for (int c = at; c < at + 3; c++) {
                int product = (pixels[c] & 0xff) * alpha + 128;
                pixels[c] = (byte) (((product >> 8) + product) >> 8);
            }
        }
    }

    /** Takes back {@link #multiplyByAlpha}, as far as that is possible. */
    static void divideByAlpha(byte[] pixels) {
        for (int at = 0; at < pixels.length; at += 4) {
            int alpha = pixels[at + 3] & 0xff;
            for (int c = at; alpha != 0 && alpha != 255 && c < at + 3; c++) {
                pixels[c] = (byte) Math.min(255, 255 * (pixels[c] & 0xff) / alpha);
            }
        }
    }
}
