package io.tensornio.internal.ragged;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.from;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.tensornio.MemoryStats;
import io.tensornio.RaggedTensor;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.io.ByteArrayInputStream;
import java.io.UncheckedIOException;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** What ragged tensors of strings have beyond those of other elements: texts, bytes that are none, and how they lie in memory. */
@ExtendWith(MemoryBalance.class)
class RaggedStringTest {
    private static final byte[] RAW = {(byte) 0xff, 'a', 0};
    private static final String HALF = "a\ud800b";

    private static String[][] nested(RaggedTensor<String> tensor) {
        return tensor.toNested(String[][].class);
    }

    @Test
    void packedAsOtherStringsAre() {
        try (RaggedTensor<String> tensor = Tensors.raggedString(new long[] {3, -1}, data -> {
            data.put(new String[] {"you", "ok?"}, 2);
            data.put("h\u00e9", 0, 1);
        })) {
            assertArrayEquals(new String[][] {{"", "h\u00e9"}, {}, {"you", "ok?"}}, nested(tensor));
            Tensor<String> values = tensor.values();
            long[] offsets = new long[5];
            values.offsets().get(offsets);
            assertArrayEquals(new long[] {0, 0, 3, 6, 9}, offsets);
            byte[] text = new byte[9];
            values.bytes().get(text);
            assertArrayEquals("h\u00e9youok?".getBytes(StandardCharsets.UTF_8), text);
            assertEquals(5 * 8 + 9 + 4 * 8, tensor.numBytes());
            assertEquals("STRING[3, -1]\n[['', 'h\u00e9'], [], ['you', 'ok?']]", tensor.toString());
            values.close();                 // which is a part of the tensor
            assertEquals("you", tensor.stringData().get(2, 0));
            Expect.thrown(IllegalStateException.class, () -> values.asByteBuffer(), "offsets()");
        }
    }

    @Test
    void whatHasNoUtf8GrowsNothing() {
        try (RaggedTensor<String> tensor = Tensors.raggedString(new long[] {2, -1, -1}, data -> {
            data.put(new String[] {"a", "b"}, 1, 0);
            refused("[0, 2, 3]", () -> data.put(HALF, 0, 2, 3));
            refused("[1, 0, 2]", () -> data.slice(1).put(HALF, 0, 2));
            refused("[1, 0, 0]", () -> data.slice(1, 0).put(HALF, 0));
            refused("[1, 4, 1]", () -> data.put(new String[] {"x", HALF}, 1, 4));
            refused("[1, 0, 2]", () -> data.put(new String[] {"x", "y", HALF}, 1, 0));
            refused("[1, 0, 8]", () -> data.put(new String[] {"\u00e9", HALF}, 1, 0, 7));
            refused("[0, 0, 1]", () -> data.put(StringTensorData.of(new String[] {"x", HALF}), 0, 0));
            refused("[0, 1, 1]", () -> data.put(Stream.of("x", HALF), 0, 1));
            refused("[1, 0, 1]", () -> data.slice(all(), all(), flip()).put(HALF, 1, 0, 0));
            assertEquals(0, data.slice(0).size(0));
            assertEquals(1, data.slice(1).size(0));
        })) {
            assertArrayEquals(new String[][][] {{}, {{"a", "b"}}}, tensor.toNested(String[][][].class));
        }
        try (RaggedTensor<String> flat = Tensors.raggedString(new long[] {2, -1}, data -> {
            data.put(new String[] {"a", "b"}, 1);
            refused("[1, 0]", () -> data.put(HALF, 1, 0));
            refused("[0, 3]", () -> data.put(HALF, 0, 3));
        })) {
            assertArrayEquals(new String[][] {{}, {"a", "b"}}, nested(flat));
        }
        try (RaggedTensor<String> inner = Tensors.raggedString(new long[] {1, -1, 2, 2}, data -> {
            refused("[0, 1, 1, 0]", () -> data.put(new String[] {"0", "1", "2", "3", "4", "5", HALF, "7"}, 0));
            refused("[0, 3, 1, 1]", () -> data.put(new String[] {"0", "1", "2", HALF}, 0, 3));
            refused("[0, 3, 1, 1]", () -> data.put(new String[] {"0", HALF}, 0, 3, 1));
        })) {
            assertEquals(0, inner.numElements());
        }
    }

