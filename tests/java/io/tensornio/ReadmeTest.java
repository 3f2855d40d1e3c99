package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs every {@code java} block of README.md by itself, and checks what it says about itself. */
class ReadmeTest {
    @TempDir
    Path directory;

    @Test
    void readmeShowsWhatItsCodeDoes() throws IOException {
        List<CodeBlock> blocks = CodeBlock.readme("java");
        assertTrue(blocks.size() >= 5, "README.md has " + blocks.size() + " blocks of Java");
        for (CodeBlock block : blocks) {
            String text = String.join("\n", block.lines);
            assertTrue(!block.expected().isEmpty() || text.contains("// throws "),
                "the block at line " + block.line + " says nothing that can be checked");
        }
    }

    @TestFactory
    List<DynamicTest> everyBlockRuns() throws IOException {
        return CodeBlock.readme("java").stream().map(block -> dynamicTest(block.where(), () -> new CodeRunner(directory).run(block)))
            .collect(Collectors.toList());
    }
}
