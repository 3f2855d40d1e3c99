package io.tensornio.internal.print;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorFormat;
import io.tensornio.Tensors;
import io.tensornio.support.MemoryBalance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tensors are printed as NumPy printed them into tests/golden/numpy-print.txt. */
@ExtendWith(MemoryBalance.class)
class PrintGoldenTest {
    /** NumPy's names, by the ordinals of the types. */
    private static String name(DataType type) {
        switch (type) {
            case FLOAT: return "float32";
            case DOUBLE: return "float64";
            default: return type.name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    private static Tensor<?> tensor(DataType type, long[] shape, String[] values) {
        int[] n = {0};
        java.util.function.Supplier<String> next = () -> values[n[0]++ % values.length];
        switch (type) {
            case FLOAT:
                return Tensors.denseFloat(shape, data -> data.scalars().onEach(() -> Float.intBitsToFloat(Integer.parseUnsignedInt(next.get(), 16))));
            case DOUBLE:
                return Tensors.denseDouble(shape,
                    data -> data.scalars().onEach(() -> Double.longBitsToDouble(Long.parseUnsignedLong(next.get(), 16))));
            case INT32:
                return Tensors.denseInt(shape, data -> data.scalars().onEach(() -> Integer.parseInt(next.get())));
            case INT64:
                return Tensors.denseLong(shape, data -> data.scalars().onEach(() -> Long.parseLong(next.get())));
            case STRING:
                return Tensors.denseString(shape, data -> data.scalars().onEach(() -> new String(bytes(next.get()), StandardCharsets.UTF_8)));
            case BOOL:
                return Tensors.denseBoolean(shape, data -> data.scalars().onEach(() -> next.get().equals("1")));
            default:
                return Tensors.denseUInt8(shape, data -> data.scalars().onEach(() -> (byte) Integer.parseInt(next.get())));
        }
    }

    /** The bytes of hexadecimal digits behind an x. */
    private static byte[] bytes(String word) {
        byte[] bytes = new byte[word.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(word.substring(1 + 2 * i, 3 + 2 * i), 16);
        }
        return bytes;
    }

    private static TensorFormat format(String... options) {
        int[] n = Arrays.stream(options).mapToInt(Integer::parseInt).toArray();
        TensorFormat format = TensorFormat.DEFAULT.withoutHeader().withThreshold(n[2]).withEdgeItems(n[3]).withLineWidth(n[4]);
        format = n[1] == 1 ? format.withFixedPrecision(n[0]) : format.withPrecision(n[0]);
        return n[5] == 1 ? format.withSuppressSmall() : format;
    }

    @ParameterizedTest
    @EnumSource
    void asNumPyDoes(DataType type) throws IOException {
        List<String> lines = Files.readAllLines(Paths.get("tests/golden/numpy-print.txt"), StandardCharsets.UTF_8);
        int cases = 0;
        for (int at = 0; at < lines.size(); at++) {
            if (!lines.get(at).startsWith("=== " + name(type) + " ")) {
                continue;
            }
            String[] head = lines.get(at).split(" \\[|\\] ?");
            long[] shape = Arrays.stream(head[1].split(" ")).filter(s -> !s.isEmpty()).mapToLong(Long::parseLong).toArray();
            List<String> expected = new ArrayList<>();
            for (int i = at + 2; i < lines.size() && !lines.get(i).startsWith("=== "); i++) {
                expected.add(lines.get(i));
            }
            try (Tensor<?> tensor = tensor(type, shape, lines.get(at + 1).split(" "))) {
                assertEquals(String.join("\n", expected), tensor.toString(format(head[2].split(" "))),
                    "numpy-print.txt:" + (at + 1) + ": " + lines.get(at) + "\n" + lines.get(at + 1));
            }
            cases++;
        }
        assertTrue(cases >= 50, cases + " cases of " + type);
    }
}
