package io.tensornio.onnx.engine;

/** Elements between pixels. */
final class Sampling {
    private Sampling() {
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
}
