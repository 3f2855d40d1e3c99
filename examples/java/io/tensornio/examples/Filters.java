package io.tensornio.examples;

import io.tensornio.ByteTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;

/** What comprehensions make of a photo: UINT8 of shape (height, width, 3), red first. */
final class Filters {
    /** How high the drawing of a histogram is. */
    static final int HEIGHT = 200;

    private static final Comprehension BLUR = Comprehension.of(
        "b[y,x,c] += float(photo[y+r,x+s,c]) * kernel[r,s]\n"
        + "blurred[y,x,c] = uint8(round(b[y,x,c]))\n"
        + "return blurred");

    /** Sobel's operator: how steep the brightness is, across and down. */
    private static final Comprehension EDGES = Comprehension.of(
        "grey[y,x] += float(photo[y,x,c]) * weight[c]\n"
        + "across[y,x] += grey[y+r,x+s] * sobel[r,s]\n"
        + "down[y,x] += grey[y+r,x+s] * sobel[s,r]\n"
        + "edges[y,x] = uint8(sqrt(across[y,x]^2 + down[y,x]^2))\n"
        + "return edges");

    /** How often each value occurs in each colour, and a drawing of that, a column for each value. */
    private static final Comprehension HISTOGRAM = Comprehension.of(
        "count[photo[y,x,c],c] += 1 where count[256,3]\n"
        + "most max= count[v,c]\n"
        + "drawn[y,v,c] = uint8(select(double(count[v,c]) * height > double(most) * (height-1 - y), 255, 0)) where y in 0:" + HEIGHT + "\n"
        + "return count, drawn");

    private Filters() {
    }

    /** The photo blurred by a Gaussian of so many pixels' deviation: smaller by twice that on each side, since nothing is made up outside of it. */
    static Results blur(ByteTensorData photo, int deviation) {
        int size = 4 * deviation + 1;
        float[] kernel = new float[size * size];
        double sum = 0;
        for (int n = 0; n < kernel.length; n++) {
            double y = n / size - size / 2;
            double x = n % size - size / 2;
            kernel[n] = (float) Math.exp(-(x * x + y * y) / (2.0 * deviation * deviation));
            sum += kernel[n];
        }
        for (int n = 0; n < kernel.length; n++) {
            kernel[n] /= (float) sum;
        }
        return BLUR.run(photo, FloatTensorData.of(kernel, size, size));
    }

    /** Where the photo's brightness changes: {@code edges} of shape (height - 2, width - 2). */
    static Results edges(ByteTensorData photo) {
        FloatTensorData weights = FloatTensorData.of(new float[] {.299f, .587f, .114f});
        return EDGES.run(photo, weights, FloatTensorData.of(new float[] {-1, 0, 1, -2, 0, 2, -1, 0, 1}, 3, 3));
    }

    /** How often each value occurs: {@code count} of shape (256, 3), and {@code drawn}, an image. */
    static Results histogram(ByteTensorData photo) {
        return HISTOGRAM.run(photo, (double) HEIGHT);
    }
}
