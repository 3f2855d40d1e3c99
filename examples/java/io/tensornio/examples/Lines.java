package io.tensornio.examples;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensors;
import io.tensornio.graph.ComputeGraph;
import io.tensornio.graph.Sym;
import io.tensornio.graph.SymSequence;
import io.tensornio.graph.TensorContext;
import io.tensornio.graph.TensorGraph;
import io.tensornio.value.Value;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The lines of a text as a sequence of vectors, which a graph averages. */
final class Lines {
    private static final int SHOWN = 60;

    private Lines() {
    }

    /** The words of each line that has any. */
    private static List<String[]> words(Path text) throws IOException {
        return Files.readAllLines(text, StandardCharsets.UTF_8).stream().map(line -> line.trim().split("[^A-Za-z]+"))
            .map(words -> Arrays.stream(words).filter(word -> !word.isEmpty()).toArray(String[]::new)).filter(words -> words.length > 0)
            .collect(Collectors.toList());
    }

    /** The length of each word of each line: a list of vectors. */
    private static Value vectors(List<String[]> lines) {
        List<Object> vectors = new ArrayList<>();
        for (String[] words : lines) {
            float[] lengths = new float[words.length];
            for (int n = 0; n < lengths.length; n++) {
                lengths[n] = words[n].length();
            }
            vectors.add(Tensors.ofNested(lengths));
        }
        return Value.list(vectors);
    }

    /** Averages each line, stacks the averages, and prints the line that has the largest. */
    static void show(PrintStream out, Path text) throws IOException {
        TensorContext t = new TensorContext();
        SymSequence sequence = t.sequence("lines", DataType.FLOAT);
        Sym means = sequence.map(line -> {
            Map<String, Sym> names = new HashMap<>();
            names.put("line", line);
            names.put("mean", t.scalar());
            return t.comprehension("n max= i + 1 where i in 0:size(line, 0)\ntotal += line[i]\nmean = total / float(n)", names);
        }).concat(0, true).named("means");
        List<String[]> lines = words(text);
        try (ComputeGraph cg = TensorGraph.of(means).compile();
                Value given = vectors(lines);
                Value result = cg.run(Collections.singletonMap("lines", given)).get("means")) {
            FloatTensorData averages = result.asTensor().floatData();
            int longest = 0;
            for (int n = 0; n < averages.size(0); n++) {
                longest = averages.get(n) > averages.get(longest) ? n : longest;
            }
            long shapes = lines.stream().mapToInt(words -> words.length).distinct().count();
            String line = String.join(" ", lines.get(longest));
            out.printf("The %,d lines of %s that have words are a list of vectors of %d lengths, one number for each word: how long it is.%n"
                + "A graph averages each by map, which compiles its body once for each length, and stacks the averages:%n%n%s%n",
                lines.size(), text.getFileName(), shapes, averages);
            out.printf("%nThe longest words, of %.1f letters on average, has: %s%n", averages.get(longest),
                line.length() > SHOWN ? line.substring(0, SHOWN) + "..." : line);
        }
    }
}
