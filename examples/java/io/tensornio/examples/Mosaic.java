package io.tensornio.examples;

import static io.tensornio.TensorIndex.range;

import io.tensornio.ByteTensorData;
import io.tensornio.Tensor;
import io.tensornio.UInt8;

/** Pictures made of views of a photo: nothing is copied before the whole is. */
final class Mosaic {
    /** How wide the frame is around each of the four, and around all. */
    static final int FRAME = 12;
    /** The height and the width of a patch, and the distance from one to the next. */
    static final int PATCH = 64;
    static final int STEP = 32;

    private Mosaic() {
    }

    /** A square of the photo as it is, transposed, and flipped both ways, two by two in a white frame. */
    static ByteTensorData of(ByteTensorData rgb) {
        long side = Math.min(rgb.size(0), rgb.size(1));
        ByteTensorData square = rgb.slice(range(0, side), range(0, side));
        ByteTensorData above = ByteTensorData.concat(1, framed(square), framed(square.permute(1, 0, 2)));
        ByteTensorData below = ByteTensorData.concat(1, framed(square.flip(0)), framed(square.flip(1)));
        return framed(ByteTensorData.concat(0, above, below));
    }

    private static ByteTensorData framed(ByteTensorData picture) {
        long[] frame = {FRAME, FRAME, 0};
        return picture.pad(frame, frame, 255);
    }

    /** All patches of the photo, which overlap: UINT8 of shape (down, across, height, width, 3). */
    static ByteTensorData patches(ByteTensorData rgb) {
        return rgb.slidingWindow(0, PATCH, STEP).slidingWindow(1, PATCH, STEP).permute(0, 1, 3, 4, 2);
    }

    /** The patches as a batch, one after the other: this is the one copy. */
    static Tensor<UInt8> batch(ByteTensorData rgb) {
        return patches(rgb).copy();
    }
}
