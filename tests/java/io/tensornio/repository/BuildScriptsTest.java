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
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The scripts of the build run on Gradle 4.4.1 and are written for 8 and 9, of which at most one is there to run them: what only some of these
 * have is in gradle/compat.gradle alone.
 */
class BuildScriptsTest {
    private static final Pattern NOT_EVERYWHERE = Pattern.compile("(?<![\\w.])(project\\.)?(java)?exec\\s*[({]|\\bbuildDir\\b|\\barchivesBaseName\\b"
        + "|\\barchive(BaseName|Classifier|Extension)\\b|\\.(baseName|classifier)\\s*=[^=]|\\b(destinationDir|archivePath|mainClassName)\\b"
        + "|\\btasks\\.(register|named|create)\\b|\\buseJUnitPlatform\\b|\\bconvention\\b|\\b(file|dir)Mode\\b|\\b(file|dir)Permissions\\b"
        + "|^\\s*(compile|runtime|testCompile|testRuntime)\\s+['\"]|\\bexec(utionR|R)esult\\b|\\bJavaVersion\\.current\\b");

    private static List<Path> scripts() throws IOException {
        List<Path> scripts = new ArrayList<>(Arrays.asList(Paths.get("build.gradle"), Paths.get("settings.gradle")));
        for (String project : projects()) {
            scripts.add(Paths.get(project, "build.gradle"));
        }
        try (Stream<Path> adapters = Files.list(Paths.get("adapters"))) {
            adapters.map(adapter -> adapter.resolve("build.gradle")).filter(Files::exists).forEach(scripts::add);
        }
        try (Stream<Path> files = Files.list(Paths.get("gradle"))) {
            files.filter(file -> file.toString().endsWith(".gradle") && !file.endsWith("compat.gradle")).forEach(scripts::add);
        }
        return scripts;
    }

    private static List<String> projects() throws IOException {
        Matcher include = Pattern.compile("(?m)^include (.*)$").matcher(text(Paths.get("settings.gradle")));
        assertTrue(include.find(), "settings.gradle includes nothing");
        return Arrays.stream(include.group(1).split(",\\s*")).map(name -> name.replace("'", "")).collect(Collectors.toList());
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    @Test
    void whatDiffersBetweenGradlesIsInOneFile() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path script : scripts()) {
            int number = 0;
            for (String line : text(script).split("\n")) {
                number++;
                if (NOT_EVERYWHERE.matcher(line.replaceFirst("(^|\\s)//.*", "")).find()) {
                    found.add(script + ":" + number + ": " + line.trim());
                }
            }
        }
        assertEquals(Collections.emptyList(), found);
    }

    /** `project :name` stands in the tree of CONTRIBUTING.md, and its folder has what Gradle needs. */
    @Test
    void theTreeNamesEachProject() throws IOException {
        String contributing = text(Paths.get("CONTRIBUTING.md"));
        for (String project : projects()) {
            assertTrue(Files.exists(Paths.get(project, "build.gradle")), project + " has no build.gradle");
            assertTrue(Pattern.compile("(?m)^    " + project + "/ +the project :" + project + "\\b").matcher(contributing).find(),
                "CONTRIBUTING.md does not say what :" + project + " is");
        }
    }
}
