package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.RaggedTensor;
import io.tensornio.StringTensorData;
import io.tensornio.Tensors;
import io.tensornio.support.MemoryBalance;
import java.lang.reflect.Field;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The bytes of a ragged tensor of strings whose texts are replaced again and again: at most a few times the bytes of the current texts. */
@ExtendWith(MemoryBalance.class)
class StringRowArenaBytesTest {
    private static final int ROWS = 20;
    /** What a chunk has at most, unless a text needs more, and what may be dropped before anybody looks. */
    private static final int CHUNK = 1 << 18;

    private static Object field(Object of, String name) {
        try {
            Field field = of.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** The bytes that the chunks have. */
    private static long held(StringRowArena arena) {
        long held = 0;
        for (byte[] chunk : (byte[][]) field(field(arena, "store"), "chunks")) {
            held += chunk == null ? 0 : chunk.length;
        }
        return held;
    }

    private static String text(int n, int length) {
        StringBuilder text = new StringBuilder().append(n);
        while (text.length() < length) {
            text.append((char) ('a' + (n + text.length()) % 26));
        }
        return text.toString();
    }

    /** Rows that are put, and what they should be. */
    private static final class Model {
        final String[][] rows = new String[ROWS][0];
        private final StringTensorData data;
        private final StringRowArena arena;
        private long used;

        Model(StringTensorData data) {
            this.data = data;
            arena = (StringRowArena) ((StringData) data).source();
        }

        void put(int i, String... row) {
            data.put(row, i);
            for (String old : rows[i]) {
                used -= old.length();
            }
            for (String text : row) {
                used += text.length();
            }
            rows[i] = row;
            check();
        }

        void put(int i, int j, String text) {
            data.put(text, i, j);
            used += text.length() - rows[i][j].length();
            rows[i][j] = text;
            check();
        }

        /**
         * Bytes that no text has are dropped once they are more than half, and more than a chunk. What a chunk has free when the next one is begun is
         * less than what the next one begins with, so that at most as much again is free.
         */
        private void check() {
            long most = 2 * Math.max(CHUNK, 2 * used + 1) + CHUNK;
            long held = held(arena);
            assertTrue(held <= most, () -> held + " bytes for texts of " + used + ", " + most + " would do");
        }
    }

    @Test
    void rowsThatAreReplacedByLongerOnes() {
        Model[] model = {null};
        try (RaggedTensor<String> tensor = Tensors.raggedString(new long[] {ROWS, -1}, data -> {
            model[0] = new Model(data);
            for (int n = 0; n < 60; n++) {
                for (int i = 0; i < ROWS; i++) {
                    String[] row = new String[1 + n / 3];
                    for (int j = 0; j < row.length; j++) {
                        row[j] = text(n + i + j, 10 * n);
                    }
                    model[0].put(i, row);
                }
            }
        })) {
            assertArrayEquals(model[0].rows, tensor.toNested(String[][].class));
        }
    }

    @Test
    void textsThatAreReplacedByLongerOnes() {
        Model[] model = {null};
        try (RaggedTensor<String> tensor = Tensors.raggedString(new long[] {ROWS, -1}, data -> {
            model[0] = new Model(data);
            for (int i = 0; i < ROWS; i++) {
                model[0].put(i, "", "", "");
            }
            for (int n = 0; n < 150; n++) {
                for (int i = 0; i < ROWS; i++) {
                    model[0].put(i, n % 3, text(n + i, 20 * n));
                }
            }
        })) {
            assertArrayEquals(model[0].rows, tensor.toNested(String[][].class));
        }
    }

    /** Each of them needs more than half of a chunk, or one of its own. */
    @Test
    void longTextsAndSuchAsAreNone() {
        Random random = new Random(5);
        Model[] model = {null};
        try (RaggedTensor<String> tensor = Tensors.raggedString(new long[] {ROWS, -1}, data -> {
            model[0] = new Model(data);
            for (int n = 0; n < 300; n++) {
                int i = random.nextInt(ROWS);
                model[0].put(i, random.nextInt(3) == 0 ? new String[0] : new String[] {text(n, CHUNK / 2 + random.nextInt(CHUNK)), "", text(n, 30)});
            }
        })) {
            assertArrayEquals(model[0].rows, tensor.toNested(String[][].class));
        }
    }
}
