package io.tensornio.internal.print;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorFormat;
import io.tensornio.Tensors;
import io.tensornio.support.MemoryBalance;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
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
            case FLOAT16: return "float16";
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
            case FLOAT16:
                return Tensors.denseFloat(type, shape,
                    data -> data.scalars().onEach(() -> FloatTensorData.ofFloat16(new short[] {(short) Integer.parseInt(next.get(), 16)}).get(0)));
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

    /** BFLOAT16, which NumPy does not have, prints by the rule of FLOAT16, and other integers as those of NumPy's types here do. */
    @ParameterizedTest
    @EnumSource(names = {"FLOAT", "DOUBLE", "INT32", "INT64", "BOOL", "UINT8", "STRING", "FLOAT16"})
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

    @Test
    void everyHalfAsNumPyDoes() throws Exception {
        int blocks = 0;
        for (String line : Files.readAllLines(Paths.get("tests/golden/numpy-print.txt"), StandardCharsets.UTF_8)) {
            if (!line.startsWith("=== half ")) {
                continue;
            }
            String[] words = line.split(" ");
            int high = Integer.parseInt(words[2], 16);
            StringBuilder texts = new StringBuilder();
            for (int n = 0; n < 256; n++) {
                FloatTensorData one = FloatTensorData.ofFloat16(new short[] {(short) (high << 8 | n)});
                texts.append(n == 0 ? "" : "\n").append(one.toString(TensorFormat.DEFAULT.withoutHeader()));
            }
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(texts.toString().getBytes(StandardCharsets.UTF_8));
            assertEquals(words[3], String.format("%016x", ByteBuffer.wrap(digest).getLong()), () -> "of " + words[2] + ":\n" + texts);
            blocks++;
        }
        assertEquals(256, blocks);
    }

    /** The shortest digits that tell a number from its neighbours; those beyond are of the exact value. */
    @Test
    void brainFloatsByTheSameRule() {
        assertEquals("BFLOAT16[3] [0.1, 1. , 2.5]", FloatTensorData.ofBFloat16(new short[] {0x3dcd, 0x3f80, 0x4020}).toString());
        assertEquals("BFLOAT16[1] [1.e+02]", FloatTensorData.ofBFloat16(new short[] {0x42c8}).toString());
        assertEquals("BFLOAT16[1] [0.1001]", FloatTensorData.ofBFloat16(new short[] {0x3dcd}).toString(TensorFormat.DEFAULT.withFixedPrecision(4)));
        assertEquals("BFLOAT16[1] [3.39e+38]", FloatTensorData.ofBFloat16(new short[] {0x7f7f}).toString());
    }
}
