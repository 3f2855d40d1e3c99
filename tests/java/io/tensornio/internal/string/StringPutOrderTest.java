package io.tensornio.internal.string;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.MemoryStats;
import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import io.tensornio.support.Texts;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings of any length that are put in order, as far as that goes: where they are while they are collected is nobody's business. */
@ExtendWith(MemoryBalance.class)
class StringPutOrderTest {
    /** Most are short, some as long as pieces are, some longer; some are no ASCII, some no Latin. */
    private static String text(Random random) {
        char c = random.nextInt(6) > 0 ? (char) ('a' + random.nextInt(26)) : "\u00e9\u20ac?\0\u007f\u0080".charAt(random.nextInt(6));
        int kind = random.nextInt(400);
        return Texts.repeat(c, kind > 20 ? random.nextInt(40) : kind > 1 ? random.nextInt(5_000) : 16_300 + random.nextInt(40_000));
    }

    private static void check(StringTensorData data, String... expected) {
        for (int n = 0; n < expected.length; n++) {
            assertEquals(expected[n], data.get(n), "element " + n);
            assertArrayEquals(Texts.utf8(expected[n]), data.getBytes(n));
        }
    }

    /** Runs of elements in order, here and there with one out of order, read back now and then, against an array. */
    @Test
    void randomPrograms() {
        Seeds.each(0, 60, (random, done) -> {
            int count = random.nextInt(4) == 0 ? random.nextInt(4) : random.nextInt(6_000);
            String[] expected = new String[count];
            Arrays.fill(expected, "");
            int oneOf = 1 << random.nextInt(16);
            int end = random.nextInt(3) == 0 ? random.nextInt(count + 1) : count;
            try (Tensor<String> tensor = Tensors.denseString(new long[] {count}, data -> {
                for (int n = 0; n < end; n++) {
                    expected[n] = text(random);
                    if (random.nextBoolean()) {
                        data.put(expected[n], n);
                    } else {
                        data.putBytes(Texts.utf8(expected[n]), n);
                    }
                    int other = random.nextInt(count);
                    if (random.nextInt(50) == 0) {
                        assertEquals(expected[other], data.get(other));
                        assertEquals(expected[n], data.get(n));
                    }
                    if (random.nextInt(oneOf) == 0 && oneOf > 1) {
                        expected[other] = text(random);
                        data.put(expected[other], other);
                    }
                }
                check(data, expected);
            })) {
                check(tensor.stringData(), expected);
                long bytes = Arrays.stream(expected).mapToLong(s -> Texts.utf8(s).length).sum();
                assertEquals(Long.BYTES * (count + 1L) + bytes, tensor.numBytes());
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 17, 2047, 2048, 2049, 5000})
    void asManyAsAreAndFewer(int count) {
        for (int put : new int[] {0, count / 2, count}) {
            try (Tensor<String> tensor = Tensors.denseString(new long[] {count}, data -> {
                for (int n = 0; n < put; n++) {
                    data.put("", n);
                }
                for (int n = 0; n < put; n++) {
                    assertEquals("", data.get(n));
                }
            })) {
                assertEquals(Long.BYTES * (count + 1L), tensor.numBytes());
                tensor.stringData().scalars().forEach(text -> assertEquals("", text));
            }
        }
    }

    /** The first ones say nothing about those to come: memory is neither taken for a million as long, nor kept for them. */
    @Test
    void longOnesFirst() {
        int count = 1_000_000;
        long before = MemoryStats.current().bytesInUse();
        try (Tensor<String> tensor = Tensors.denseString(new long[] {count}, data -> {
            for (int n = 0; n < 20; n++) {
                data.put(Texts.repeat('x', 40_000), n);
            }
            long taken = MemoryStats.current().bytesInUse() - before;
            assertTrue(taken < 40_000_000, taken + " bytes for 800,000 of text");
            for (int n = 20; n < count; n++) {
                data.put("y", n);
            }
        })) {
            long kept = MemoryStats.current().bytesInUse() - before;
            assertTrue(kept < 1.2 * tensor.numBytes(), kept + " bytes for " + tensor.numBytes());
            assertEquals(Texts.repeat('x', 40_000), tensor.stringData().get(19));
            assertEquals("y", tensor.stringData().get(count - 1));
        }
    }

    /** A refused call releases the memory that it took, and later strings fit all the same. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 5_000})
    void refusedOnesKeepNoMemory(int before) {
        String[] texts = new String[2_000];
        Arrays.setAll(texts, n -> Texts.repeat((char) ('a' + n % 26), 1_000));
        String[] bad = texts.clone();
        bad[1_999] = "\ud83d";
        String[] expected = new String[before + 2_000];
        Arrays.setAll(expected, n -> n < before ? "put before that " + n : texts[n - before]);
        try (Tensor<String> tensor = Tensors.denseString(new long[] {before + 2_000}, data -> {
            for (int n = 0; n < before; n++) {
                data.put(expected[n], n);
            }
            long taken = MemoryStats.current().bytesInUse();
            for (int times = 0; times < 3; times++) {
                Expect.thrown(IllegalArgumentException.class, () -> data.put(bad, before), "unpaired surrogate", "[" + (before + 1_999) + "]");
                long kept = MemoryStats.current().bytesInUse() - taken;
                assertTrue(kept < 100_000, kept + " bytes for nothing");
            }
            data.put(texts, before);
        })) {
            check(tensor.stringData(), expected);
        }
    }

    @Test
    void shortOnesFirst() {
        try (Tensor<String> tensor = Tensors.denseString(new long[] {3_000}, data -> {
            for (int n = 0; n < 3_000; n++) {
                data.put(Texts.repeat((char) ('a' + n % 26), n), n);
            }
        })) {
            for (int n = 0; n < 3_000; n++) {
                assertEquals(Texts.repeat((char) ('a' + n % 26), n), tensor.stringData().get(n));
            }
        }
    }

    /** What was refused is not there, and the next one is put in its place. */
    @Test
    void refusedOnesLeaveNothing() {
        try (Tensor<String> tensor = Tensors.denseString(new long[] {2_000}, data -> {
            for (int n = 0; n < 2_000; n++) {
                int at = n;
                String bad = Texts.repeat('b', n % 50) + "\ud800" + Texts.repeat('b', n % 7);
                Expect.thrown(IllegalArgumentException.class, () -> data.put(bad, at), "unpaired surrogate", "[" + n + "]");
                assertThrows(NullPointerException.class, () -> data.put(null, at));
                assertEquals("", data.get(n));
                data.put("good " + n, n);
            }
        })) {
            for (int n = 0; n < 2_000; n++) {
                assertEquals("good " + n, tensor.stringData().get(n));
            }
        }
    }

    /** A failure releases what was taken on the way: see {@link MemoryBalance}. */
    @ParameterizedTest
    @ValueSource(ints = {0, 10, 5_000})
    void initThatFails(int after) {
        IllegalStateException failed = new IllegalStateException("init");
        assertEquals(failed, assertThrows(IllegalStateException.class, () -> Tensors.denseString(new long[] {10_000}, data -> {
            for (int n = 0; n < after; n++) {
                data.put("some text that takes memory " + n, n);
            }
            throw failed;
        })));
    }

    @Test
    void rowByRowAndColumnByColumn() {
        try (Tensor<String> rows = Tensors.denseString(new long[] {70, 90}, data -> {
            for (int i = 0; i < 70; i++) {
                for (int j = 0; j < 90; j++) {
                    data.put(i + " and " + j, i, j);
                }
            }
        }); Tensor<String> columns = Tensors.denseString(new long[] {70, 90}, data -> {
            for (int j = 0; j < 90; j++) {
                for (int i = 0; i < 70; i++) {
                    data.slice(TensorIndex.all(), TensorIndex.at(j)).put(i + " and " + j, i);
                }
            }
        })) {
            assertEquals("69 and 89", rows.stringData().get(69, 89));
            assertEquals(rows.stringData(), columns.stringData());
        }
    }

    /** Around the lengths that a piece has, by text and by bytes, alone and between others. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255, 256, 257, 1023, 1024, 4095, 4096, 4097, 16_383, 16_384, 16_385, 32_768, 65_535, 65_536})
    void lengthsAroundThatOfAPiece(int length) {
        for (int before : new int[] {0, 1, 2047, 2048}) {
            String[] expected = new String[before + 5];
            Arrays.fill(expected, "");
            expected[before] = Texts.repeat('a', length);
            expected[before + 1] = Texts.repeat('b', length);
            expected[before + 2] = "\u20ac";
            expected[before + 3] = Texts.repeat('c', length) + "\u00e9";
            for (int end : new int[] {before + 1, expected.length}) {
                String[] some = Arrays.copyOf(expected, end);
                try (Tensor<String> tensor = Tensors.denseString(new long[] {end}, data -> {
                    for (int n = 0; n < end; n++) {
                        data.put(some[n], n);
                    }
                    check(data, some);
                }); Tensor<String> other = Tensors.denseString(new long[] {end}, data -> {
                    StringTensorIterator scalars = data.scalars();
                    for (String text : some) {
                        scalars.put(text);
                    }
                    data.put(some[0], 0);               // out of order
                    check(data, some);
                })) {
                    check(tensor.stringData(), some);
                    check(other.stringData(), some);
                    assertEquals(0, tensor.bytes().remaining() - tensor.offsets().get(end));
                }
            }
        }
    }

    @Test
    void whatInitWasGivenAfterwards() {
        StringTensorData[] kept = new StringTensorData[2];
        Tensor<String> tensor = Tensors.denseString(new long[] {3}, data -> {
            kept[0] = data;
            kept[1] = data.slice(TensorIndex.all());
            data.put("one", 0);
        });
        for (StringTensorData data : kept) {
            check(data, "one", "", "");
            assertTrue(data.isReadOnly());
            assertThrows(ReadOnlyBufferException.class, () -> data.put("two", 1));
            assertThrows(ReadOnlyBufferException.class, () -> data.put("two", 2));
        }
        check(tensor.stringData(), "one", "", "");
        tensor.close();
        for (StringTensorData data : kept) {
            assertThrows(TensorClosedException.class, () -> data.get(0));
            assertThrows(TensorClosedException.class, () -> data.getBytes(2));
            assertThrows(TensorClosedException.class, () -> data.put("two", 1));
        }
        assertThrows(ArithmeticException.class, () -> Tensors.denseString(new long[] {3}, data -> {
            kept[0] = data;
            data.put(Texts.repeat('x', 100_000), 0);
            throw new ArithmeticException();
        }));
        assertThrows(TensorClosedException.class, () -> kept[0].get(0));
        assertThrows(TensorClosedException.class, () -> kept[0].put("two", 1));
    }
}
