package io.tensornio.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The packages of the implementation: each uses those below it alone, so that what is above can be changed without a look at what is below. */
class PackagesTest {
    /** What each package may use. */
    private static final Map<String, List<String>> BELOW = new HashMap<>();

    static {
        BELOW.put("layout", Arrays.asList());
        BELOW.put("memory", Arrays.asList("layout"));
        BELOW.put("element", Arrays.asList("memory", "layout"));
        BELOW.put("string", Arrays.asList("element", "memory", "layout"));
        BELOW.put("ragged", Arrays.asList("element", "memory", "layout"));
        BELOW.put("sparse", Arrays.asList("element", "memory", "layout"));
        BELOW.put("print", Arrays.asList("ragged", "element", "layout"));
        BELOW.put("data", Arrays.asList("string", "ragged", "sparse", "element", "memory", "layout"));
    }

    private static final Path ROOT = Paths.get("java/src/main/java/io/tensornio/internal");
    private static final Pattern USE = Pattern.compile("io\\.tensornio\\.internal\\.(\\w+)\\.\\w+");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> list = Files.list(folder)) {
            return list.sorted().collect(Collectors.toList());
        }
    }

    @Test
    void arrowsPointDown() throws IOException {
        List<String> wrong = new ArrayList<>();
        int uses = 0;
        for (String name : BELOW.keySet()) {
            for (Path file : list(ROOT.resolve(name))) {
                String code = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
                Matcher use = USE.matcher(COMMENT.matcher(code).replaceAll(""));
                while (use.find()) {
                    uses++;
                    if (!use.group(1).equals(name) && !BELOW.get(name).contains(use.group(1))) {
                        wrong.add(file.getFileName() + " uses " + use.group());
                    }
                }
            }
        }
        assertEquals(new ArrayList<>(), wrong);
        assertTrue(uses > 100, "only " + uses + " were found");
    }

    @Test
    void everyFileIsInOneOfThem() throws IOException {
        TreeSet<String> found = new TreeSet<>();
        for (Path path : list(ROOT)) {
            found.add(path.getFileName().toString());
        }
        TreeSet<String> known = new TreeSet<>(BELOW.keySet());
        known.add("package-info.java");
        assertEquals(known, found);
    }
}
