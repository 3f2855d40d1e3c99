package io.tensornio.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.ByteArrayOutputStream;
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

/** Compiles and runs examples of Java, each by itself, in a directory. */
final class CodeRunner {
    private final Path directory;

    CodeRunner(Path directory) {
        this.directory = directory;
    }

    /** A test of each block. */
    List<DynamicTest> tests(List<CodeBlock> blocks) {
        return blocks.stream().map(block -> dynamicTest(block.where(), () -> run(block))).collect(Collectors.toList());
    }

    /** Fails if a block does not compile without a warning, or does not run, or throws or prints anything but what it says. */
    void run(CodeBlock block) throws Exception {
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

    private String output(CodeBlock block) throws Exception {
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
