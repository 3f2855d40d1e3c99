package io.tensornio.examples;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.step;

import io.tensornio.ByteTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/** A photo, from ImageIO's pixels to what a vision model takes. */
final class Photo {
    /** The mean and the standard deviation of red, green and blue over ImageNet: the figures by which torchvision normalises what its models take. */
    static final float[] MEAN = {0.485f, 0.456f, 0.406f};
    static final float[] DEVIATION = {0.229f, 0.224f, 0.225f};

    private Photo() {
    }

    static BufferedImage decode(Path file) throws IOException {
        BufferedImage image = ImageIO.read(file.toFile());
        if (image == null) {
            throw new IOException("no image that ImageIO can read: " + file);
        }
        if (image.getType() == BufferedImage.TYPE_3BYTE_BGR) {
            return image;
        }
        BufferedImage bgr = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_3BYTE_BGR);
        bgr.getGraphics().drawImage(image, 0, 0, null);
        return bgr;
    }

    /** The bytes of an image themselves: writing them draws. */
    static byte[] pixels(BufferedImage image) {
        return ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
    }

    static void write(BufferedImage image, Path png) throws IOException {
        if (!ImageIO.write(image, "png", png.toFile())) {
            throw new IOException("ImageIO cannot write " + png);
        }
    }

    /**
     * Pixels as UINT8 of shape (height, width, 3), red first. ImageIO has them blue first: seen through a view whose last
     * axis is flipped, writing them in ImageIO's order puts each one into its place. It is one bulk copy.
     */
    static Tensor<UInt8> rgb(byte[] bgr, int height, int width) {
        return Tensors.denseUInt8(new long[] {height, width, 3}, data -> data.slice(all(), all(), flip()).put(bgr));
    }

    /**
     * FLOAT of shape (3, height, width), normalised. One colour of the photo is a view with a stride of 3; nothing is rearranged
     * before.
     */
    static Tensor<Float> normalise(ByteTensorData rgb) {
        int height = (int) rgb.size(0);
        int width = (int) rgb.size(1);
        return Tensors.denseFloat(new long[] {3, height, width}, data -> {
            for (int c = 0; c < 3; c++) {
                ByteTensorData colour = rgb.slice(all(), all(), at(c));
                FloatTensorData plane = data.slice(c);
                float scale = 1 / (255 * DEVIATION[c]);
                float shift = -MEAN[c] / DEVIATION[c];
                for (int y = 0; y < height; y++) {
                    for (int x = 0; x < width; x++) {
                        plane.put(colour.getUnsigned(y, x) * scale + shift, y, x);
                    }
                }
            }
        });
    }

    /** Every second pixel, left and right exchanged, and blue first again for ImageIO: a view, nothing is copied. */
    static ByteTensorData mirrored(ByteTensorData rgb) {
        return rgb.slice(step(2), step(2)).slice(all(), flip(), flip());
    }
}
