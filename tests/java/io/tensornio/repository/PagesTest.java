package io.tensornio.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;

import io.tensornio.support.MemoryBalance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * README.md and every page in docs: compiles and runs each {@code java} block by itself, and checks what it says about itself. In all pages of
 * the project, every link leads somewhere.
 */
class PagesTest {
    /** Shell, Gradle and the like are indented by four spaces, or say what they are. Whatever else stands behind a fence would not be tested. */
    private static final List<String> FENCES = Arrays.asList("java", "kotlin", "scala", "c", "sh", "groovy", "xml", "text");

    /** Pages whose examples the tests of an adapter run. */
    private static final List<String> ELSEWHERE = Arrays.asList("docs/images.md", "docs/onnx.md");

    @TempDir
    Path directory;

    @Test
    void everyJavaBlockSaysWhatItDoes() throws IOException {
        List<String> silent = new ArrayList<>();
        for (Page page : Page.guide()) {
            for (CodeBlock block : page.blocks("java")) {
                if (block.expected().isEmpty() && !String.join("\n", block.lines).contains("// throws ")) {
                    silent.add(block.where());
                }
            }
        }
        assertEquals(Collections.emptyList(), silent, "these say nothing that can be checked");
        assertTrue(Page.guide().get(0).blocks("java").size() >= 5);
    }

    @TestFactory
    List<DynamicContainer> everyJavaBlockRuns() throws IOException {
        CodeRunner runner = new CodeRunner(directory);
        return Page.guide().stream().filter(page -> !ELSEWHERE.contains(page.name())).map(page -> dynamicContainer(page.name(),
            runner.tests(page.blocks("java")))).collect(Collectors.toList());
    }

    @Test
    void everyFenceNamesALanguageThatIsKnown() throws IOException {
        for (Page page : Page.all()) {
            for (String language : page.languages()) {
                assertTrue(FENCES.contains(language), page.name() + " has a block of '" + language + "', expected one of " + FENCES);
            }
        }
    }

    @Test
    void everyLinkLeadsToAFileAndAHeading() throws IOException {
        Map<Path, Set<String>> anchors = new HashMap<>();
        for (Page page : Page.all()) {
            anchors.put(page.path, page.anchors());
        }
        List<String> dead = new ArrayList<>();
        for (Page page : Page.all()) {
            page.forEachLink((link, line) -> {
                if (!link.matches("\\w+:.*") && !resolves(page.path, link, anchors)) {
                    dead.add(page.name() + ":" + line + ": " + link);
                }
            });
        }
        assertEquals(Collections.emptyList(), dead);
    }

    private static boolean resolves(Path from, String link, Map<Path, Set<String>> anchors) {
        String[] parts = link.split("#", 2);
        Path to = parts[0].isEmpty() ? from : from.resolveSibling(parts[0]).normalize();
        return Files.exists(to) && (parts.length == 1 || anchors.containsKey(to) && anchors.get(to).contains(parts[1]));
    }

    /** Examples need not close what they make. */
    @AfterAll
    static void settle() {
        MemoryBalance.settleSmall();
    }
}
