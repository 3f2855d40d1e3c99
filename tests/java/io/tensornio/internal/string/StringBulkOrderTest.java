package io.tensornio.internal.string;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.internal.memory.Workers;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import io.tensornio.support.Texts;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings that are put many at a time, in order and not: where they are encoded together, and where they go, is nobody's business. */
@ExtendWith(MemoryBalance.class)
class StringBulkOrderTest {
    private static final int LENGTH = 12;
    private static final byte PADDING = ' ';

    /**
     * Many of the padded ones are as long as can be; of the others some are about as long as batches and pieces can be. One of {@code rare} is no
     * ASCII.
     */
    private static String text(Random random, boolean isPadded, int rare) {
        if (random.nextInt(rare) == 0) {
            int i = random.nextInt(8);
            return i == 7 ? "\ud83d\ude00" : Texts.repeat("\u00e9\u0141\u20ac?\0\u007f\u0080".charAt(i), random.nextInt(5));
        }
        char c = (char) ('a' + random.nextInt(26));
        if (isPadded) {
            return Texts.repeat(c, random.nextInt(3) == 0 ? random.nextInt(LENGTH) : LENGTH);
        }
        int kind = random.nextInt(2_000);
        return Texts.repeat(c, kind > 20 ? random.nextInt(40) : kind > 1 ? random.nextInt(4_200) : 16_300 + random.nextInt(40_000));
    }

    private static Tensor<String> tensor(boolean isPadded, int count, Consumer<StringTensorData> init) {
        long[] shape = {count};
        return isPadded ? Tensors.denseString(shape, LENGTH, PADDING, init) : Tensors.denseString(shape, init);
    }

    private static void check(StringTensorData data, byte[][] expected) {
        for (int n = 0; n < expected.length; n++) {
            int at = n;
            assertArrayEquals(expected[n], data.getBytes(n), () -> "element " + at);
        }
    }

    /** One program: the model is what each element's bytes are. */
    private static final class Program {
        final Random random;
        final StringBuilder done;
        final boolean isPadded;
        final int rare;
        final byte[][] model;
        final StringTensorData others;
        int next;

        Program(Random random, StringBuilder done) {
            this.random = random;
            this.done = done;
            isPadded = random.nextBoolean();
            rare = random.nextInt(3) == 0 ? 3 : 1 << random.nextInt(13);
            model = new byte[random.nextInt(3) == 0 ? random.nextInt(100) : random.nextInt(6_000)][];
            Arrays.fill(model, new byte[0]);
            byte[][] values = new byte[500][];
            Arrays.setAll(values, i -> random.nextInt(rare) == 0 ? new byte[] {'x', (byte) 0xe2, (byte) 0x82} : Texts.utf8(text(random, true, rare)));
            others = StringTensorData.ofBytes(values);
            done.append(isPadded ? " padded " : " ").append(model.length).append(", one of ").append(rare);
        }

        /** Where to go on: mostly behind the last. */
        int place() {
            return random.nextInt(12) == 0 ? random.nextInt(model.length) : Math.min(next, model.length - 1);
        }

        StringTensorData part(StringTensorData data, int at, int n) {
            return data.slice(TensorIndex.range(at, at + n));
        }

        void step(StringTensorData data) {
            int at = place();
            int n = Math.min(random.nextInt(4) == 0 ? random.nextInt(1_500) : random.nextInt(70), model.length - at);
            int kind = random.nextInt(7);
            done.append("; ").append(kind).append(": ").append(n).append(" at ").append(at);
            String[] texts = new String[n];
            Arrays.setAll(texts, i -> text(random, isPadded, rare));
            switch (kind) {
                case 0:
                case 1:
                    data.put(texts, at);
                    set(at, texts);
                    break;
                case 2:
                    for (int i = 0; i < n; i++) {
                        data.put(texts[i], at + i);
                    }
                    set(at, texts);
                    break;
                case 3:
                    if (n > 0) {
                        refused(data, at, texts);
                    }
                    break;
                case 4: {
                    // Another's: an array, or rows of it in any order.
                    int m = Math.min(n, 500);
                    StringTensorData from = random.nextBoolean() ? part(others, 500 - m, m) : part(others, 0, m).slice(TensorIndex.flip());
                    part(data, at, m).put(from);
                    for (int i = 0; i < m; i++) {
                        set(at + i, from.getBytes(i));
                    }
                    break;
                }
                case 5: {
                    // Its own, which may be what is written, and beyond what was.
                    int from = random.nextInt(model.length - n + 1);
                    byte[][] before = Arrays.copyOfRange(model, from, from + n);
                    part(data, at, n).put(part(data, from, n));
                    for (int i = 0; i < n; i++) {
                        set(at + i, before[i]);
                    }
                    break;
                }
                default: {
                    // Every second one.
                    StringTensorData some = part(data, at, n).slice(TensorIndex.even());
                    int m = (n + 1) / 2;
                    some.put(StringTensorData.of(Arrays.copyOf(texts, m)));
                    for (int i = 0; i < m; i++) {
                        set(at + 2 * i, Texts.utf8(texts[i]));
                    }
                }
            }
        }

