package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The library as a C compiler sees it: {@code examples/c} and {@code docs/c.md} against {@code include/tensornio.h}, and what it exports. Skipped
 * where the programs for that are missing, and for libraries of another platform. What each function does is tested in {@code tests/rust/capi}.
 */
class CApiTest {
    private static final Path LIBRARY = Paths.get(System.getProperty("tensornio.library"));

    @TempDir
    Path folder;

    private String run(String... command) throws IOException, InterruptedException {
        Path said = folder.resolve("said");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), () -> Arrays.toString(command));
        String text = new String(Files.readAllBytes(said), StandardCharsets.UTF_8);
        assertEquals(0, process.exitValue(), () -> Arrays.toString(command) + ": " + text);
        return text;
    }

    private static void assumeProgram(String name) {
        boolean isThere = Arrays.stream(System.getenv("PATH").split(File.pathSeparator)).anyMatch(path -> new File(path, name).canExecute());
        assumeTrue(isThere, () -> "no " + name + " is on the PATH");
        assumeTrue(LIBRARY.toString().endsWith(".so") && Files.isRegularFile(LIBRARY), () -> LIBRARY + " is not of this system");
    }

    /** What a program prints that is compiled with all warnings, as errors. */
    private String compiledAndRun(String compiler, String standard, Path source) throws IOException, InterruptedException {
        assumeProgram(compiler);
        String program = folder.resolve("program").toString();
        String libraries = LIBRARY.toAbsolutePath().getParent().toString();
        run(compiler, "-std=" + standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", "include", source.toString(),
            "-L", libraries, "-Wl,-rpath," + libraries, "-ltensornio", "-o", program);
        return run(program);
    }

    @Test
    void theExampleCompilesAsC99AndComputes() throws Exception {
        assertEquals(String.join("\n",
            "A B", " 4 5", " 10 11",
            "its transpose", " 4 10", " 5 11",
            "A A: C: index k is 3 by A axis 1 and 2 by B axis 0",
            "max(x - 6, 0)", " 0 4", " 0 5",
            "again: program: program 2 was released", ""),
            compiledAndRun("cc", "c99", Paths.get("examples/c/product.c")));
    }

    /** The header is for C++, too. */
    @Test
    void theHeaderCompilesAsCpp() throws Exception {
        Path source = folder.resolve("version.cpp");
        Files.write(source, Arrays.asList(
            "#include \"tensornio.h\"", "#include \"tensornio.h\"", "#include <cstdio>",
            "int main() { tensornio_tensor t = {0}; std::puts(tensornio_version()); return tensornio_tensor_release(t); }"));
        assertTrue(compiledAndRun("c++", "c++11", source).matches("\\d+\\.\\d+\\.\\d+\n"));
    }

    /** Every block of C on the page is a program, or the body of one. */
    @Test
    void theExamplesOfThePageRun() throws Exception {
        String page = new String(Files.readAllBytes(Paths.get("docs/c.md")), StandardCharsets.UTF_8);
        Matcher block = Pattern.compile("```c\\n(.*?)```", Pattern.DOTALL).matcher(page);
        int blocks = 0;
        while (block.find()) {
            String code = block.group(1);
            List<String> expected = new ArrayList<>();
            Matcher prints = Pattern.compile("// prints (.*)").matcher(code);
            while (prints.find()) {
                expected.add(prints.group(1));
            }
            Path source = folder.resolve("page.c");
            String body = code.contains("int main") ? code : "int main(void)\n{\n" + code + "return 0;\n}\n";
            String head = "#include <stdio.h>\n#include <stdlib.h>\n#include \"tensornio.h\"\n";
            Files.write(source, (head + body).getBytes(StandardCharsets.UTF_8));
            String printed = compiledAndRun("cc", "c99", source);
            assertEquals(expected, Arrays.asList(printed.trim().split("\n")), code);
            blocks++;
        }
        assertTrue(blocks > 0, "docs/c.md has no example");
    }

    /** What is exported is what Java calls, and the header: names of Rust's would be promises, and clash with those of other libraries. */
    @Test
    void nothingIsExportedButJniAndTheHeader() throws Exception {
        assumeProgram("readelf");
        TreeSet<String> functions = new TreeSet<>();
        for (String line : run("readelf", "--dyn-syms", "-W", LIBRARY.toString()).split("\n")) {
            String[] columns = line.trim().split("\\s+");
            // Number, value, size, type, binding, visibility, section, name.
            if (columns.length >= 8 && columns[6].matches("\\d+") && !columns[4].equals("LOCAL")) {
                functions.add(columns[7].replaceFirst("@.*", ""));
            }
        }
        String header = new String(Files.readAllBytes(Paths.get("include/tensornio.h")), StandardCharsets.UTF_8);
        TreeSet<String> promised = new TreeSet<>();
        Matcher function = Pattern.compile("\\b(tensornio_\\w+)\\(").matcher(header.replaceAll("(?s)/\\*.*?\\*/", ""));
        while (function.find()) {
            promised.add(function.group(1));
        }
        assertTrue(functions.removeIf(name -> name.matches("JNI_On(Load|Unload)|Java_io_tensornio_\\w+")), "nothing for Java");
        assertEquals(promised, functions);
    }
}
