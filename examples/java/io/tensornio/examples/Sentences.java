package io.tensornio.examples;

import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Results;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Tells from which page a sentence is. Attention over the words of a sentence, a softmax along its row, weighs their vectors; the weighted sum is
 * classified. Sentences have any number of words, which form ragged rows: nothing is padded.
 */
final class Sentences {
    /** Of a sentence the scores of the pages. */
    static final String TEXT = String.join("\n",
        "s[i,j] += T[word[i,j],d] * q[d]",
        "m[i] max= s[i,j]",
        "x[i,j] = exp(s[i,j] - m[i])",
        "z[i] += x[i,j]",
        "bag[i,d] += x[i,j] / z[i] * T[word[i,j],d]",
        "y[i,c] += bag[i,d] * W[d,c]");
    private static final String LOSS = String.join("\n",
        "top[i] max= y[i,c]",
        "sum[i] += exp(y[i,c] - top[i])",
        "loss += (log(sum[i]) + top[i] - y[i,page[i]]) / size(page, 0)");
    private static final int WIDTH = 24;
    private static final double RATE = .1;
    /** The parameters, each with the sum of the squares of its gradients (AdaGrad). */
    private static final String[] PARAMETERS = {"T[v,d]", "q[d]", "W[d,c]"};
    private static final int SHORTEST = 4;
    private static final int SEEN_OFTEN = 2;
    private static final int FIFTH = 5;

    private final List<String[]> known = new ArrayList<>();
    private final List<Integer> pagesOfKnown = new ArrayList<>();
    private final List<String[]> others = new ArrayList<>();
    private final List<Integer> pagesOfOthers = new ArrayList<>();
    private final Map<String, Long> vocabulary = new LinkedHashMap<>();
    private final int pages;

    /** The sentences of some pages, of which each fifth is held out. */
    Sentences(List<Path> files, long seed) throws IOException {
        pages = files.size();
        List<String[]> all = new ArrayList<>();
        List<Integer> of = new ArrayList<>();
        for (int page = 0; page < pages; page++) {
            for (String[] words : split(files.get(page))) {
                all.add(words);
                of.add(page);
            }
        }
        List<Integer> order = new ArrayList<>();
        for (int n = 0; n < all.size(); n++) {
            order.add(n);
        }
        Collections.shuffle(order, new Random(seed));
        for (int n = 0; n < all.size(); n++) {
            int which = order.get(n);
            (n % FIFTH == 0 ? others : known).add(all.get(which));
            (n % FIFTH == 0 ? pagesOfOthers : pagesOfKnown).add(of.get(which));
        }
        Map<String, Long> counts = known.stream().flatMap(Arrays::stream).collect(Collectors.groupingBy(word -> word, LinkedHashMap::new,
            Collectors.counting()));
        counts.forEach((word, count) -> {
            if (count >= SEEN_OFTEN) {
                vocabulary.put(word, (long) vocabulary.size());
            }
        });
    }

