package io.tensornio.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** CONTRIBUTING.md names what there is. Tests run in the project's directory. */
class ContributingTest {
    private static final String INDENT = "    ";

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

    @Test
    void everyPathOfTheTreeExists() throws IOException {
        List<String> named = named(tree());
        assertTrue(named.contains("java/src/main/java/io/tensornio/internal/data/"), () -> "the tree is written in another way: " + named);
        assertEquals(Collections.emptyList(), named.stream().filter(name -> !exists(name)).collect(Collectors.toList()));
    }
}
