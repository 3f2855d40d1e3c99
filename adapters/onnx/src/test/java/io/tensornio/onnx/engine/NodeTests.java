package io.tensornio.onnx.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs ONNX's own tests, which its wheel has, and compares what becomes of each with a golden list: {@code NodeTests WHEEL GOLDEN}. With
 * {@code accept} behind, the list is written instead.
 */
public final class NodeTests {
    private static final List<String> FOLDERS = Arrays.asList("node", "simple", "pytorch-converted", "pytorch-operator");

    private NodeTests() {
    }

    /** Runs all, or with `-Donly=REGEX` some, whose outcomes are printed alone. */
    public static void main(String... arguments) throws IOException {
        List<String> outcomes = new ArrayList<>();
        String only = System.getProperty("only");
        try (FileSystem wheel = FileSystems.newFileSystem(Paths.get(arguments[0]), (ClassLoader) null)) {
            for (String folder : FOLDERS) {
                try (Stream<Path> cases = Files.list(wheel.getPath("onnx/backend/test/data", folder))) {
                    for (Path one : cases.sorted().collect(Collectors.toList())) {
                        String name = folder + "/" + one.getFileName().toString().replace("/", "");
                        if (only == null || name.matches(".*(" + only + ").*")) {
                            outcomes.add(name + " " + new NodeCase(one).outcome());
                        }
                    }
                }
            }
        }
        long passed = outcomes.stream().filter(line -> line.endsWith(" pass")).count();
        long bad = outcomes.stream().filter(line -> line.contains(" wrong: ")).count();
        System.out.println(passed + " of " + outcomes.size() + " of ONNX's tests pass, " + bad + " give wrong values");
        Path golden = Paths.get(arguments[1]);
        if (only != null) {
            outcomes.forEach(System.out::println);
        } else if (arguments.length > 2) {
            Files.write(golden, outcomes, StandardCharsets.UTF_8);
        } else {
            List<String> expected = Files.readAllLines(golden, StandardCharsets.UTF_8);
            List<String> changed = new ArrayList<>(outcomes);
            changed.removeAll(expected);
            if (!changed.isEmpty() || expected.size() != outcomes.size()) {
                changed.forEach(System.out::println);
                System.out.println("these differ from " + golden);
                System.exit(1);
            }
        }
    }
}
