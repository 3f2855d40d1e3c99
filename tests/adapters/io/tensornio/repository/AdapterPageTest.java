package io.tensornio.repository;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs each block of Java of the page of an adapter, which its build script names. */
class AdapterPageTest {
    @TempDir
    Path directory;

    @TestFactory
    List<DynamicTest> everyJavaBlockRuns() {
        List<CodeBlock> blocks = Page.of(System.getProperty("tensornio.test.page")).blocks("java");
        assertTrue(blocks.size() >= 2);
        return new CodeRunner(directory).tests(blocks);
    }
}
