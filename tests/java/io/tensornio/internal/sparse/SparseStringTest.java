package io.tensornio.internal.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.LongTensorData;
import io.tensornio.MemoryStats;
import io.tensornio.SparseTensor;
import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.LongValues;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.StringValues;
import io.tensornio.support.Texts;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sparse tensors of strings in both forms: how they lie in memory, what they refuse, and bytes that are no text. */
@ExtendWith(MemoryBalance.class)
class SparseStringTest {
    private static final long[] SHAPE = {3, 4};
    private static final byte[] RAW = {'a', (byte) 0xff, 'b'};
    private static final String UNPAIRED = "x\ud83d";

    /** A tensor of either form. */
    private static SparseTensor<String> make(boolean isPadded, long[] shape, int numValues, Consumer<StringTensorData> init) {
        return isPadded ? Tensors.sparseString(shape, numValues, 20, ' ', init) : Tensors.sparseString(shape, numValues, init);
    }

    // ---- In memory -------------------------------------------------------------------------------------------------

    @Test
    void valuesArePackedInTheOrderOfTheirCoordinates() {
        try (SparseTensor<String> tensor = Tensors.sparseString(SHAPE, 4, data -> {
            data.put("last", 2, 3);
            data.put("old", 0, 1);
            data.put("", 1, 0);
            data.put("\u20ac", 0, 1);
            data.put("between", 1, 2);
        })) {
            assertArrayEquals(new long[] {0, 1, 1, 0, 1, 2, 2, 3}, LongValues.all(tensor.indices().longData()));
            assertArrayEquals(new long[] {0, 3, 3, 10, 14}, Texts.longs(tensor.values().offsets()));
            assertArrayEquals(Texts.utf8("\u20acbetweenlast"), Texts.bytes(tensor.values().bytes()));
            assertEquals(4 * 2 * 8 + 5 * 8 + 14, tensor.numBytes());
            assertEquals("", tensor.stringData().get(0, 0));
            assertArrayEquals(new byte[0], tensor.stringData().getBytes(0, 0));
            assertArrayEquals(Texts.utf8("\u20ac"), tensor.stringData().getBytes(0, 1));
        }
    }

    @Test
    void stringsOfAFixedLengthArePadded() {
        for (byte padding : new byte[] {'_', 0}) {
            try (SparseTensor<String> tensor = Tensors.sparseString(SHAPE, 3, 4, padding, data -> {
                data.put("abcd", 2, 3);
                data.put("abc", 0, 1);
                data.put("", 1, 0);
                data.put("\u20ac", 0, 1);
                assertEquals("\u20ac", data.get(0, 1));
            })) {
                assertArrayEquals(Texts.utf8("\u20ac_____abcd".replace('_', (char) padding)), Texts.bytes(tensor.values().asByteBuffer()));
                assertEquals(3 * 2 * 8 + 3 * 4, tensor.numBytes());
                assertArrayEquals(new String[] {"\u20ac", "", "abcd"}, StringValues.all(tensor.values().stringData()));
                assertEquals("abcd", tensor.stringData().get(2, 3));
                assertEquals("", tensor.stringData().get(2, 2));
                try (Tensor<String> dense = tensor.toDense(); SparseTensor<String> again = SparseTensor.fromDense(tensor.stringData())) {
                    assertEquals(dense.stringData(), tensor.stringData());
                    assertArrayEquals(Texts.utf8("\u20acabcd"), Texts.bytes(dense.bytes()));
                    assertEquals(2, again.values().numElements());
                    assertEquals(tensor.stringData(), again.stringData());
                }
            }
        }
    }

    /** Old values, which have most of the bytes, are dropped: in the log, and when they are replaced after it. */
    @Test
    void whatIsReplacedManyTimes() {
        int n = 300;
        String[] model = new String[n];
        try (SparseTensor<String> tensor = Tensors.sparseString(new long[] {n}, n, data -> {
            for (int i = 0; i < 20 * n; i++) {
                int at = i * 7 % n < 3 ? i * 7 % n : i % 40;
                model[at] = Texts.repeat((char) ('a' + i % 26), 1000 + i % 50);
                data.put(model[at], at);
            }
            for (int i = 0; i < n; i++) {
                model[i] = model[i] == null ? "later" + i : model[i];
                data.put(model[i], i);
            }
        })) {
            assertArrayEquals(model, StringValues.all(tensor.values().stringData()));
            assertArrayEquals(model, StringValues.all(tensor.stringData()));
        }
    }

    // ---- What is refused -------------------------------------------------------------------------------------------

