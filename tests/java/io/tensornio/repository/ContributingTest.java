package io.tensornio.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** CONTRIBUTING.md names what there is. Tests run in the project's directory. */
class ContributingTest {
    private static final String INDENT = "    ";
    /** The key of all sources of Rust; no class has this name. */
    private static final String RUST = "*.rs";
    private static final List<String> JDK = Collections.singletonList("String");

    /** The lines of the block of code below the heading, without its indent. */
    private static List<String> tree() throws IOException {
        List<String> lines = Files.readAllLines(Paths.get("CONTRIBUTING.md"), StandardCharsets.UTF_8);
        int heading = lines.indexOf("## The tree");
        assertTrue(heading >= 0, "no heading `## The tree`");
        List<String> block = new ArrayList<>();
        for (String line : lines.subList(heading + 1, lines.size())) {
            if (line.startsWith(INDENT)) {
                block.add(line.substring(INDENT.length()));
            } else if (!block.isEmpty()) {
                break;
            }
        }
        return block;
    }

    /**
     * What the lines name. A line has paths, and after them what is there; the columns are two spaces apart, at least. Paths of an indented line are
     * below the one of the last that is not. A word with a slash among what is said is a path, too.
     */
    private static List<String> named(List<String> lines) {
        List<String> paths = new ArrayList<>();
        String above = "";
        for (String line : lines) {
            boolean isBelow = line.startsWith(" ");
            String[] columns = line.trim().split(" {2,}");
            assertTrue(columns.length > 1, () -> "no path, or nothing about it: " + line);
            for (int n = 0; n < columns.length - 1; n++) {
                paths.add(isBelow ? above + columns[n] : columns[n]);
            }
            if (!isBelow) {
                above = columns[0];
            }
            for (String word : columns[columns.length - 1].split("[\\s,;:]+")) {
                if (word.contains("/")) {
                    paths.add(word);
                }
            }
        }
        return paths;
    }

    private static boolean exists(String name) {
        Path path = Paths.get(name);
        return name.endsWith("/") ? Files.isDirectory(path) : Files.exists(path);
    }

    /** The text of each source file, by its name, and all files of Rust together. */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        StringBuilder rust = new StringBuilder();
        for (String root : Arrays.asList("buildSrc/src", "java/src/main", "tests/java", "rust")) {
            try (Stream<Path> files = Files.walk(Paths.get(root))) {
                for (Path file : files.filter(Files::isRegularFile).collect(Collectors.toList())) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(".java")) {
                        sources.merge(name.replace(".java", ""), new String(Files.readAllBytes(file), StandardCharsets.UTF_8), String::concat);
                    } else if (name.endsWith(".rs")) {
                        rust.append(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
                    }
                }
            }
        }
        sources.put(RUST, rust.toString());
        return sources;
    }

    /** Whether code names a path of the project, or a class or method; true of all else. */
    private static boolean isThere(String code, Map<String, String> sources) {
        if (code.matches("[\\w./]+/[\\w./]*")) {
            return Stream.of("", "java/src/main/java/io/tensornio/").anyMatch(above -> exists(above + code));
        }
        Matcher member = Pattern.compile("([A-Z]\\w*[a-z]\\w*)\\.(\\w+)(\\(.*\\))?").matcher(code);
        if (member.matches()) {
            return Pattern.compile("\\b" + member.group(2) + "\\(").matcher(sources.getOrDefault(member.group(1), "")).find();
        }
        return !code.matches("[A-Z]\\w*[a-z]\\w*") || JDK.contains(code) || sources.containsKey(code)
            || Pattern.compile("\\b(struct|enum|trait) " + code + "\\b").matcher(sources.get(RUST)).find();
    }

    @Test
    void theStepsNameWhatThereIs() throws IOException {
        Map<String, String> sources = sources();
        String text = new String(Files.readAllBytes(Paths.get("CONTRIBUTING.md")), StandardCharsets.UTF_8);
        List<String> gone = new ArrayList<>();
        int steps = text.indexOf("## How to add");
        assertTrue(steps >= 0, "no heading `## How to add ...`");
        String end = "## Unsafe code";
        for (Matcher code = Pattern.compile("`([^`\n]+)`").matcher(text.substring(steps, text.indexOf(end))); code.find();) {
            if (!isThere(code.group(1), sources)) {
                gone.add(code.group(1));
            }
        }
        assertEquals(Collections.emptyList(), gone);
    }

    @Test
    void everyPathOfTheTreeExists() throws IOException {
        List<String> named = named(tree());
        assertTrue(named.contains("java/src/main/java/io/tensornio/internal/data/"), () -> "the tree is written in another way: " + named);
        assertEquals(Collections.emptyList(), named.stream().filter(name -> !exists(name)).collect(Collectors.toList()));
    }
}
