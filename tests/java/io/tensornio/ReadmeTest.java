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
import java.util.List;
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
    @TempDir
    Path directory;

    @Test
    void readmeShowsWhatItsCodeDoes() throws IOException {
        List<ReadmeBlock> blocks = ReadmeBlock.all("java");
        assertTrue(blocks.size() >= 5, "README.md has " + blocks.size() + " blocks of Java");
        for (ReadmeBlock block : blocks) {
            String text = String.join("\n", block.lines);
            assertTrue(!block.expected().isEmpty() || text.contains("// throws "),
                "the block at line " + block.line + " says nothing that can be checked");
        }
    }

    @TestFactory
    List<DynamicTest> everyBlockRuns() throws IOException {
        return ReadmeBlock.all("java").stream().map(block -> dynamicTest("README.md:" + block.line, () -> run(block))).collect(Collectors.toList());
    }

    private void run(ReadmeBlock block) throws Exception {
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

    private String output(ReadmeBlock block) throws Exception {
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
