package io.tensornio.repository;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs each block of Java of the page of images. */
class ImagesPageTest {
    @TempDir
    Path directory;

    @TestFactory
    List<DynamicTest> everyJavaBlockRuns() {
        List<CodeBlock> blocks = Page.of(Paths.get(System.getProperty("tensornio.test.root", ".")), "images.md").blocks("java");
        assertTrue(blocks.size() >= 2);
        return new CodeRunner(directory).tests(blocks);
    }
}
