package io.tensornio.onnx;

import io.tensornio.LongTensorData;
import io.tensornio.value.Value;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.zip.GZIPInputStream;

/** Recognises handwritten digits by a model that scikit-learn trained on others: {@code Digits FOLDER}, of its data. */
public final class Digits {
    /** The digits behind those that the model was trained on. */
    static final int TESTED = 450;

    private Digits() {
    }

    /** Rows of 64 pixels and a label: the last ones of the file. */
    static float[][] rows(Path folder) throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(new GZIPInputStream(Files.newInputStream(
                folder.resolve("digits.csv.gz"))), StandardCharsets.UTF_8))) {
            String[] all = lines.lines().filter(line -> line.matches("[0-9.,]+")).toArray(String[]::new);
            float[][] rows = new float[TESTED][65];
            for (int n = 0; n < TESTED; n++) {
                String[] words = all[all.length - TESTED + n].split(",");
                for (int k = 0; k < 65; k++) {
                    rows[n][k] = Float.parseFloat(words[k]);
                }
            }
            return rows;
        }
    }

    static float[][] images(float[]... rows) {
        float[][] images = new float[rows.length][];
        java.util.Arrays.setAll(images, n -> java.util.Arrays.copyOf(rows[n], 64));
        return images;
    }

    public static void main(String... arguments) throws IOException {
        Path folder = Paths.get(arguments[0]);
        float[][] rows = rows(folder);
        try (OnnxModel model = OnnxModel.load(folder.resolve("digits.onnx"));
                Value out = model.run(Collections.singletonMap("X", images(rows)))) {
            System.out.println(model);
            LongTensorData labels = out.get("label").asTensor().longData();
            int right = 0;
            int shown = 0;
            for (int n = 0; n < rows.length; n++) {
                boolean same = labels.get(n) == (long) rows[n][64];
                right += same ? 1 : 0;
                if (!same && shown++ < 3) {
                    System.out.printf("a %.0f that was taken for a %d:%n%s", rows[n][64], labels.get(n), picture(rows[n]));
                }
            }
            System.out.println(right + " of " + rows.length + " digits are recognised");
        }
    }

    private static String picture(float... pixels) {
        StringBuilder picture = new StringBuilder();
        for (int k = 0; k < 64; k++) {
            picture.append(" .:-=+*#@".charAt((int) pixels[k] / 2)).append(k % 8 == 7 ? "\n" : "");
        }
        return picture.toString();
    }
}