        void set(int at, String... texts) {
            for (int i = 0; i < texts.length; i++) {
                set(at + i, Texts.utf8(texts[i]));
            }
        }

        void set(int at, byte[] bytes) {
            model[at] = bytes;
            next = Math.max(next, at + 1);
        }

        /** A value that cannot be written is named, and the others are not written. */
        void refused(StringTensorData data, int at, String... texts) {
            int bad = random.nextInt(texts.length);
            if (random.nextInt(4) == 0) {
                texts[bad] = null;
                Expect.thrown(NullPointerException.class, () -> data.put(texts, at), "null among the values", "[" + (at + bad) + "]");
            } else if (isPadded && random.nextBoolean()) {
                texts[bad] = random.nextBoolean() ? Texts.repeat('b', LENGTH + 1) : "ends with ";
                Expect.thrown(IllegalArgumentException.class, () -> data.put(texts, at), "[" + (at + bad) + "]");
            } else {
                texts[bad] = Texts.repeat('b', random.nextInt(20)) + (random.nextBoolean() ? "\ud83f" : "\udc41");
                Expect.thrown(IllegalArgumentException.class, () -> data.put(texts, at), "unpaired surrogate", "[" + (at + bad) + "]");
            }
        }
    }

    @Test
    void randomPrograms() {
        Seeds.each(1, 60, (random, done) -> {
            Program program = new Program(random, done);
            try (Tensor<String> tensor = tensor(program.isPadded, program.model.length, data -> {
                for (int steps = random.nextInt(150); steps > 0 && program.model.length > 0; steps--) {
                    program.step(data);
                    if (random.nextInt(10) == 0) {
                        check(data, program.model);
                    }
                }
            })) {
                check(tensor.stringData(), program.model);
                try (Tensor<String> copy = Tensors.create(tensor.stringData())) {
                    check(copy.stringData(), program.model);
                    assertEquals(Arrays.stream(program.model).mapToLong(b -> Long.BYTES + b.length).sum() + Long.BYTES, copy.numBytes());
                }
            }
        });
    }

