package io.tensornio.examples;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.IntTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/** Handwritten digits of 8 x 8 pixels, each with the number it shows. */
final class Digits implements AutoCloseable {
    /** The classes: the numbers 0 to 9. */
    static final int CLASSES = 10;
    /** The height and width of a digit. */
    static final int SIDE = 8;

    /** FLOAT of shape (digits, 8, 8), values 0 to 16. */
    final Tensor<Float> images;
    /** INT32 of shape (digits): 0 to 9. */
    final Tensor<Integer> labels;

    /** Reads rows of 64 pixels and a label. */
    Digits(List<String> rows) {
        images = Tensors.denseFloat(new long[] {rows.size(), SIDE, SIDE}, data -> {
            FloatTensorIterator pixels = data.scalars();
            for (String row : rows) {
                String[] fields = row.split(",");
                for (int p = 0; p < SIDE * SIDE; p++) {
                    pixels.put(Float.parseFloat(fields[p]));
                }
            }
        });
        labels = Tensors.denseInt(new long[] {rows.size()}, data -> {
            for (int n = 0; n < rows.size(); n++) {
                data.put(label(rows.get(n)), n);
            }
        });
    }

    static List<String> rows(Path csv) throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(csv)), StandardCharsets.US_ASCII))) {
            return reader.lines().collect(Collectors.toList());
        }
    }

    static int label(String row) {
        return Integer.parseInt(row.substring(row.lastIndexOf(',') + 1));
    }

    /** The mean image of each class: FLOAT of shape (10, 8, 8). */
    Tensor<Float> means() {
        FloatTensorData digits = images.floatData();
        IntTensorData classes = labels.intData();
        return Tensors.denseFloat(new long[] {CLASSES, SIDE, SIDE}, means -> {
            int[] count = new int[CLASSES];
            for (int n = 0; n < digits.size(0); n++) {
                count[classes.get(n)]++;
                FloatTensorData digit = digits.slice(n);
                FloatTensorData sum = means.slice(classes.get(n));
                for (int y = 0; y < SIDE; y++) {
                    for (int x = 0; x < SIDE; x++) {
                        sum.put(sum.get(y, x) + digit.get(y, x), y, x);
                    }
                }
            }
            for (int c = 0; c < CLASSES; c++) {
                FloatTensorData mean = means.slice(c);
                for (int y = 0; y < SIDE; y++) {
                    for (int x = 0; x < SIDE; x++) {
                        mean.put(mean.get(y, x) / count[c], y, x);
                    }
                }
            }
        });
    }

    @Override
    public void close() {
        images.close();
        labels.close();
    }
}
