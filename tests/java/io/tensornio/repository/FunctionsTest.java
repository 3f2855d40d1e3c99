package io.tensornio.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.FloatTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.axes.NamedTensor;
import io.tensornio.compute.Comprehension;
import io.tensornio.compute.Expr;
import io.tensornio.compute.F;
import io.tensornio.compute.Mappable;
import io.tensornio.compute.Results;
import io.tensornio.graph.ComputeGraph;
import io.tensornio.graph.Sym;
import io.tensornio.graph.TensorContext;
import io.tensornio.graph.TensorGraph;
import io.tensornio.op.Operand;
import io.tensornio.op.Ops;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every row of the table of functions is a function of the language, of F, of graphs, of Ops and of NamedTensor, and everywhere the same. */
class FunctionsTest {
    private static final Pattern ROW = Pattern.compile("(\\w+)\\(([\\w, ]+)\\) (\\w+)(?: -> \\S+)?");
    private static final Axis D = Axis.of("D", 3);
    /** Where all functions of fractions have a value, but for acosh, which has one at the last alone. */
    private static final float[][] FRACTIONS = {{0.25f, 0.5f, 1}, {0.75f, 0.5f, 0.125f}, {0.8f, 0.5f, 2}};
    private static final long[][] INTEGERS = {{5, -6, 7}, {3, 1, -2}, {4, 4, 4}};

    /** A row of the table. */
    private static final class Row {
        private final String name;
        private final int count;
        private final boolean isOfIntegers;
        /** What it is called in a place, or null. */
        private final Map<String, String> names = new HashMap<>();

        Row(Matcher row) {
            name = row.group(1);
            count = row.group(2).split(", ").length;
            isOfIntegers = row.group(3).equals("INTEGER");
        }

        String in(String place) {
            return names.getOrDefault(place, name);
        }

        TensorData<?> operand(int n) {
            return isOfIntegers ? LongTensorData.of(INTEGERS[n], 3) : FloatTensorData.of(FRACTIONS[n], 3);
        }

        /** What a comprehension of its word computes. */
        String expected() {
            String text = IntStream.range(0, count).mapToObj(n -> "abc".charAt(n) + "[i]")
                .collect(Collectors.joining(", ", "y[i] = " + name + "(", ")"));
            try (Results r = Comprehension.of(text).run(IntStream.range(0, count).mapToObj(this::operand).toArray())) {
                return shown(r.get("y"));
            }
        }
    }

    private static List<Row> table() throws IOException {
        List<Row> table = new ArrayList<>();
        for (String line : Files.readAllLines(Paths.get("java/src/main/ops/functions.txt"), StandardCharsets.UTF_8)) {
            Matcher row = ROW.matcher(line);
            String[] words = line.trim().split(" ");
            if (row.matches()) {
                table.add(new Row(row));
            } else if (line.startsWith("    not in ")) {
                Arrays.stream(words).skip(2).forEach(place -> table.get(table.size() - 1).names.put(place, null));
            } else if (line.startsWith("    ") && words.length == 3 && words[1].equals("in")) {
                table.get(table.size() - 1).names.put(words[2], words[0]);
            }
        }
        assertTrue(table.size() > 50, () -> "only " + table.size());
        return table;
    }

    private static String shown(Tensor<?> tensor) {
        return tensor.dataType() + Arrays.deepToString(new Object[] {tensor.toNested()});
    }

    private static Method method(Class<?> type, String name, int parameters, Class<?> first) {
        List<Method> found = Arrays.stream(type.getMethods()).filter(m -> m.getName().equals(name) && m.getParameterCount() == parameters
            && (parameters == 0 || m.getParameterTypes()[0] == first)).collect(Collectors.toList());
        assertEquals(1, found.size(), () -> type.getName() + "." + name);
        return found.get(0);
    }

    @Test
    void everyWordOfTheNativeSideHasARow() throws IOException {
        Set<String> words = new TreeSet<>(Collections.singletonList("clip"));      // which is made of two others as it is read
        Matcher word = Pattern.compile("\\(\"(\\w+)\", (?:Unary|Binary)::").matcher(new String(
            Files.readAllBytes(Paths.get("rust/compute/src/parse/words.rs")), StandardCharsets.UTF_8));
        while (word.find()) {
            words.add(word.group(1));
        }
        assertEquals(words, table().stream().map(row -> row.name).collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void comprehensionsInJavaWriteItsWord() throws Exception {
        for (Row one : table()) {
            Object[] arguments = IntStream.range(0, one.count).mapToObj(n -> Expr.of(n + 2)).toArray();
            Expr made = (Expr) method(F.class, one.name, one.count, Expr.class).invoke(null, arguments);
            assertEquals(one.name + Arrays.toString(arguments).replace('[', '(').replace(']', ')'), made.toString());
        }
    }

    @Test
    void operationsComputeIt() throws Exception {
        for (Row one : table()) {
            if (one.in("math") != null) {
                try (Ops tf = Ops.create()) {
                    Object[] operands = IntStream.range(0, one.count).mapToObj(n -> one.isOfIntegers ? tf.constant(INTEGERS[n])
                        : tf.constant(FRACTIONS[n])).toArray();
                    Operand<?> y = (Operand<?>) method(tf.math.getClass(), one.in("math"), one.count, Operand.class).invoke(tf.math, operands);
                    assertEquals(one.expected(), shown(y.asTensor()), one.name);
                }
            }
        }
    }

    @Test
    void namedTensorsComputeIt() throws Exception {
        for (Row one : table()) {
            if (one.in("named") != null) {
                NamedTensor[] operands = IntStream.range(0, one.count).mapToObj(n -> NamedTensor.of(one.operand(n), D)).toArray(NamedTensor[]::new);
                Method method = method(NamedTensor.class, one.in("named"), one.count - 1, NamedTensor.class);
                NamedTensor y = (NamedTensor) method.invoke(operands[0], (Object[]) Arrays.copyOfRange(operands, 1, one.count));
                assertEquals(one.expected(), shown(y.materialize()), one.name);
            }
        }
    }

    @Test
    void graphsComputeIt() throws Exception {
        for (Row one : table()) {
            if (one.in("graph") != null) {
                TensorContext t = new TensorContext();
                Object[] operands = IntStream.range(0, one.count).mapToObj(n -> t.constant(one.operand(n))).toArray();
                Sym y = (Sym) method(F.class, one.name, one.count, Mappable.class).invoke(null, operands);
                try (ComputeGraph cg = new TensorGraph(t.scalar(), y).compile(); Tensor<?> value = cg.eval(null, y)) {
                    assertEquals(one.expected(), shown(value), one.name);
                }
            }
        }
    }
}