    /** Parts of a user's array, whether its elements lie one after the other or not. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void copiesOfPartsOfAnArray(boolean isPadded) {
        String[] texts = new String[70];
        Arrays.setAll(texts, i -> "text " + i);
        StringTensorData from = StringTensorData.of(texts);
        StringTensorData[] parts = {from, from.slice(TensorIndex.from(7)), from.slice(TensorIndex.range(30, 33)), from.slice(TensorIndex.flip()),
            from.slice(TensorIndex.step(2)), from.slice(TensorIndex.incl(69, 0, 1))};
        int[][] expected = {{0, 1, 70}, {7, 1, 63}, {30, 1, 3}, {69, -1, 70}, {0, 2, 35}};
        for (int k = 0; k < parts.length; k++) {
            StringTensorData part = parts[k];
            int[] run = k < expected.length ? expected[k] : null;
            try (Tensor<String> copy = isPadded ? Tensors.denseString(part.shape(), 8, 0, data -> data.put(part)) : Tensors.create(part)) {
                String[] own = new String[(int) part.size(0)];
                Arrays.setAll(own, i -> run == null ? texts[i == 0 ? 69 : i - 1] : texts[run[0] + i * run[1]]);
                assertArrayEquals(own, copy.stringData().stream().toArray(String[]::new));
            }
        }
        texts[41] = null;
        Expect.thrown(NullPointerException.class, () -> Tensors.create(from.slice(TensorIndex.from(5))), "[41]", "array");
        Expect.thrown(NullPointerException.class, () -> Tensors.create(from.slice(TensorIndex.flip())), "[41]", "array");
    }

    /** Around the lengths of batches and pieces, in strings and in bytes: all of them, and all but one that is refused in the end. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 5, 31, 32, 33, 64, 2_047, 2_048, 2_049, 5_000})
    void countsAroundThatOfABatch(int count) {
        for (int length : new int[] {0, 1, 7, 127, 128, 129, 2_047, 2_048, 2_049, 4_096, 8_192}) {
            countsAroundThatOfABatch(count, length, 'a');
            countsAroundThatOfABatch(count, length, '\u20ac');
        }
    }

    private static void countsAroundThatOfABatch(int count, int length, char first) {
        int n = length > 1_000 ? Math.min(count, 64) : count;
        String[] texts = new String[n];
        Arrays.setAll(texts, i -> Texts.repeat((char) (first + i % 26), length));
        String[] bad = texts.clone();
        bad[n - 1] = "\udbff";
        byte[][] expected = Arrays.stream(texts).map(Texts::utf8).toArray(byte[][]::new);
        for (int before : new int[] {0, 1, 2_048}) {
            try (Tensor<String> tensor = tensor(false, before + n, data -> {
                for (int i = 0; i < before; i++) {
                    data.put("before", i);
                }
                Expect.thrown(IllegalArgumentException.class, () -> data.put(bad, before), "unpaired surrogate", "[" + (before + n - 1) + "]");
                assertEquals("", data.get(before));
                data.put(texts, before);
            })) {
                check(tensor.stringData().slice(TensorIndex.from(before)), expected);
                if (before > 0) {
                    assertEquals("before", tensor.stringData().get(before - 1));
                }
            }
        }
    }

    /**
     * Batches of padded strings go straight to elements that are empty: a mistake in a later one makes these empty again, and leaves alone what was
     * put before, wherever that is.
     */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 31, 32, 40, 150, 199})
    void paddedElementsAreAsTheyWereBeforeAMistake(int filled) {
        byte[][] before = new byte[200][];
        Arrays.setAll(before, i -> Texts.utf8(i == filled ? "here" : ""));
        String[] texts = new String[200];
        Arrays.setAll(texts, i -> Texts.repeat((char) ('a' + i % 26), i % 3 == 0 ? LENGTH : i % LENGTH));
        try (Tensor<String> tensor = tensor(true, 202, data -> {
            StringTensorData some = data.slice(TensorIndex.range(1, 201));
            data.put("first", 0);
            data.put("last", 201);
            if (filled >= 0) {
                some.put("here", filled);
            }
            for (int bad : new int[] {0, 1, 31, 32, 63, 64, 100, 160, 199}) {
                for (String mistake : new String[] {null, "a\ud83d", Texts.repeat('b', LENGTH + 1), "ends with "}) {
                    String[] wrong = texts.clone();
                    wrong[bad] = mistake;
                    Class<? extends Exception> type = mistake == null ? NullPointerException.class : IllegalArgumentException.class;
                    Expect.thrown(type, () -> some.put(wrong), "[" + (bad + 1) + "]");
                    check(some, before);
                }
            }
            some.put(texts);
        })) {
            check(tensor.stringData().slice(TensorIndex.range(1, 201)), Arrays.stream(texts).map(Texts::utf8).toArray(byte[][]::new));
            assertEquals("first", tensor.stringData().get(0));
            assertEquals("last", tensor.stringData().get(201));
        }
    }

    /** From none to more bytes than are copied or filled at a time. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 127, 128, 130, 4_096, 5_000})
    void paddedElementsOfEachLength(int length) {
        String[] texts = new String[70];
        Arrays.setAll(texts, i -> Texts.repeat((char) ('a' + i % 26), i % 3 == 0 ? length : i * 101 % (length + 1)));
        String[] wrong = texts.clone();
        wrong[69] = Texts.repeat('x', length + 1);
        byte[][] none = new byte[70][0];
        for (int padding : new int[] {0, ' '}) {
            try (Tensor<String> tensor = Tensors.denseString(new long[] {70}, length, padding, data -> {
                check(data, none);
                Expect.thrown(IllegalArgumentException.class, () -> data.put(wrong), "[69]", String.valueOf(length + 1));
                check(data, none);
                data.put(texts);
            })) {
                check(tensor.stringData(), Arrays.stream(texts).map(Texts::utf8).toArray(byte[][]::new));
            }
        }
    }

    /** Padded strings may be filled by several threads, each in its place: what one takes back is its own. */
    @Test
    void severalThreadsPutManyPaddedOnes() {
        int each = 500;
        String[][] texts = new String[3][each];
        for (int t = 0; t < texts.length; t++) {
            Arrays.fill(texts[t], Texts.repeat((char) ('a' + t), LENGTH));
        }
        try (Tensor<String> tensor = tensor(true, texts.length * each, data -> {
            Workers.run(texts.length, thread -> {
                String[] wrong = texts[thread].clone();
                wrong[each - 1] = "\udc41";
                for (int round = 0; round < 20; round++) {
                    Expect.thrown(IllegalArgumentException.class, () -> data.put(wrong, thread * each), "[" + (thread * each + each - 1) + "]");
                }
                data.put(texts[thread], thread * each);
            });
        })) {
            for (int i = 0; i < texts.length * each; i++) {
                assertEquals(texts[i / each][i % each], tensor.stringData().get(i));
            }
        }
    }

    /** Texts that have as many bytes as characters, or more, among those that have. */
    @Test
    void bytesThatAreCounted() {
        String[] texts = new String[100];
        Arrays.fill(texts, "plain");
        texts[40] = "\u007f\u0080";
        texts[63] = "\u0141\u4e41\u2044";
        texts[64] = "";
        texts[65] = "\u07ff\u0800\ud7ff\ue000";
        texts[66] = "\udbff\udfff\ud800\udc00";
        for (boolean isPadded : new boolean[] {false, true}) {
            try (Tensor<String> tensor = tensor(isPadded, 100, data -> data.put(texts))) {
                check(tensor.stringData(), Arrays.stream(texts).map(Texts::utf8).toArray(byte[][]::new));
            }
        }
    }

    /** Of several that cannot be written, the first is named. */
    @ParameterizedTest
    @ValueSource(ints = {4, 5, 40, 100})
    void theFirstOfSeveralMistakes(int count) {
        String[] texts = new String[count];
        Arrays.fill(texts, "plain");
        texts[1] = "much longer than it may be";
        texts[count - 1] = "\ud83d";
        try (Tensor<String> tensor = tensor(true, count, data -> {
            Expect.thrown(IllegalArgumentException.class, () -> data.put(texts), "26 bytes", "[1]");
            texts[1] = "short";
            Expect.thrown(IllegalArgumentException.class, () -> data.put(texts), "unpaired surrogate", "[" + (count - 1) + "]");
            Expect.thrown(IllegalArgumentException.class, () -> data.put(StringTensorData.of(texts)), "unpaired surrogate", "[" + (count - 1) + "]");
            texts[count - 1] = null;
            texts[1] = "\ude00";
            Expect.thrown(IllegalArgumentException.class, () -> data.put(texts), "unpaired surrogate", "[1]");
        })) {
            assertEquals(0, tensor.stringData().stream().filter(text -> !text.isEmpty()).count());
        }
    }

    /** Half a pair of surrogates at the end of a text, and the other at the beginning of the next, are two halves. */
    @ParameterizedTest
    @ValueSource(ints = {3, 5, 33, 100})
    void pairsOfSurrogatesThatAreTwoTexts(int count) {
        String[] texts = new String[count];
        Arrays.fill(texts, "plain");
        texts[count - 2] = "half\ud83d";
        texts[count - 1] = "\ude00half";
        try (Tensor<String> tensor = tensor(false, count, data -> {
            Expect.thrown(IllegalArgumentException.class, () -> data.put(texts), "unpaired surrogate U+D83D at index 4", "[" + (count - 2) + "]");
            texts[count - 2] = "whole\ud83d\ude00";
            Expect.thrown(IllegalArgumentException.class, () -> data.put(texts), "unpaired surrogate U+DE00 at index 0", "[" + (count - 1) + "]");
            texts[count - 1] = "\ud83d\ude00whole";
            data.put(texts);
            String[] halves = texts.clone();
            halves[0] = "half\ud83d";
            halves[1] = "";
            halves[2] = "\ude00half";
            Expect.thrown(IllegalArgumentException.class, () -> data.put(halves), "unpaired surrogate U+D83D at index 4", "[0]");
            Expect.thrown(IllegalArgumentException.class, () -> data.put(StringTensorData.of(halves)), "unpaired surrogate U+D83D at index 4", "[0]");
        })) {
            check(tensor.stringData(), Arrays.stream(texts).map(Texts::utf8).toArray(byte[][]::new));
        }
    }

    /** Rows of a matrix, and a matrix of rows. */
    @Test
    void rowsAndNestedArrays() {
        String[][] nested = new String[70][90];
        for (int i = 0; i < 70; i++) {
            for (int j = 0; j < 90; j++) {
                nested[i][j] = i + " and " + j;
            }
        }
        try (Tensor<String> rows = Tensors.denseString(new long[] {70, 90}, data -> {
            for (int i = 0; i < 70; i++) {
                data.put(nested[i], i);
            }
        }); Tensor<String> all = Tensors.ofNested(nested);
             Tensor<String> flipped = Tensors.create(rows.stringData().slice(TensorIndex.flip()))) {
            assertEquals("69 and 89", rows.stringData().get(69, 89));
            assertEquals(rows.stringData(), all.stringData());
            assertEquals("69 and 88", flipped.stringData().get(0, 88));
            assertArrayEquals(nested, (String[][]) rows.stringData().toNested());
        }
    }
}
