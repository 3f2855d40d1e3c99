package io.tensornio.examples;

import io.tensornio.ByteTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;

/** Each step of the demo, and two of memory itself, with tensors and with nested arrays. */
final class Comparison {
    /** A matrix of 64 MiB. */
    private static final int LARGE = 4096;

    private Comparison() {
    }

    /** Checks that both ways give the same, then times them. */
    static Timing run(List<String> rows, byte[] bgr, int height, int width) {
        Timing timing = new Timing();
        float[][][] imageArrays = NestedArrays.images(rows);
        int[] labelArray = NestedArrays.labels(rows);
        float[][][] meanArrays = NestedArrays.means(imageArrays, labelArray);
        byte[][][] rgbArrays = NestedArrays.rgb(bgr, height, width);
        float[][][] inputArrays = NestedArrays.normalise(rgbArrays);
        try (Digits digits = new Digits(rows);
                Tensor<Float> means = digits.means();
                Tensor<UInt8> sheet = ContactSheet.draw(digits.images.floatData(), digits.labels.intData(), means.floatData());
                Tensor<UInt8> photo = Photo.rgb(bgr, height, width);
                Tensor<Float> input = Photo.normalise(photo.uInt8Data())) {
            FloatTensorData images = digits.images.floatData();
            IntTensorData labels = digits.labels.intData();
            ByteTensorData rgb = photo.uInt8Data();
            same(images, imageArrays);
            timing.compare("digits: parse the text", () -> {
                try (Digits again = new Digits(rows)) {
                    return again;
                }
            }, () -> new Object[] {NestedArrays.images(rows), NestedArrays.labels(rows)});

            same(means.floatData(), meanArrays);
            timing.compare("digits: mean image of each class", () -> closed(digits.means()),
                () -> NestedArrays.means(imageArrays, labelArray));

            same(sheet.uInt8Data(), NestedArrays.contactSheet(imageArrays, labelArray, meanArrays));
            timing.compare("digits: draw the contact sheet", () -> closed(ContactSheet.draw(images, labels, means.floatData())),
                () -> NestedArrays.contactSheet(imageArrays, labelArray, meanArrays));

            same(rgb, rgbArrays);
            timing.compare("photo: decoder's bytes to red first", () -> closed(Photo.rgb(bgr, height, width)),
                () -> NestedArrays.rgb(bgr, height, width));

            same(input.floatData(), inputArrays);
            timing.compare("photo: normalise, channel first", () -> closed(Photo.normalise(rgb)), () -> NestedArrays.normalise(rgbArrays));

            ByteTensorData half = Photo.mirrored(rgb);
            byte[] ours = new byte[(int) half.totalSize()];
            byte[] theirs = new byte[ours.length];
            half.copyTo(ours);
            NestedArrays.mirrored(rgbArrays, theirs);
            check(Arrays.equals(ours, theirs));
            timing.compare("photo: half as large and mirrored", () -> {
                Photo.mirrored(rgb).copyTo(ours);
                return ours;
            }, () -> {
                NestedArrays.mirrored(rgbArrays, theirs);
                return theirs;
            });

            FloatBuffer flat = ByteBuffer.allocateDirect((int) input.numBytes()).order(ByteOrder.nativeOrder()).asFloatBuffer();
            NestedArrays.flatten(inputArrays, flat);
            check(flat.flip().equals(input.asByteBuffer().asFloatBuffer()));
            timing.compare("photo: hand the input to a native library", input::asByteBuffer, () -> {
                NestedArrays.flatten(inputArrays, flat);
                return flat;
            });
        }
        timing.compare("make, fill and drop 64 MiB", () -> closed(filled(LARGE, LARGE)), () -> NestedArrays.filled(LARGE, LARGE));
        return timing;
    }

    private static Tensor<Float> filled(int height, int width) {
        return Tensors.denseFloat(new long[] {height, width}, data -> {
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    data.put(x, y, x);
                }
            }
        });
    }

    private static Tensor<?> closed(Tensor<?> tensor) {
        tensor.close();
        return tensor;
    }

    private static void same(FloatTensorData data, float[][][] arrays) {
        check(data.size(0) == arrays.length && data.size(1) == arrays[0].length && data.size(2) == arrays[0][0].length);
        for (int i = 0; i < arrays.length; i++) {
            for (int j = 0; j < arrays[i].length; j++) {
                for (int k = 0; k < arrays[i][j].length; k++) {
                    check(data.get(i, j, k) == arrays[i][j][k]);
                }
            }
        }
    }

    private static void same(ByteTensorData data, byte[][][] arrays) {
        check(data.size(0) == arrays.length);
        for (int i = 0; i < arrays.length; i++) {
            same(data.slice(i), arrays[i]);
        }
    }

    private static void same(ByteTensorData data, byte[][] arrays) {
        check(data.size(0) == arrays.length && data.size(1) == arrays[0].length);
        for (int i = 0; i < arrays.length; i++) {
            for (int j = 0; j < arrays[i].length; j++) {
                check(data.get(i, j) == arrays[i][j]);
            }
        }
    }

    private static void check(boolean same) {
        if (!same) {
            throw new IllegalStateException("tensors and arrays differ");
        }
    }
}
