package io.tensornio.internal.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The table of layouts that holds Java's rules and Rust's together. */
class LayoutRulesTest {
    private static long[] numbers(String text) {
        return Arrays.stream(text.trim().split("\\s+")).filter(number -> !number.isEmpty()).mapToLong(Long::parseLong).toArray();
    }

    /** The layout whose shape is a certain part, before its strides. */
    private static Layout layout(String[] parts, int at, boolean hasOffset) {
        return new Layout(hasOffset ? numbers(parts[at + 2])[0] : 0, numbers(parts[at]), numbers(parts[at + 1]));
    }

    @Test
    void theRulesAreThoseOfTheTable() throws IOException {
        int cases = 0;
        for (String line : Files.readAllLines(Paths.get("tests/layouts.txt"), StandardCharsets.UTF_8)) {
            if (line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split("\\|", -1);
            switch (parts[0].trim()) {
                case "row-major":
                    assertArrayEquals(numbers(parts[2]), Layout.rowMajorStrides(numbers(parts[1])), line);
                    assertTrue(Layout.rowMajor(numbers(parts[1])).isContiguous(), line);
                    break;
                case "contiguous":
                    assertEquals(parts[3].trim().equals("yes"), layout(parts, 1, false).isContiguous(), line);
                    break;
                case "bounds":
                    Layout bounded = layout(parts, 1, true);
                    assertArrayEquals(numbers(parts[4]), new long[] {bounded.lowest(), bounded.highest()}, line);
                    break;
                case "merge":
                    long[] sizes = numbers(parts[1]);
                    long[] one = numbers(parts[2]);
                    long[] other = numbers(parts[3]);
                    int kept = Planes.merge(sizes, one, other);
                    assertArrayEquals(numbers(parts[4]), Arrays.copyOf(sizes, kept), line);
                    assertArrayEquals(numbers(parts[5]), Arrays.copyOf(one, kept), line);
                    assertArrayEquals(numbers(parts[6]), Arrays.copyOf(other, kept), line);
                    break;
                case "overlap":
                    assertEquals(parts[7].trim().equals("yes"), layout(parts, 1, true).overlaps(layout(parts, 4, true)), line);
                    break;
                default:
                    fail("no rule: " + line);
            }
            cases++;
        }
        assertTrue(cases > 30);
    }
}
