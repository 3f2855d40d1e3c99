package io.tensornio.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tensornio.support.MemoryBalance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiles and runs every example of the public Javadoc, of each type. An example is a {@code <pre>} with code; it may use data that it does not
 * make: {@code data} of shape (2, 3), {@code matrix} of shape (3, 2), both of its own type, or of float where it has none; {@code image} and
 * {@code images} of float; and {@code keep}, three booleans.
 */
class JavadocTest {
    /** A later one has the classes that are made of an earlier one. Tests run in the project's directory. */
    private static final List<String> SOURCES = Arrays.asList("java/src/main/java", "build/generated/java", "build/generated/exemplars");

    private static final List<String> TYPES = Arrays.asList("Float", "Double", "Int", "Long", "Boolean", "Byte", "String");

    @TempDir
    Path directory;

    @TestFactory
    List<DynamicTest> everyExampleRuns() throws IOException {
        return blocks().stream().map(block -> dynamicTest(block.where(), () -> new CodeRunner(directory).run(block))).collect(Collectors.toList());
    }

    /** Each type tells by an example how its elements are read and written. */
    @Test
    void eachTypeHasExamples() throws IOException {
        List<String> places = blocks().stream().map(CodeBlock::where).collect(Collectors.toList());
        for (String type : TYPES) {
            for (String name : Arrays.asList(type + "TensorData.java", type + "TensorIterator.java", type + "TensorElements.java",
                "Abstract" + type + "TensorData.java")) {
                assertTrue(places.stream().anyMatch(place -> place.startsWith(name + ":")), "no example in " + name);
            }
        }
    }

    /** One that was written in another way would not be seen. */
    @Test
    void everyExampleIsSeen() throws IOException {
        int count = 0;
        for (Path file : files().values()) {
            count += (int) Files.readAllLines(file, StandardCharsets.UTF_8).stream().filter(line -> line.contains("<pre>")).count();
        }
        assertEquals(count, blocks().size());
    }

    /** Examples need not close what they make. */
    @AfterAll
    static void settle() {
        MemoryBalance.settleSmall();
    }

    private static Map<String, Path> files() throws IOException {
        Map<String, Path> files = new TreeMap<>();
        for (String source : SOURCES) {
            try (Stream<Path> some = Files.list(Paths.get(source, "io", "tensornio"))) {
                some.filter(file -> file.toString().endsWith(".java")).forEach(file -> files.put(file.getFileName().toString(), file));
            }
        }
        return files;
    }

    private static List<CodeBlock> blocks() throws IOException {
        List<CodeBlock> blocks = new ArrayList<>();
        for (Map.Entry<String, Path> file : files().entrySet()) {
            CodeBlock open = null;
            int number = 0;
            for (String line : Files.readAllLines(file.getValue(), StandardCharsets.UTF_8)) {
                number++;
                String text = line.trim();
                if (text.equals("* <pre>{@code")) {
                    open = new CodeBlock(file.getKey(), number, given(file.getKey()));
                    blocks.add(open);
                } else if (text.equals("* }</pre>")) {
                    open = null;
                } else if (open != null) {
                    open.lines.add(text.replaceFirst("^\\* ?", ""));
                }
            }
        }
        return blocks;
    }

    /** The data that an example of a file may use. */
    private static List<String> given(String file) {
        String own = file.replaceFirst("^Abstract", "").replaceFirst("Tensor.*", "");
        String type = TYPES.contains(own) ? own : "Float";
        String element = type.equals("String") ? type : type.toLowerCase(Locale.ROOT);
        String six = type.equals("String") ? "\"a\", \"b\", \"c\", \"d\", \"e\", \"f\""
            : type.equals("Boolean") ? "true, false, true, true, false, false"
            : "1, 2, 3, 4, 5, 6";
        String data = "static " + type + "TensorData %s = " + type + "TensorData.of(new " + element + "[] {" + six + "}, %s);";
        return Arrays.asList(String.format(data, "data", "2, 3"), String.format(data, "matrix", "3, 2"),
            "static FloatTensorData image = FloatTensorData.of(new float[40 * 30], 40, 30);",
            "static FloatTensorData images = FloatTensorData.of(new float[2 * 40 * 30 * 3], 2, 40, 30, 3);",
            "static boolean[] keep = {true, false, true};");
    }
}
