package io.tensornio.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tensornio.internal.memory.Forked;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What README.md and the pages in docs show in Kotlin and in Scala is a part of the tour in that language, to the letter, and the tour prints what
 * it says. The build compiles the tours, and tells for which languages it had a compiler.
 */
class LanguagesTest {
    @TestFactory
    Stream<DynamicTest> blocksArePartsOfTheTours() throws IOException {
        return Stream.of(test("kotlin"), test("scala"));
    }

    private static final Map<String, String> TOURS = new TreeMap<>();
    static {
        TOURS.put("kotlin", "KotlinTour.kt");
        TOURS.put("scala", "ScalaTour.scala");
    }

    private static Path file(String language) {
        return Paths.get("examples", language, "io", "tensornio", "examples", TOURS.get(language));
    }

    private static DynamicTest test(String language) throws IOException {
        Path file = file(language);
        List<String> program = withPlainComments(Files.readAllLines(file, StandardCharsets.UTF_8));
        List<CodeBlock> blocks = Page.guide().stream().flatMap(page -> page.blocks(language).stream()).collect(Collectors.toList());
        return dynamicTest(language, () -> {
            assertTrue(blocks.size() >= 2, "the pages have " + blocks.size() + " blocks of " + language);
            for (CodeBlock block : blocks) {
                Map<Boolean, List<String>> imports = block.lines.stream().collect(Collectors.partitioningBy(CodeBlock::isImport));
                imports.get(true).forEach(line -> assertTrue(program.contains(line), file + " has no " + line));
                List<String> part = withPlainComments(imports.get(false));
                if (part.get(0).isEmpty()) {
                    part = part.subList(1, part.size());
                }
                assertTrue(isPart(part, program), file + " has no part like the block at " + block.where());
            }
        });
    }

    /** With one space before a comment, which may stand further to the left on the page. */
    private static List<String> withPlainComments(List<String> lines) {
        return lines.stream().map(line -> line.replaceFirst("(\\S) +// ", "$1 // ")).collect(Collectors.toList());
    }

    /** Whether lines stand in a program one after the other, all indented by the same. */
    private static boolean isPart(List<String> part, List<String> program) {
        for (int at = 0; at + part.size() <= program.size(); at++) {
            String first = program.get(at);
            String indent = first.substring(0, first.length() - first.trim().length());
            List<String> indented = part.stream().map(line -> line.isEmpty() ? line : indent + line).collect(Collectors.toList());
            if (program.subList(at, at + part.size()).equals(indented)) {
                return true;
            }
        }
        return false;
    }

    @TestFactory
    Stream<DynamicTest> toursPrintWhatTheySay() {
        List<String> compiled = Arrays.asList(System.getProperty("tensornio.test.languages", "").split(","));
        return Stream.of("kotlin", "scala").map(language -> dynamicTest(language, () -> {
            assumeTrue(compiled.contains(language), "the build did not compile it");
            Class<?> tour = Class.forName("io.tensornio.examples." + (language.equals("kotlin") ? "KotlinTourKt" : "ScalaTour"));
            CodeBlock program = new CodeBlock(TOURS.get(language), 0, Collections.emptyList());
            program.lines.addAll(Files.readAllLines(file(language), StandardCharsets.UTF_8));
            assertEquals(program.expected(), Forked.with().run(tour).replace(System.lineSeparator(), "\n"));
        }));
    }

    /** By this Kotlin knows that nothing is null: without it, every result would be a type of which it cannot say. */
    @Test
    void theJarSaysThatNothingIsNull() throws IOException {
        String jar = System.getProperty("tensornio.test.jar");
        assumeTrue(jar != null, "not run by the build");
        try (JarFile file = new JarFile(jar)) {
            ZipEntry entry = file.getEntry("io/tensornio/package-info.class");
            assertNotNull(entry);
            byte[] bytes = new byte[(int) entry.getSize()];
            new DataInputStream(file.getInputStream(entry)).readFully(bytes);
            assertTrue(new String(bytes, StandardCharsets.ISO_8859_1).contains("Lorg/jspecify/annotations/NullMarked;"));
            assertEquals(52, bytes[7]);                         // Java 8 can read it
        }
    }

    /** The lines that say so do not compile, and no other: the build writes down what the compiler said. */
    @Test
    void kotlinRefusesNull() throws IOException {
        List<String> compiled = Arrays.asList(System.getProperty("tensornio.test.languages", "").split(","));
        assumeTrue(compiled.contains("kotlin"), "the build did not compile it");
        List<String> program = Files.readAllLines(Paths.get("tests", "refused", "kotlin", "Nulls.kt"), StandardCharsets.UTF_8);
        Set<Integer> meant = new TreeSet<>();
        for (int i = 0; i < program.size(); i++) {
            if (program.get(i).endsWith("// refused")) {
                meant.add(i + 1);
            }
        }
        Set<Integer> refused = new TreeSet<>();
        String said = new String(Files.readAllBytes(Paths.get("build", "kotlin-refused.txt")), StandardCharsets.UTF_8);
        Matcher errors = Pattern.compile("Nulls\\.kt:(\\d+):\\d+: error: ").matcher(said);
        while (errors.find()) {
            refused.add(Integer.valueOf(errors.group(1)));
        }
        assertTrue(meant.size() > 1);
        assertEquals(meant, refused, said);
    }
}