    /** The words of each sentence of a page, without its examples of code. */
    private static List<String[]> split(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).replaceAll("(?s)```.*?```", ". ").replaceAll("`[^`]*`", " ");
        List<String[]> sentences = new ArrayList<>();
        for (String sentence : text.split("[.:;?!|]\\s|\\n\\s*\\n")) {
            String[] words = Arrays.stream(sentence.toLowerCase(Locale.ROOT).split("(?U)[^\\p{Alpha}]+")).filter(word -> !word.isEmpty())
                .toArray(String[]::new);
            if (words.length >= SHORTEST) {
                sentences.add(words);
            }
        }
        return sentences;
    }

    int size() {
        return known.size();
    }

    /** The fewest and the most words of a sentence. */
    int[] lengths() {
        return new int[] {known.stream().mapToInt(words -> words.length).min().orElse(0),
            known.stream().mapToInt(words -> words.length).max().orElse(0)};
    }

    int words() {
        return vocabulary.size();
    }

    /** The numbers of the words that are known, a row for each sentence. */
    private RaggedTensor<Long> rows(List<String[]> sentences) {
        long[][] rows = new long[sentences.size()][];
        for (int n = 0; n < rows.length; n++) {
            rows[n] = Arrays.stream(sentences.get(n)).filter(vocabulary::containsKey).mapToLong(vocabulary::get).toArray();
        }
        return Tensors.raggedOfNested(rows);
    }

    /** Trains some steps on all sentences; the loss of each. Parameters are in memory that the steps overwrite. */
    double[] train(int steps, Map<String, FloatTensorData> parameters) {
        StringBuilder text = new StringBuilder(TEXT + "\n" + LOSS + "\nlast[k] = loss where k in 0:1\ngradient loss by T, q, W");
        for (String parameter : PARAMETERS) {
            String name = parameter.substring(0, 1);
            String at = parameter.substring(1);
            text.append("\nG" + name + at + " = S" + name + at + " + d" + parameter + "^2");
            text.append("\nN" + parameter + " = " + parameter + " - " + RATE + " * d" + parameter + " / (sqrt(G" + parameter + ") + 1e-8)");
        }
        Comprehension step = Comprehension.of(text.toString()).returning("last", "GT", "Gq", "GW", "NT", "Nq", "NW");
        long[] page = pagesOfKnown.stream().mapToLong(Integer::longValue).toArray();
        double[] losses = new double[steps];
        float[] loss = new float[1];
        try (RaggedTensor<Long> word = rows(known)) {
            Map<String, Object> inputs = new LinkedHashMap<>(parameters);
            inputs.put("word", word);
            inputs.put("page", LongTensorData.of(page));
            Map<String, Object> outputs = new LinkedHashMap<>();
            outputs.put("last", FloatTensorData.of(loss));
            for (String parameter : PARAMETERS) {
                String name = parameter.substring(0, 1);
                outputs.put("N" + name, parameters.get(name));
                outputs.put("G" + name, parameters.get("S" + name));
            }
            for (int n = 0; n < steps; n++) {
                step.runInto(inputs, outputs);
                losses[n] = loss[0];
            }
        }
        return losses;
    }

    /** Random parameters in arrays. */
    Map<String, FloatTensorData> parameters(long seed) {
        Random random = new Random(seed);
        long[][] shapes = {{words(), WIDTH}, {WIDTH}, {WIDTH, pages}};
        Map<String, FloatTensorData> parameters = new LinkedHashMap<>();
        for (int n = 0; n < PARAMETERS.length; n++) {
            String name = PARAMETERS[n].substring(0, 1);
            float[] values = new float[(int) Arrays.stream(shapes[n]).reduce(1, (a, b) -> a * b)];
            for (int k = 0; k < values.length; k++) {
                values[k] = (float) random.nextGaussian() * .1f;
            }
            parameters.put(name, FloatTensorData.of(values, shapes[n]));
            parameters.put("S" + name, FloatTensorData.of(new float[values.length], shapes[n]));
        }
        return parameters;
    }

    /** The share of the sentences that were held out of which the page is told, from 0 to 1. */
    double accuracy(Map<String, FloatTensorData> parameters) {
        Map<String, Object> inputs = new LinkedHashMap<>();
        for (String name : new String[] {"T", "q", "W"}) {
            inputs.put(name, parameters.get(name));
        }
        int right = 0;
        try (RaggedTensor<Long> word = rows(others)) {
            inputs.put("word", word);
            try (Results results = Comprehension.of(TEXT).returning("y").run(inputs)) {
                Tensor<Float> scores = results.floatTensor("y");
                for (int n = 0; n < others.size(); n++) {
                    int best = 0;
                    for (int c = 1; c < pages; c++) {
                        best = scores.floatData().get(n, c) > scores.floatData().get(n, best) ? c : best;
                    }
                    right += best == pagesOfOthers.get(n) ? 1 : 0;
                }
            }
        }
        return (double) right / others.size();
    }
}
