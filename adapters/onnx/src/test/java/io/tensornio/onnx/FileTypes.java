package io.tensornio.onnx;

import io.tensornio.FloatTensorData;
import io.tensornio.value.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells the types of files by their contents: {@code FileTypes WHEEL FILE...}, with the model that the wheel of magika has. */
public final class FileTypes {
    private static final int SIDE = 1024;
    /** Stands for a byte that is not there. */
    private static final int NONE = 256;

    private FileTypes() {
    }

    public static void main(String... arguments) throws IOException {
        try (FileSystem wheel = FileSystems.newFileSystem(Paths.get(arguments[0]), (ClassLoader) null)) {
            Path folder = wheel.getPath("/magika/models/standard_v3_3");
            String[] labels = labels(new String(Files.readAllBytes(folder.resolve("config.min.json")), StandardCharsets.UTF_8));
            try (OnnxModel model = OnnxModel.load(Files.readAllBytes(folder.resolve("model.onnx")))) {
                for (String file : Arrays.copyOfRange(arguments, 1, arguments.length)) {
                    int[][] features = {features(new String(Files.readAllBytes(Paths.get(file)), StandardCharsets.ISO_8859_1))};
                    try (Value out = model.run(Collections.singletonMap("bytes", features))) {
                        FloatTensorData scores = out.get("target_label").asTensor().floatData();
                        int best = 0;
                        for (int n = 1; n < labels.length; n++) {
                            best = scores.get(0, n) > scores.get(0, best) ? n : best;
                        }
                        System.out.printf("%s: %s, %.0f %%%n", file, labels[best], 100 * scores.get(0, best));
                    }
                }
            }
        }
    }

    private static String[] labels(String json) {
        Matcher list = Pattern.compile("\"target_labels_space\": *\\[([^]]*)]").matcher(json);
        if (!list.find()) {
            throw new IllegalStateException("the model's configuration names no labels");
        }
        return list.group(1).replaceAll("[\" \n]", "").split(",");
    }

    /** The first bytes without spaces before them, and the last ones without spaces behind them. */
    private static int[] features(String content) {
        int[] features = new int[2 * SIDE];
        Arrays.fill(features, NONE);
        String begin = content.substring(0, Math.min(content.length(), 4 * SIDE)).replaceFirst("^\\s+", "");
        String end = content.substring(Math.max(0, content.length() - 4 * SIDE)).replaceFirst("\\s+$", "");
        for (int k = 0; k < Math.min(SIDE, begin.length()); k++) {
            features[k] = begin.charAt(k);
        }
        for (int k = 0; k < Math.min(SIDE, end.length()); k++) {
            features[2 * SIDE - 1 - k] = end.charAt(end.length() - 1 - k);
        }
        return features;
    }
}
