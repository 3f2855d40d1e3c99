package io.tensornio.images;

/** Resizes images that are rows of pixels in arrays: rows first, then columns, as Pillow does. */
final class Resizer {
    /** What rounds a sum of units to nearest. */
    private static final int HALF = 1 << Weights.BITS - 1;

    private final Weights rows;
    private final Weights columns;
    private final int height;
    private final int width;
    private final int newHeight;
    private final int newWidth;
    private final int channels;

    Resizer(int height, int width, int channels, int newHeight, int newWidth, Resampling how) {
        columns = new Weights(width, newWidth, how);
        rows = new Weights(height, newHeight, how);
        this.height = height;
        this.width = width;
        this.newHeight = newHeight;
        this.newWidth = newWidth;
        this.channels = channels;
    }

    /** Bytes without a sign. Between rows and columns values are rounded to bytes. */
    byte[] resize(byte[] pixels) {
        byte[] between = new byte[height * newWidth * channels];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < newWidth; x++) {
                int[] units = columns.units[x];
                for (int c = 0; c < channels; c++) {
                    int at = (y * width + columns.first[x]) * channels + c;
                    int sum = HALF;
                    for (int k = 0; k < columns.count[x]; k++, at += channels) {
                        sum += units[k] * (pixels[at] & 0xff);
                    }
                    between[(y * newWidth + x) * channels + c] = rounded(sum);
                }
            }
        }
        byte[] resized = new byte[newHeight * newWidth * channels];
        int row = newWidth * channels;
        for (int y = 0; y < newHeight; y++) {
            int[] units = rows.units[y];
            for (int x = 0; x < row; x++) {
                int at = rows.first[y] * row + x;
                int sum = HALF;
                for (int k = 0; k < rows.count[y]; k++, at += row) {
                    sum += units[k] * (between[at] & 0xff);
                }
                resized[y * row + x] = rounded(sum);
            }
        }
        return resized;
    }

    /** Numbers, which are rounded to floats in between. */
    float[] resize(float[] pixels) {
        float[] between = new float[height * newWidth * channels];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < newWidth; x++) {
                double[] weights = columns.weights[x];
                for (int c = 0; c < channels; c++) {
                    int at = (y * width + columns.first[x]) * channels + c;
                    double sum = 0;
                    for (int k = 0; k < columns.count[x]; k++, at += channels) {
                        sum += weights[k] * pixels[at];
                    }
                    between[(y * newWidth + x) * channels + c] = (float) sum;
                }
            }
        }
        float[] resized = new float[newHeight * newWidth * channels];
        int row = newWidth * channels;
        for (int y = 0; y < newHeight; y++) {
            double[] weights = rows.weights[y];
            for (int x = 0; x < row; x++) {
                int at = rows.first[y] * row + x;
                double sum = 0;
                for (int k = 0; k < rows.count[y]; k++, at += row) {
                    sum += weights[k] * between[at];
                }
                resized[y * row + x] = (float) sum;
            }
        }
        return resized;
    }

    private static byte rounded(int sum) {
        return (byte) Math.max(0, Math.min(255, sum >> Weights.BITS));
    }

    /** Multiplies colours by their alpha, without which the colours of transparent pixels would show. */
    static void multiplyByAlpha(byte[] pixels) {
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
