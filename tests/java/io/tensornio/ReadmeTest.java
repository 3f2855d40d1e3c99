package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiles and runs every {@code java} block of README.md by itself. What a block says about itself is checked:
 * <ul>
 * <li>{@code // prints TEXT} behind a statement, or {@code // prints} alone and the lines of text in the comments below it: the
 *     block prints this, and nothing else;
 * <li>{@code // throws NAME} or {@code // throws NAME: MESSAGE} behind a statement of one line.
 * </ul>
 */
class ReadmeTest {
    private static final Pattern THROWS = Pattern.compile("( *)(.*?;) *// throws ([\\w.]+)(?:: (.*))?");
    private static final Pattern PRINTS = Pattern.compile(".*// prints(?: (.*))?");

    @TempDir
    Path directory;

    /** One fenced block: where it begins, and its lines. */
    private static final class Block {
        final int line;
        final List<String> lines = new ArrayList<>();

        Block(int line) {
            this.line = line;
        }

        String className() {
            return "ReadmeLine" + line;
        }

        /** What the comments say that it prints. */
        String expected() {
            StringBuilder text = new StringBuilder();
            boolean below = false;
            for (String line : lines) {
                String trimmed = line.trim();
                Matcher prints = PRINTS.matcher(line);
                if (prints.matches()) {
                    below = prints.group(1) == null;
                    if (!below) {
                        text.append(prints.group(1)).append('\n');
                    }
                } else if (below && trimmed.startsWith("//")) {
                    text.append(trimmed.replaceFirst("// ?", "")).append('\n');
                } else {
                    below = false;
                }
            }
            return text.toString();
        }

        /** A class with the block's statements in its main method. */
        String source() {
            List<String> imports = new ArrayList<>(Arrays.asList("import io.tensornio.*;", "import static io.tensornio.TensorIndex.*;"));
            List<String> body = new ArrayList<>();
            for (String line : lines) {
                Matcher thrower = THROWS.matcher(line);
                if (line.startsWith("import ")) {
                    if (!imports.contains(line)) {
                        imports.add(line);
                    }
                } else if (thrower.matches()) {
                    body.add(expecting(thrower.group(2), thrower.group(3), thrower.group(4)));
                } else {
                    body.add(line);
                }
            }
            return String.join("\n", imports) + "\npublic class " + className() + " {\n"
                + "public static void main(String[] args) throws Exception {\n" + String.join("\n", body) + "\n}\n}\n";
        }

        private static String expecting(String statement, String exception, String message) {
            String check = message == null ? ""
                : "if (!\"" + message.replace("\\", "\\\\").replace("\"", "\\\"")
                    + "\".equals(e.getMessage())) throw new AssertionError(e);";
            return "boolean thrown = false; try { " + statement + " } catch (" + exception + " e) { thrown = true; " + check + " }"
                + " if (!thrown) throw new AssertionError(\"no " + exception + "\");";
        }
    }

    private static List<Block> blocks() throws IOException {
        Path readme = Paths.get("README.md");       // tests run in the project's directory
        List<Block> blocks = new ArrayList<>();
        Block open = null;
        int number = 0;
        for (String line : Files.readAllLines(readme, StandardCharsets.UTF_8)) {
            number++;
            if (open == null && line.equals("```java")) {
                open = new Block(number);
                blocks.add(open);
            } else if (line.equals("```")) {
                open = null;
            } else if (open != null) {
                open.lines.add(line);
            }
        }
        return blocks;
    }

    @Test
    void readmeShowsWhatItsCodeDoes() throws IOException {
        List<Block> blocks = blocks();
        assertTrue(blocks.size() >= 5, "README.md has " + blocks.size() + " blocks of Java");
        for (Block block : blocks) {
            String text = String.join("\n", block.lines);
            assertTrue(!block.expected().isEmpty() || text.contains("// throws "),
                "the block at line " + block.line + " says nothing that can be checked");
        }
    }

    @TestFactory
    List<DynamicTest> everyBlockRuns() throws IOException {
        return blocks().stream().map(block -> dynamicTest("README.md:" + block.line, () -> run(block))).collect(Collectors.toList());
    }

    private void run(Block block) throws Exception {
        Path source = directory.resolve(block.className() + ".java");
        Files.write(source, block.source().getBytes(StandardCharsets.UTF_8));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertNotNull(compiler, "these tests need a JDK, not a JRE");
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int status = compiler.run(null, messages, messages, "-encoding", "UTF-8", "-proc:none", "-Xlint:all", "-Xlint:-options",
            "-Xlint:-path", "-Werror", "-cp", System.getProperty("java.class.path"), "-d", directory.toString(), source.toString());
        assertEquals(0, status, messages + "\n" + block.source());
        assertEquals(block.expected(), output(block));
    }

    private String output(Block block) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()}, getClass().getClassLoader());
                PrintStream out = new PrintStream(bytes, true, "UTF-8")) {
            Method main = loader.loadClass(block.className()).getMethod("main", String[].class);
            System.setOut(out);
            main.invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause() + " in\n" + block.source(), e.getCause());
        } finally {
            System.setOut(before);
        }
        return bytes.toString("UTF-8").replace(System.lineSeparator(), "\n");
    }
}
