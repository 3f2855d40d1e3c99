package io.tensornio.examples;

import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Data with gaps, rows of their own lengths, and text. */
final class Irregular {
    private Irregular() {
    }

    /** The pixels of digits that have ink, each digit a row: a sparse matrix of shape (digits, 64). */
    static SparseTensor<Float> ink(FloatTensorData images) {
        long[] shape = {images.size(0), images.size(1) * images.size(2)};
        float[] pixels = new float[(int) images.totalSize()];
        images.copyTo(pixels);
        return SparseTensor.fromDense(FloatTensorData.of(pixels, shape));
    }

    /** The digits on a square canvas, so many in a row, with a gap of three digits to each side: nearly all of it is paper. */
    static SparseTensor<Float> canvas(FloatTensorData images, int side) {
        int ink = (int) images.stream().filter(v -> v != 0).count();
        int gap = 4 * Digits.SIDE;
        int perRow = side / gap;
        return Tensors.sparseFloat(new long[] {side, side}, ink, data -> {
            int n = 0;
            for (FloatTensorData digit : images.elements()) {
                int top = n / perRow * gap;
                int left = n++ % perRow * gap;
                for (int y = 0; y < Digits.SIDE; y++) {
                    for (int x = 0; x < Digits.SIDE; x++) {
                        float v = digit.get(y, x);
                        if (v != 0) {
                            data.put(v, top + y, left + x);
                        }
                    }
                }
            }
        });
    }

    /** The words of a text, in letters of any alphabet: a ragged tensor of strings, with a row for each line. */
    static RaggedTensor<String> words(Path text) throws IOException {
        List<String> lines = Files.readAllLines(text, StandardCharsets.UTF_8);
        return Tensors.raggedString(new long[] {lines.size(), -1}, data -> {
            for (int i = 0; i < lines.size(); i++) {
                data.put(Arrays.stream(lines.get(i).split("(?U)\\W+")).filter(word -> !word.isEmpty()).toArray(String[]::new), i);
            }
        });
    }

    /** The most frequent long words, with how often each occurs. */
    static String frequent(StringTensorData words, int letters, int most) {
        Map<String, Long> counts = words.stream().filter(word -> word.length() >= letters)
            .collect(Collectors.groupingBy(word -> word, Collectors.counting()));
        return counts.entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
            .limit(most).map(entry -> entry.getKey() + " " + entry.getValue()).collect(Collectors.joining(", "));
    }

    /** The columns of a CSV file, as a program that knows nothing of tensors would hold them: {@code float[columns][rows]}, as a tensor. */
    static Tensor<Float> columns(List<String> rows) {
        float[][] columns = new float[rows.get(0).split(",").length][rows.size()];
        for (int i = 0; i < rows.size(); i++) {
            String[] fields = rows.get(i).split(",");
            for (int j = 0; j < fields.length; j++) {
                columns[j][i] = Float.parseFloat(fields[j]);
            }
        }
        return Tensors.ofNested(columns);
    }
}
