package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What GraalVM's native-image is told of classes that are found by name, held against the sources that find them. Run in the project's directory. */
class NativeImageTest {
    private static final Path METADATA = Paths.get("java/src/main/resources/META-INF/native-image/io.tensornio/tensornio");

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Set<String> all(String pattern, String text) {
        Set<String> found = new TreeSet<>();
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    private static Set<String> described(String file) {
        return all("(?m)^  \\{\"name\": \"([^\"]+)\"", read(METADATA.resolve(file)));
    }

    private static String sources(String root, String end) throws IOException {
        try (Stream<Path> files = Files.walk(Paths.get(root))) {
            List<Path> some = files.filter(file -> file.toString().endsWith(end)).collect(Collectors.toList());
            return some.stream().map(NativeImageTest::read).collect(Collectors.joining("\n"));
        }
    }

    @Test
    void everyClassThatNativeCodeFindsIsDescribed() throws IOException {
        Set<String> found = all("c\"(\\[[A-Z]|(?:java|io)/[\\w/]+)\"", sources("rust/jni/src", ".rs")).stream()
            .map(name -> name.replace('/', '.')).filter(name -> !name.endsWith(".NoSuchClass")).collect(Collectors.toCollection(TreeSet::new));
        assertTrue(found.size() > 20, () -> "they are found in another way: " + found);
        assertEquals(found, described("jni-config.json"));
    }

    @Test
    void everyClassOfTheLibraryThatJavaFindsIsDescribed() throws IOException {
        Set<String> found = all("Class\\.forName\\(\"(io\\.tensornio\\.[\\w.]+)\"", sources("java/src/main/java", ".java"));
        assertTrue(found.size() >= 2, () -> "they are found in another way: " + found);
        assertTrue(described("reflect-config.json").containsAll(found), () -> found + " in " + METADATA.resolve("reflect-config.json"));
    }

    @Test
    void everyDescribedClassExists() throws ClassNotFoundException {
        for (String file : new String[] {"jni-config.json", "reflect-config.json"}) {
            for (String name : described(file)) {
                if (Forked.feature() >= 9 || !name.startsWith("java.lang.System$")) {
                    Class.forName(name, false, getClass().getClassLoader());
                }
            }
        }
    }
}