    private static void refused(String where, Executable put) {
        Expect.thrown(IllegalArgumentException.class, put, "unpaired surrogate U+D800 at index 1", "the element " + where + " of the shape");
    }

    @Test
    void nullsGrowNothing() {
        try (RaggedTensor<String> tensor = Tensors.raggedString(new long[] {1, -1}, data -> {
            Expect.thrown(NullPointerException.class, () -> data.put((String) null, 0, 0), "value");
            Expect.thrown(NullPointerException.class, () -> data.put((String) null, new int[] {0, 0}), "value");
            Expect.thrown(NullPointerException.class, () -> data.put(new String[] {"a", null}, 0), "null among the values");
            Expect.thrown(NullPointerException.class, () -> data.put(Stream.of("a", null), 0), "null among the values, after 1 of them");
            Expect.thrown(NullPointerException.class, () -> data.putBytes(null, 0, 0), "bytes");
            assertEquals(0, data.totalSize());
        })) {
            assertEquals(0, tensor.numElements());
        }
        Expect.thrown(NullPointerException.class, () -> RaggedTensor.fromDense(StringTensorData.of(new String[] {"a"}, 1, 1), (String) null),
            "padding");
        Expect.thrown(NullPointerException.class, () -> RaggedTensor.fromDense(StringTensorData.of(new String[] {"a"}), (String) null), "padding");
        Expect.thrown(NullPointerException.class, () -> Tensors.raggedOfNested(new String[][] {{"a"}, {"b", null}}), "[1][1] is null");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.raggedOfNested(new String[][][] {{}, {{"a"}, {"b", HALF}}}), "surrogate",
            "[1][1][1]");
    }

    /** By coordinates of the ragged tensor, not of its values; behind empty rows, too. */
    @Test
    void whereBytesAreNoText() {
        String where = "the element [3, 1, 1] of the shape [4, -1, 2]";
        try (RaggedTensor<String> tensor = Tensors.raggedString(new long[] {4, -1, 2}, data -> {
            data.put(new String[] {"a", "b"}, 0);
            data.put(new String[] {"c", "d", "e", "f"}, 3);
            data.putBytes(RAW, 3, 1, 1);
        })) {
            StringTensorData data = tensor.stringData();
            Expect.thrown(UncheckedIOException.class, () -> data.get(3, 1, 1), where);
            Expect.thrown(UncheckedIOException.class, () -> data.slice(3).get(1, 1), where);
            Expect.thrown(UncheckedIOException.class, data::toNested, where);
            Expect.thrown(UncheckedIOException.class, () -> data.copyTo(new String[6]), where);
            Expect.thrown(UncheckedIOException.class, () -> data.stream().forEach(value -> { }), where);
            Expect.thrown(UncheckedIOException.class, () -> data.slice(flip()).scalars().forEach(value -> { }), where);
            Expect.thrown(UncheckedIOException.class, () -> tensor.values().stringData().get(2, 1), where);
        }
        byte[][] bytes = {{'a'}, {'b'}, {'c'}, RAW, {'d'}};
        try (RaggedTensor<String> tensor = RaggedTensor.fromRowSplits(StringTensorData.ofBytes(bytes), new long[] {0, 0, 1, 3, 3},
            new long[] {0, 0, 1, 5})) {
            Expect.thrown(UncheckedIOException.class, () -> tensor.stringData().get(2, 1, 2), "the element [2, 1, 2] of the shape [4, -1, -1]");
        }
    }

    @Test
    void paddingWithoutUtf8() {
        StringTensorData data = StringTensorData.of(new String[] {"a", "b"}, 1, 2);
        Expect.thrown(IllegalArgumentException.class, () -> RaggedTensor.fromDense(data, HALF), "unpaired surrogate", "for the padding");
        StringTensorData closed;
        try (Tensor<String> tensor = Tensors.create(data)) {
            closed = tensor.stringData();
        }
        Expect.thrown(TensorClosedException.class, () -> RaggedTensor.fromDense(closed, HALF));
    }

    @Test
    void bytesThatAreNoText() {
        StringTensorData[] kept = {null, null};
        try (RaggedTensor<String> tensor = Tensors.raggedString(new long[] {2, -1}, data -> {
            kept[0] = data;
            data.putBytes(RAW, 1, 1);
            assertArrayEquals(RAW, data.getBytes(1, 1));
            kept[1] = data.slice(all(), flip());
            kept[1].putBytes(RAW, 1, 1);
            Expect.thrown(UncheckedIOException.class, () -> data.get(1, 0), "[1, 0]", "[2, -1]", "no UTF-8");
            data.put(data.slice(1), 0);             // as bytes
            assertArrayEquals(RAW, data.getBytes(0, 0));
            data.slice(1).put("text", 0);
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.getBytes(1, 2), "index 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.putBytes(RAW, 1, -1), "index -1");
        })) {
            for (StringTensorData data : new StringTensorData[] {tensor.stringData(), kept[0], tensor.stringData().slice(flip()).slice(flip())}) {
                assertArrayEquals(RAW, data.getBytes(0, 0));
                assertArrayEquals(RAW, data.getBytes(0, 1));
                assertEquals("text", data.get(1, 0));
                assertArrayEquals(RAW, data.getBytes(1, 1));
                assertEquals(data, tensor.stringData());
                assertEquals(data.hashCode(), tensor.stringData().hashCode());
                Expect.thrown(UncheckedIOException.class, () -> data.get(1, 1), "no UTF-8");
                String[] all = {"kept", null, null, null};
                Expect.thrown(UncheckedIOException.class, () -> data.copyTo(all), "no UTF-8");
                assertEquals("kept", all[0]);
                assertEquals("STRING[2, -1]\n[[b'\\xffa\\x00', b'\\xffa\\x00'], ['text', b'\\xffa\\x00']]", data.toString());
                Expect.thrown(ReadOnlyBufferException.class, () -> data.putBytes(RAW, 0, 0), "published");
                try (Tensor<String> dense = Tensors.create(data); RaggedTensor<String> again = RaggedTensor.fromDense(dense.stringData(), "x")) {
                    assertArrayEquals(RAW, dense.stringData().getBytes(1, 1));
                    assertEquals(data, again.stringData());
                }
            }
            assertEquals("text", kept[1].get(1, 1));
        }
    }

    @Test
    void aStreamOverwritesARowAndEndsTooEarly() {
        byte[] two = {0, 1, 'x', 0, 2, 'y', 'z'};
        try (RaggedTensor<String> tensor = Tensors.raggedString(new long[] {2, -1}, data -> {
            data.put(new String[] {"a", "b", "c"}, 0);
            data.put(new String[] {"d", "e"}, 1);
            data.slice(1).write(new ByteArrayInputStream(two));
            Expect.thrown(UncheckedIOException.class, () -> data.slice(0).write(new ByteArrayInputStream(two)), "after 2");
        })) {
            assertArrayEquals(new String[][] {{"x", "yz", "c"}, {"x", "yz"}}, nested(tensor));
        }
    }

    @Test
    void paddingInBothDirections() {
        String[][] rows = {{"a", "", "b"}, {}, {"", ""}};
        try (RaggedTensor<String> tensor = Tensors.raggedOfNested(rows); Tensor<String> dense = tensor.toDense();
             Tensor<String> dashes = tensor.toDense("-")) {
            assertArrayEquals(new String[][] {{"a", "", "b"}, {"", "", ""}, {"", "", ""}}, dense.toNested(String[][].class));
            assertArrayEquals(new String[][] {{"a", "", "b"}, {"-", "-", "-"}, {"", "", "-"}}, dashes.toNested(String[][].class));
            try (RaggedTensor<String> back = RaggedTensor.fromDense(dashes.stringData(), "-");
                 RaggedTensor<String> fewer = RaggedTensor.fromDense(dense.stringData(), "")) {
                assertArrayEquals(rows, nested(back));
                assertEquals(tensor.stringData(), back.stringData());
                assertArrayEquals(new String[][] {{"a", "", "b"}, {}, {}}, nested(fewer));
                assertNotEquals(tensor.stringData(), fewer.stringData());
            }
            Expect.thrown(IllegalArgumentException.class, () -> tensor.toDense(HALF), "surrogate", "the padding");
        }
        try (RaggedTensor<String> full = Tensors.raggedOfNested(new String[][] {{"a"}, {"b"}})) {
            Expect.thrown(IllegalArgumentException.class, () -> full.toDense(HALF), "surrogate", "the padding");
        }
    }

    @Test
    void valuesOfAFixedLengthAreShared() {
        Tensor<String> fixed = Tensors.denseString(new long[] {4}, 3, 0, data -> data.put(new String[] {"a", "bcd", "", "e"}));
        try (RaggedTensor<String> tensor = RaggedTensor.fromRowLengths(fixed.stringData(), 1, 0, 3)) {
            fixed.close();
            assertArrayEquals(new String[][] {{"a"}, {}, {"bcd", "", "e"}}, nested(tensor));
            assertEquals(12, tensor.values().asByteBuffer().capacity());
            Expect.thrown(IllegalStateException.class, () -> tensor.values().offsets(), "fixed-length");
        }
    }

    @Test
    void dataThatInitWasGivenIsSharedOnceItIsPublished() {
        StringTensorData[] kept = {null};
        try (Tensor<String> values = Tensors.denseString(new long[] {1000}, data -> {
            kept[0] = data;
            data.scalars().onEach(() -> "some text");
            try (RaggedTensor<String> copy = RaggedTensor.fromRowSplits(data, 0, 1000)) {
                data.put("other", 0);
                assertEquals("some text", copy.stringData().get(0, 0));
            }
        })) {
            long before = MemoryStats.current().bytesInUse();
            try (RaggedTensor<String> tensor = RaggedTensor.fromRowSplits(kept[0], 0, 999, 1000)) {
                assertEquals(0, (MemoryStats.current().bytesInUse() - before) / 1000);
                assertEquals("other", tensor.stringData().get(0, 0));
                assertEquals(values.numBytes(), tensor.values().numBytes());
                assertArrayEquals(new String[] {"some text"}, tensor.stringData().slice(1).toNested(String[].class));
            }
        }
    }

    @Test
    void rowsThatAreWrittenAgainAndAgain() {
        // Much more is written than stays, in rows that grow, shrink and move.
        Random random = new Random(9);
        String[][] model = new String[20][0];
        char[] chars = new char[3000];
        Arrays.fill(chars, 'x');
        String filler = new String(chars);
        try (RaggedTensor<String> tensor = Tensors.raggedString(new long[] {model.length, -1}, data -> {
            for (int n = 0; n < 3000; n++) {
                int i = random.nextInt(model.length);
                if (random.nextInt(4) == 0) {
                    model[i] = new String[random.nextInt(30)];
                    for (int j = 0; j < model[i].length; j++) {
                        model[i][j] = n + "," + j + filler.substring(random.nextInt(3001));
                    }
                    data.put(model[i], i);
                } else {
                    int j = random.nextInt(40);
                    int old = model[i].length;
                    if (j >= old) {
                        model[i] = Arrays.copyOf(model[i], j + 1);
                        Arrays.fill(model[i], old, j, "");
                    }
                    model[i][j] = n + filler.substring(random.nextInt(3001));
                    data.put(model[i][j], i, j);
                }
            }
            assertArrayEquals(model, (String[][]) data.toNested());
        })) {
            assertArrayEquals(model, nested(tensor));
            assertArrayEquals(Arrays.copyOfRange(model, 5, 20), (String[][]) tensor.stringData().slice(from(5)).toNested());
        }
    }
}
