package io.tensornio.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.TensorIndex;
import io.tensornio.compute.F;
import io.tensornio.graph.Comprehensions;
import io.tensornio.op.Ops;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tables of the guide list all that there is of their subject. Tests run in the project's directory. */
class GuideTablesTest {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern WORD = Pattern.compile("[A-Za-z]\\w*");

    private static Set<String> publicMethods(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods()).filter(m -> Modifier.isPublic(m.getModifiers()) && !m.isSynthetic()).map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The words of code in the rows of a page's tables that begin with a text. */
    private static Set<String> words(String page, String row) throws IOException {
        Set<String> words = new TreeSet<>();
        for (String line : Files.readAllLines(Paths.get("docs", page), StandardCharsets.UTF_8)) {
            for (Matcher code = CODE.matcher(line); line.startsWith(row) && code.find();) {
                for (Matcher word = WORD.matcher(code.group(1)); word.find();) {
                    words.add(word.group());
                }
            }
        }
        return words;
    }

    private static Set<String> missing(Set<String> names, String page) throws IOException {
        Set<String> missing = new TreeSet<>(names);
        missing.removeAll(words(page, "|"));
        return missing;
    }

    @Test
    void operations() throws Exception {
        int fields = 0;
        for (Field field : Ops.class.getFields()) {
            Set<String> listed = words("operations.md", "| `" + field.getName() + "` |");
            Set<String> methods = publicMethods(field.getType());
            if (!methods.contains(field.getName())) {
                listed.remove(field.getName());
            }
            assertEquals(methods, listed, field.getName());
            fields++;
        }
        assertTrue(fields > 0);
    }

    @Test
    void indices() throws IOException {
        assertEquals(Collections.emptySet(), missing(publicMethods(TensorIndex.class), "slice.md"));
    }

    @Test
    void functionsOfTheLanguage() throws IOException {
        Set<String> functions = publicMethods(F.class);
        functions.removeAll(Arrays.asList("cast", "value"));        // a word for each type; a loop that is a number, which has no word
        assertEquals(Collections.emptySet(), missing(functions, "comprehensions.md"));
    }

    @Test
    void layers() throws IOException {
        assertEquals(Collections.emptySet(), missing(publicMethods(Comprehensions.class), "training.md"));
    }
}
