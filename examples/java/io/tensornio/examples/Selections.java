package io.tensornio.examples;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.excl;
import static io.tensornio.TensorIndex.mask;
import static io.tensornio.TensorIndex.range;

import io.tensornio.BooleanTensorData;
import io.tensornio.ByteTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Parts of data, and data on its way elsewhere. */
final class Selections {
    private Selections() {
    }

    /** The images of one class: those rows at which a mask is true. It is a view; its index lists the rows. */
    static FloatTensorData ofClass(FloatTensorData images, IntTensorData labels, int wanted) {
        boolean[] isWanted = new boolean[(int) labels.totalSize()];
        for (int n = 0; n < isWanted.length; n++) {
            isWanted[n] = labels.get(n) == wanted;
        }
        return images.slice(mask(BooleanTensorData.of(isWanted)));
    }

    /** How often each label occurs: a stream of labels, counted. */
    static long[] histogram(IntTensorData labels) {
        long[] counts = new long[Digits.CLASSES];
        labels.stream().forEach(label -> counts[label]++);
        return counts;
    }

    /** A copy of a photo with a frame around a region, drawn through views of the region's edges, and nothing but red inside. */
    static Tensor<UInt8> framed(ByteTensorData photo, int top, int left, int height, int width) {
        return Tensors.denseUInt8(photo.shape(), copy -> {
            copy.put(photo);
            ByteTensorData region = copy.slice(range(top, top + height), range(left, left + width));
            region.slice(all(), all(), excl(0)).scalars().onEach(() -> (byte) 0);
            for (int edge : new int[] {0, -1}) {
                region.slice(at(edge)).scalars().onEach(() -> (byte) 255);
                region.slice(all(), at(edge)).scalars().onEach(() -> (byte) 255);
            }
        });
    }

    /** Writes all elements to a file as {@link java.io.DataOutputStream} would. */
    static void save(FloatTensorData data, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            data.writeTo(out);
        }
    }

    /** Reads what {@link #save} has written, straight into native memory. */
    static Tensor<Float> load(Path file, long... shape) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            return Tensors.denseFloat(shape, data -> data.readFrom(in));
        }
    }
}