    @Test
    void numbersThatAreNone() {
        Consumer<StringTensorData> none = data -> { };
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.sparseString(SHAPE, -1, 4, ' ', none), "numValues", "-1", "[3, 4]");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.sparseString(SHAPE, 1, -4, ' ', none), "length", "-4");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.sparseString(SHAPE, 1, 4, 128, none), "padding", "128", "0 to 127");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.sparseString(SHAPE, 1, 4, (byte) -1, none), "padding", "-1");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.sparseString(new long[] {3, -4}, 1, 4, ' ', none), "[3, -4]", "axis 1");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.sparseString(new long[] {-1}, 1, none), "[-1]", "axis 0");
        Expect.thrown(IllegalStateException.class, () -> Tensors.sparseString(new long[] {1L << 50}, 1, 1 << 20, ' ', none), "has 0",
            "[1125899906842624]");
        Expect.thrown(OutOfMemoryError.class, () -> Tensors.sparseString(SHAPE, 3, 1 << 30, ' ', none), "STRING", "[3]", "3221225472");
        assertThrows(NullPointerException.class, () -> Tensors.sparseString(SHAPE, 1, 4, ' ', null));
        assertThrows(NullPointerException.class, () -> Tensors.sparseString(null, 1, 4, ' ', none));
    }

    @Test
    void aStringThatDoesNotFitTakesNoSlot() {
        try (SparseTensor<String> tensor = Tensors.sparseString(SHAPE, 5, 4, '_', data -> {
            data.put("kept", 2, 1);
            String[] tooLong = {"5 bytes", "[2, 1]", "[3, 4]", "have 4"};
            for (int i = 0; i < 2; i++) {           // as long as the log has no index, and with one
                Expect.thrown(IllegalArgumentException.class, () -> data.put("\u20ac\u00e9", 2, 1), tooLong);
                Expect.thrown(IllegalArgumentException.class, () -> data.putBytes(new byte[5], 2, 1), tooLong);
                Expect.thrown(IllegalArgumentException.class, () -> data.put("x_", 0, 1), "2 bytes", "[0, 1]", "padding 95");
                Expect.thrown(IllegalArgumentException.class, () -> data.scalars().put("abcde"), "5 bytes", "[0, 0]");
                Expect.thrown(IllegalArgumentException.class, () -> data.put(new String[] {"a", "b", "abcde"}, 2, 1), "5 bytes", "[2, 3]");
                Expect.thrown(IllegalArgumentException.class, () -> data.slice(2).put(StringTensorData.of(new String[] {"a", "b", "c", "d_"})),
                    "2 bytes", "[2, 3]", "padding 95");
                assertEquals(i == 0 ? "kept" : "over", data.get(2, 1));
                assertEquals("", data.get(0, 1));
                data.put("over", 2, 1);
            }
            data.put("_x", 0, 1);
            data.put(new String[] {"a", "b", "c"}, 1, 0);
            Expect.thrown(IllegalStateException.class, () -> data.put("y", 0, 0), "STRING", "numValues = 5", "[0, 0]");
        })) {
            assertArrayEquals(new String[] {"_x", "a", "b", "c", "over"}, StringValues.all(tensor.values().stringData()));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noTextTakesNoSlot(boolean isPadded) {
        try (SparseTensor<String> tensor = make(isPadded, SHAPE, 2, data -> {
            assertThrows(NullPointerException.class, () -> data.put((String) null, 0, 1));
            assertThrows(NullPointerException.class, () -> data.putBytes(null, 0, 1));
            assertThrows(NullPointerException.class, () -> data.put(new String[] {"a", null}, 0, 1));
            Expect.thrown(IllegalArgumentException.class, () -> data.put(UNPAIRED, 0, 1), "U+D83D", "index 1", "[0, 1]", "[3, 4]");
            Expect.thrown(IllegalArgumentException.class, () -> data.put(new String[] {"a", UNPAIRED}, 1, 1), "U+D83D", "[1, 2]");
            data.put("x", 2, 2);
            data.put("y", 2, 3);
        })) {
            assertArrayEquals(new String[] {"x", "y"}, StringValues.all(tensor.values().stringData()));
        }
    }

    @Test
    void dataOfTheUsersThatIsNoText() {
        StringTensorData values = StringTensorData.of(new String[] {"a", UNPAIRED});
        LongTensorData indices = LongTensorData.of(new long[] {0, 1, 2, 3}, 2, 2);
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.sparseString(indices, values, SHAPE), "U+D83D", "[1]", "[2]");
        Expect.thrown(IllegalArgumentException.class, () -> SparseTensor.fromDense(StringTensorData.of(new String[] {"", "a", "", UNPAIRED}, 2, 2)),
            "U+D83D", "[1, 1]", "[2, 2]");
        String[] many = new String[5_000];
        Arrays.fill(many, "some text");
        many[4_999] = UNPAIRED;
        long[] places = new long[many.length];
        Arrays.setAll(places, i -> i);
        Expect.thrown(IllegalArgumentException.class,
            () -> Tensors.sparseString(LongTensorData.of(places, many.length, 1), StringTensorData.of(many), many.length), "U+D83D", "[4999]");
        StringTensorData missing = StringTensorData.of(new String[] {"a", null});
        assertThrows(NullPointerException.class, () -> Tensors.sparseString(indices, missing, SHAPE));
        assertThrows(NullPointerException.class, () -> SparseTensor.fromDense(missing));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anInitThatFailsGivesTheMemoryBack(boolean isPadded) {
        RuntimeException mine = new RuntimeException("mine");
        long before = MemoryStats.current().tensorsAlive();
        for (int n : new int[] {3, 100_000}) {
            assertSame(mine, assertThrows(RuntimeException.class, () -> make(isPadded, new long[] {1000, 1000}, n, data -> {
                data.put("x", 1, 1);
                assertEquals("x", data.get(1, 1));
                assertEquals(data.slice(1), data.slice(1));
                throw mine;
            })));
            assertTrue(MemoryStats.current().tensorsAlive() <= before);
            Expect.thrown(IllegalStateException.class, () -> make(isPadded, new long[] {1000, 1000}, n, data -> data.put("x", 1, 1)), "has 1");
            assertTrue(MemoryStats.current().tensorsAlive() <= before);
        }
    }

    // ---- Bytes that are no text ----------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bytesThatAreNoText(boolean isPadded) {
        byte[][] all = {{}, {}, RAW, {}, {}, Texts.utf8("text"), {}, {}, {}, {}, {}, {(byte) 0xc0}};
        StringTensorData model = StringTensorData.ofBytes(all, SHAPE);
        try (SparseTensor<String> tensor = make(isPadded, SHAPE, 3, data -> {
            data.putBytes(all[11], 2, 3);
            data.put("text", 1, 1);
            data.putBytes(RAW, 0, 2);
            assertEquals(model, data);
            assertEquals(data, model);
            assertEquals(model.hashCode(), data.hashCode());
            assertArrayEquals(RAW, data.getBytes(0, 2));
            Expect.thrown(UncheckedIOException.class, () -> data.get(0, 2), "[0, 2]", "[3, 4]", "from byte 1");
        })) {
            StringTensorData data = tensor.stringData();
            assertEquals(model, data);
            assertEquals(data, model);
            assertEquals(model.hashCode(), data.hashCode());
            assertEquals(model.toString(), data.toString());
            assertArrayEquals(RAW, data.getBytes(0, 2));
            assertArrayEquals(RAW, tensor.values().stringData().getBytes(0));
            String[] says = {"[0, 2]", "[3, 4]", "from byte 1"};
            Expect.thrown(UncheckedIOException.class, () -> data.get(0, 2), says);
            Expect.thrown(UncheckedIOException.class, () -> data.stream().forEach(text -> { }), says);
            Expect.thrown(UncheckedIOException.class, () -> StringValues.all(data), says);
            String[] untouched = StringValues.filled(12, "own");
            Expect.thrown(UncheckedIOException.class, () -> data.copyTo(untouched), says);
            assertArrayEquals(StringValues.filled(12, "own"), untouched);
            try (Tensor<String> dense = tensor.toDense();
                 SparseTensor<String> again = SparseTensor.fromDense(model);
                 SparseTensor<String> built = Tensors.sparseString(tensor.indices().longData(), tensor.values().stringData(), SHAPE);
                 SparseTensor<String> text = make(isPadded, SHAPE, 3, copy -> {
                     copy.put("a\ufffdb", 0, 2);
                     copy.put("text", 1, 1);
                     copy.putBytes(all[11], 2, 3);
                 })) {
                for (StringTensorData equal : new StringTensorData[] {dense.stringData(), again.stringData(), built.stringData()}) {
                    assertEquals(equal, data);
                    assertEquals(data, equal);
                    assertEquals(equal.hashCode(), data.hashCode());
                }
                assertArrayEquals(RAW, dense.stringData().getBytes(0, 2));
                assertEquals(3, again.values().numElements());
                assertNotEquals(text.stringData(), data);
                assertNotEquals(data, text.stringData());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anIteratorOverAListDoesNotPassBytesThatAreNoText(boolean isPadded) {
        try (SparseTensor<String> tensor = make(isPadded, new long[] {4, 4}, 3, data -> {
            data.putBytes(RAW, 3, 1);
            data.put("text", 3, 3);
            data.put("more", 3, 0);
        })) {
            StringTensorIterator scalars = tensor.stringData().slice(TensorIndex.all(), TensorIndex.incl(3, 1, 0)).scalars();
            for (int i = 0; i < 10; i++) {
                assertEquals(i == 9 ? "text" : "", scalars.get());
            }
            for (int i = 0; i < 3; i++) {
                Expect.thrown(UncheckedIOException.class, scalars::get, "[3, 1]", "[4, 4]", "from byte 1");
            }
        }
    }

    @Test
    void copiesToOtherDataKeepTheBytes() {
        try (SparseTensor<String> tensor = Tensors.sparseString(SHAPE, 2, data -> {
            data.putBytes(RAW, 0, 2);
            data.put("text", 1, 1);
        });
             Tensor<String> padded = Tensors.denseString(SHAPE, 5, ' ', data -> data.put(tensor.stringData()));
             SparseTensor<String> flipped = Tensors.sparseString(SHAPE, 12, 5, ' ',
                 data -> data.put(tensor.stringData().slice(TensorIndex.flip(), TensorIndex.flip())))) {
            assertEquals(padded.stringData(), tensor.stringData());
            assertEquals(flipped.stringData().slice(TensorIndex.flip(), TensorIndex.flip()), tensor.stringData());
            assertArrayEquals(RAW, flipped.stringData().getBytes(2, 1));
            assertEquals(12, flipped.values().numElements());
        }
    }
}
