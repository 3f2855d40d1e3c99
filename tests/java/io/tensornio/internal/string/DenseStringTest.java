package io.tensornio.internal.string;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tensornio.AbstractStringTensorData;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.internal.memory.Forked;
import io.tensornio.internal.memory.Workers;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.StringValues;
import io.tensornio.support.Texts;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dense tensors of strings in both forms: how they lie in memory, what they refuse, very short and very long ones. */
@ExtendWith(MemoryBalance.class)
class DenseStringTest {
    private static final RuntimeException STOP = new RuntimeException("stop");
    private static final String HIGH = "\ud83d";
    private static final String LOW = "\ude00";

    /** A tensor of either form. */
    private static Tensor<String> make(boolean padded, long[] shape, Consumer<StringTensorData> init) {
        return padded ? Tensors.denseString(shape, 20, ' ', init) : Tensors.denseString(shape, init);
    }

    // ---- In memory -------------------------------------------------------------------------------------------------

    @Test
    void packedAsOffsetsAndBytes() {
        try (Tensor<String> tensor = Tensors.denseString(new long[] {2, 2}, data -> {
            data.put("later", 1, 1);
            data.put("\u20ac", 0, 1);
            data.put("old", 0, 0);
            data.put("ab", 0, 0);
        })) {
            assertArrayEquals(new long[] {0, 2, 5, 5, 10}, Texts.longs(tensor.offsets()));
            assertArrayEquals(Texts.utf8("ab\u20aclater"), Texts.bytes(tensor.bytes()));
            assertEquals(5 * 8 + 10, tensor.numBytes());
            assertEquals("", tensor.stringData().get(1, 0));
            assertTrue(tensor.offsets().isDirect() && tensor.bytes().isDirect());
            assertEquals(ByteOrder.nativeOrder(), tensor.offsets().order());
            assertThrows(ReadOnlyBufferException.class, () -> tensor.offsets().put(0, 1));
            assertThrows(ReadOnlyBufferException.class, () -> tensor.bytes().put(0, (byte) 1));
            Expect.thrown(IllegalStateException.class, tensor::asByteBuffer, "variable-length", "offsets()", "bytes()");
        }
    }

    @Test
    void bothBuffersAreAlignedAsArrowWantsThem() throws ReflectiveOperationException {
        for (int n : new int[] {0, 1, 7, 8, 100, 10_000}) {
            try (Tensor<String> tensor = Tensors.denseString(new long[] {n}, data -> data.scalars().onEach(() -> "x"))) {
                assertEquals(0, tensor.offsets().position());
                assertEquals(n + 1, tensor.offsets().capacity());
                assertEquals(n, tensor.bytes().capacity());
                assertEquals(n, tensor.offsets().get(n));
                for (Method method : ByteBuffer.class.getMethods()) {
                    if (method.getName().equals("alignmentOffset")) {           // from Java 9 on
                        assertEquals(0, method.invoke(tensor.bytes(), 0, 64));
                    }
                }
            }
        }
    }

    @Test
    void paddedInPlace() {
        try (Tensor<String> tensor = Tensors.denseString(new long[] {2, 2}, 4, '_', data -> {
            assertEquals("", data.get(0, 0));
            data.put("abcd", 1, 1);
            data.put("longer".substring(0, 4), 0, 1);
            data.put("\u20ac", 0, 1);
        })) {
            assertArrayEquals(Texts.utf8("____\u20ac_____abcd"), Texts.bytes(tensor.asByteBuffer()));
            assertEquals(16, tensor.numBytes());
            assertArrayEquals(new String[] {"", "\u20ac", "", "abcd"}, StringValues.all(tensor.stringData()));
            Expect.thrown(IllegalStateException.class, tensor::offsets,
                "offsets() exists only for variable-length strings; the elements of this tensor are fixed-length strings: use asByteBuffer()");
            Expect.thrown(IllegalStateException.class, tensor::bytes, "bytes()", "fixed-length");
        }
    }

    @Test
    void buffersOfOtherTypesAndOfClosedTensors() {
        Tensor<Float> floats = Tensors.denseFloat(new long[] {2}, data -> { });
        Expect.thrown(IllegalStateException.class, floats::offsets, "offsets()", "FLOAT: use asByteBuffer()");
        Expect.thrown(IllegalStateException.class, floats::bytes, "bytes()", "FLOAT");
        floats.close();
        Expect.thrown(TensorClosedException.class, floats::offsets, "FLOAT", "closed");
        Tensor<String> tensor = Tensors.denseString(new long[] {2}, data -> data.put("x", 0));
        LongBuffer offsets = tensor.offsets();
        tensor.close();
        Expect.thrown(TensorClosedException.class, tensor::offsets, "STRING", "[2]", "closed");
        Expect.thrown(TensorClosedException.class, tensor::bytes, "STRING", "[2]", "closed");
        Expect.thrown(TensorClosedException.class, tensor::asByteBuffer, "STRING", "[2]", "closed");
        assertTrue(offsets.get(1) <= 1, "old values or zeros");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 32, 127})
    void everyPaddingIsStrippedAndEndsNoValue(int padding) {
        for (int length : new int[] {0, 1, 5, 5000}) {
            String mark = String.valueOf((char) padding);
            try (Tensor<String> tensor = Tensors.denseString(new long[] {3}, length, (byte) padding, data -> {
                assertArrayEquals(new String[] {"", "", ""}, StringValues.all(data));
                if (length > 0) {
                    Expect.thrown(IllegalArgumentException.class, () -> data.put(mark, 1), "1 byte for", "padding " + padding, "[1]");
                    Expect.thrown(IllegalArgumentException.class, () -> data.putBytes(new byte[] {(byte) padding}, 1), "padding " + padding);
                    data.put("x", 1);
                }
                String tooLong = Texts.repeat("y", length + 1);
                Expect.thrown(IllegalArgumentException.class, () -> data.put(tooLong, 2), length == 0 ? "1 byte for" : length + 1 + " bytes for",
                    "[2]", String.valueOf(length));
                if (length > 1) {
                    data.put(mark + "z", 2);
                }
            })) {
                StringTensorData data = tensor.stringData();
                assertEquals(3L * length, tensor.numBytes());
                assertEquals(length > 0 ? "x" : "", data.get(1));
                assertEquals(length > 1 ? mark + "z" : "", data.get(2));
            }
        }
    }

    @Test
    void lengthsAndPaddingsThatCannotBe() {
        Consumer<StringTensorData> never = data -> {
            throw new AssertionError("asked");
        };
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseString(new long[] {2}, -1, 0, never), "-1", "negative");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseString(new long[] {2}, 4, 128, never), "128", "0 to 127");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseString(new long[] {2}, 4, -1, never), "-1", "0 to 127");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseString(new long[] {2}, 4, (byte) -128, never), "-128", "0 to 127");
        Expect.thrown(NullPointerException.class, () -> Tensors.denseString((long[]) null, 4, 0, never), "shape");
        Expect.thrown(NullPointerException.class, () -> Tensors.denseString(new long[] {-5}, 4, 0, null), "init");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseString(new long[] {-1, 2}, never), "[-1, 2]", "negative", "axis 0");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseString(new long[] {2, -1}, 4, 0, never), "[2, -1]", "axis 1");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseString(new long[] {-2}, never), "[-2]");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseString(new long[] {1L << 40, 1L << 10}, 1 << 20, 0, never),
            "[1099511627776, 1024]");
        Expect.thrown(OutOfMemoryError.class, () -> Tensors.denseString(new long[] {1 << 20}, 1 << 20, 0, never), "STRING", "[1048576]",
            (1L << 40) + " bytes");
        Expect.thrown(OutOfMemoryError.class, () -> Tensors.denseString(new long[] {1L << 60}, 1, 0, never), "STRING", (1L << 60) + " bytes");
        Expect.thrown(IllegalArgumentException.class, () -> Tensors.denseString(new long[] {1L << 62}, 2, 0, never), "2-byte elements");
        Expect.thrown(OutOfMemoryError.class, () -> Tensors.denseString(new long[] {Integer.MAX_VALUE}, never), "STRING", (1L << 34) + " bytes");
        Expect.thrown(OutOfMemoryError.class, () -> Tensors.denseString(new long[] {200_000_000}, data -> {
            data.put("second", 1);
            data.put("first", 0);
        }), "STRING", "[200000000]", "bytes of the Java heap");
    }

    // ---- Strings ---------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void stringsOfAllKinds(boolean padded) {
        String[] all = {"", "?", "a?b", "\0", "\0\0x", "x\0", "\u007f\u0080\u07ff\u0800\uffff", "\ufffd", "?\ufffd?", HIGH + LOW,
            "a" + HIGH + LOW + "?", "\ud7ff\ue000",
            "12345678", "1234567?", "?2345678", "123456789", "12345678?", "\u00e9", "\u20ac\u20ac", "' \" \\ \n"};
        try (Tensor<String> tensor = make(padded, new long[] {all.length}, data -> {
            for (int i = all.length - 1; i >= 0; i--) {
                data.put(all[i], i);
                assertEquals(all[i], data.get(i));
            }
        }); Tensor<String> bulk = make(padded, new long[] {all.length}, data -> data.put(all))) {
            assertArrayEquals(all, StringValues.all(tensor.stringData()));
            assertArrayEquals(all, StringValues.all(bulk.stringData()));
            assertEquals(tensor.stringData(), bulk.stringData());
            assertEquals(StringTensorData.of(all), bulk.stringData());
            assertEquals(StringTensorData.of(all).hashCode(), tensor.stringData().hashCode());
            for (int i = 0; i < all.length; i++) {
                assertEquals(all[i], tensor.stringData().get(i));
                assertArrayEquals(Texts.utf8(all[i]), tensor.stringData().getBytes(i));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anyCharacterAtAnyPlaceOfAnyLength(boolean padded) {
        String[] all = {"a", "\u007f", "\u0080", "\u00ff", "\u0141", "\u2041", HIGH + LOW};         // low bytes of the last ones are ASCII
        Consumer<String> check = text -> {
            Consumer<StringTensorData> put = data -> data.put(text, 1);
            try (Tensor<String> tensor = padded ? Tensors.denseString(new long[] {3}, 160, 0, put) : Tensors.denseString(new long[] {3}, put)) {
                assertArrayEquals(new String[] {"", text, ""}, StringValues.all(tensor.stringData()));
                assertArrayEquals(Texts.utf8(text), tensor.stringData().getBytes(1));
            }
        };
        for (int length = 1; length < 36; length++) {
            for (int i = 0; i < length; i++) {
                for (String character : all) {
                    check.accept(Texts.repeat("b", i) + character + Texts.repeat("c", length - 1 - i));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void unpairedSurrogatesAreRefused(boolean padded) {
        String[] wrong = {HIGH, LOW, "ab" + HIGH, "ab" + HIGH + "?", "ab" + LOW + HIGH, "?a" + HIGH + HIGH + LOW, "\ud83f", "\udc3f",
            "12345678" + LOW};
        int[] index = {0, 0, 2, 2, 2, 2, 0, 0, 8};
        try (Tensor<String> tensor = make(padded, new long[] {2, 2}, data -> {
            data.put(new String[] {"a", "b", "c", "d"});
            for (int i = 0; i < wrong.length; i++) {
                String value = wrong[i];
                String at = "index " + index[i];
                Expect.thrown(IllegalArgumentException.class, () -> data.put(value, 1, 0), "unpaired surrogate", at, "[1, 0]", "[2, 2]");
                Expect.thrown(IllegalArgumentException.class, () -> data.slice(1).slice(TensorIndex.flip()).put(value, 1), "unpaired surrogate", at,
                    "[1, 0]");
                Expect.thrown(IllegalArgumentException.class, () -> data.put(new String[] {"x", "y", "z", value}), "unpaired surrogate", at,
                    "[1, 1]");
                Expect.thrown(IllegalArgumentException.class, () -> data.put(StringTensorData.of(new String[] {"x", value}), 1), "unpaired surrogate",
                    at, "[1, 1]");
                Expect.thrown(IllegalArgumentException.class, () -> data.scalars().put(value), "unpaired surrogate", at, "[0, 0]");
            }
            assertArrayEquals(new String[] {"a", "b", "c", "d"}, StringValues.all(data));
        })) {
            assertArrayEquals(new String[] {"a", "b", "c", "d"}, StringValues.all(tensor.stringData()));
        }
        String[] array = {"a", "b"};
        Expect.thrown(IllegalArgumentException.class, () -> StringTensorData.of(array).put(HIGH, 1), "unpaired surrogate", "[1]");
        Expect.thrown(IllegalArgumentException.class, () -> StringTensorData.of(array).put(new String[] {"x", HIGH}), "unpaired surrogate", "[1]");
        assertArrayEquals(new String[] {"a", "b"}, array);
    }

    @Test
    void nullOfOnesOwnDataIsNamedByItsElement() {
        StringTensorData own = new AbstractStringTensorData(2, 2) {
            @Override
            protected String getAt(long[] indices) {
                return indices[1] == 1 ? null : "a";
            }
        };
        Expect.thrown(NullPointerException.class, () -> own.slice(1).get(1), "getAt gave null for the element [1, 1] of the shape [2, 2]");
        Expect.thrown(NullPointerException.class, () -> Tensors.create(own), "getAt gave null for the element [0, 1] of the shape [2, 2]");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nullIsRefused(boolean padded) {
        Tensor<String> tensor = make(padded, new long[] {2, 2}, data -> {
            data.put(new String[] {"a", "b", "c", "d"});
            String none = null;
            Expect.thrown(NullPointerException.class, () -> data.put(none, 9, 9), "value");
            Expect.thrown(NullPointerException.class, () -> data.put(none, new int[] {9, 9}), "value");
            Expect.thrown(NullPointerException.class, () -> data.putBytes(null, 9, 9), "bytes");
            Expect.thrown(NullPointerException.class, () -> data.put(new String[] {"x", null}, 0), "null among the values", "[0, 1]");
            Expect.thrown(NullPointerException.class, () -> data.scalars().put(null), "value");
            Expect.thrown(NullPointerException.class, () -> data.slice(1).scalars().onEach(() -> null), "null from the supplier",
                "the element [1, 0] of the shape [2, 2]");
            Expect.thrown(NullPointerException.class, () -> data.put(Stream.of("a", "b", null)), "null among the values, after 2 of them");
            data.put("c", 1, 0);
            Expect.thrown(NullPointerException.class, () -> data.put(StringTensorData.of(new String[] {"x", null}), 0), "null", "[1]");
            assertArrayEquals(new String[] {"a", "b", "c", "d"}, StringValues.all(data));
        });
        String[] array = {"a", "b"};
        Expect.thrown(NullPointerException.class, () -> StringTensorData.of(array).put(new String[] {"x", null}), "null among the values", "[1]");
        assertArrayEquals(new String[] {"a", "b"}, array);
        String none = null;
        Expect.thrown(NullPointerException.class, () -> tensor.stringData().put(none, 0, 0), "value");
        StringTensorData closed = tensor.stringData();
        tensor.close();
        Expect.thrown(NullPointerException.class, () -> closed.put(none, 0, 0), "value");
    }

    @Test
    void valuesThatDoNotFitLeaveEverythingAsItWas() {
        try (Tensor<String> tensor = Tensors.denseString(new long[] {3}, 3, 0, data -> {
            data.put(new String[] {"a", "b", "c"});
            Expect.thrown(IllegalArgumentException.class, () -> data.put(new String[] {"x", "four"}), "4 bytes", "[1]", "have 3");
            Expect.thrown(IllegalArgumentException.class, () -> data.put(StringTensorData.of(new String[] {"x", "y", "\u20ac\u20ac"})), "6 bytes",
                "[2]");
            Expect.thrown(IllegalArgumentException.class, () -> data.put(new String[] {"x", "y\0"}), "padding 0", "[1]");
            assertArrayEquals(new String[] {"a", "b", "c"}, StringValues.all(data));
            Expect.thrown(IllegalArgumentException.class, () -> data.put(Stream.of("x", "four")), "4 bytes");
            assertArrayEquals(new String[] {"x", "b", "c"}, StringValues.all(data));
        })) {
            assertEquals("b", tensor.stringData().get(1));
        }
    }

    @Test
    void longStrings() {
        String big = Texts.repeat("0123456789", 1_000_000);
        String wide = Texts.repeat("\u20ac", 1_000_000);
        try (Tensor<String> tensor = Tensors.denseString(new long[] {5}, data -> {
            data.put(big, 3);
            data.put("x", 0);
            data.put(wide, 2);
            for (int i = 0; i < 20; i++) {
                data.put(wide, 4);          // what was written before does not stay for ever
            }
            data.put("y", 4);
        })) {
            StringTensorData data = tensor.stringData();
            assertEquals(big, data.get(3));
            assertEquals(wide, data.get(2));
            assertArrayEquals(new String[] {"x", "", wide, big, "y"}, StringValues.all(data));
            assertEquals(6 * 8 + 13_000_002, tensor.numBytes());
            assertTrue(tensor.toString().length() < 5000, "long ones are abridged");
            assertEquals(StringTensorData.of(new String[] {"x", "", wide, big, "y"}), data);
        }
        try (Tensor<String> tensor = Tensors.denseString(new long[] {2}, 10_000_001, 0, data -> data.put(big, 1))) {
            assertArrayEquals(new String[] {"", big}, StringValues.all(tensor.stringData()));
        }
    }

    @Test
    void putAgainAndAgain() {
        try (Tensor<String> tensor = Tensors.denseString(new long[] {10}, data -> {
            for (int i = 0; i < 300_000; i++) {
                data.put("value " + i, i % 10);
                data.put("other", (i + 5) % 10);
            }
        })) {
            assertEquals("other", tensor.stringData().get(4));
            assertEquals("value 299999", tensor.stringData().get(9));
            assertTrue(tensor.numBytes() < 300);
        }
    }

    // ---- Life ------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theDataOfInitStaysReadable(boolean padded) {
        StringTensorData[] kept = new StringTensorData[2];
        Tensor<String> tensor = make(padded, new long[] {2, 3}, data -> {
            data.put(new String[] {"a", "b", "c", "d", "e", "f"});
            kept[0] = data;
            kept[1] = data.slice(1).slice(TensorIndex.flip());
        });
        assertArrayEquals(new String[] {"a", "b", "c", "d", "e", "f"}, StringValues.all(kept[0]));
        assertArrayEquals(new String[] {"f", "e", "d"}, StringValues.all(kept[1]));
        assertEquals(kept[0], tensor.stringData());
        assertTrue(kept[0].isReadOnly());
        Expect.thrown(ReadOnlyBufferException.class, () -> kept[0].put("x", 0, 0), "STRING", "[2, 3]", "published");
        Expect.thrown(ReadOnlyBufferException.class, () -> kept[1].putBytes(new byte[0], 0), "STRING", "[2, 3]", "published");
        Expect.thrown(ReadOnlyBufferException.class, () -> kept[1].put(new String[] {"x"}), "published");
        tensor.close();
        Expect.thrown(TensorClosedException.class, () -> kept[0].get(0, 0), "STRING", "[2, 3]", "closed");
        Expect.thrown(TensorClosedException.class, () -> kept[0].put("x", 0, 0), "STRING", "[2, 3]", "closed");
        Expect.thrown(TensorClosedException.class, () -> kept[1].getBytes(0), "closed");
        assertEquals("STRING[2, 3] (closed)", kept[0].toString());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void afterAFailedInitTheDataIsClosed(boolean padded) {
        StringTensorData[] kept = new StringTensorData[1];
        assertSame(STOP, assertThrows(RuntimeException.class, () -> make(padded, new long[] {2}, data -> {
            kept[0] = data;
            data.put("x", 0);
            throw STOP;
        })));
        Expect.thrown(TensorClosedException.class, () -> kept[0].get(0), "STRING", "[2]", "closed");
        Expect.thrown(TensorClosedException.class, () -> kept[0].put("x", 0), "STRING", "[2]", "closed");
        Expect.thrown(TensorClosedException.class, kept[0]::scalars, "STRING", "[2]", "closed");
    }

    @Test
    void copiesOfEitherFormAreOfAnyLength() {
        for (boolean padded : new boolean[] {false, true}) {
            try (Tensor<String> tensor = make(padded, new long[] {2, 2}, data -> data.put(new String[] {"a", "", "c", "d"}));
                    Tensor<String> copy = Tensors.create(tensor.stringData().slice(TensorIndex.flip()))) {
                assertArrayEquals(new String[] {"c", "d", "a", ""}, StringValues.all(copy.stringData()));
                assertArrayEquals(new long[] {0, 1, 2, 3, 3}, Texts.longs(copy.offsets()));
            }
        }
        Expect.thrown(NullPointerException.class, () -> Tensors.create((StringTensorData) null), "data");
        Tensor<String> closed = Tensors.denseString(new long[] {0}, data -> { });
        StringTensorData data = closed.stringData();
        closed.close();
        Expect.thrown(TensorClosedException.class, () -> Tensors.create(data), "closed");
    }

    @Test
    void dataThatWritesWhatItIsCopiedTo() {
        Tensors.denseString(new long[] {4}, data -> {
            StringTensorData meddling = new AbstractStringTensorData(4) {
                @Override
                protected String getAt(long[] indices) {
                    for (int i = 0; i < 4; i++) {
                        data.put(Texts.repeat("meddled ", 20_000), i);
                    }
                    return "v" + indices[0];
                }
            };
            data.put(meddling);
            assertArrayEquals(new String[] {"v0", "v1", "v2", "v3"}, StringValues.all(data));
            data.put(meddling.slice(TensorIndex.flip()));
            assertArrayEquals(new String[] {"v3", "v2", "v1", "v0"}, StringValues.all(data));
        }).close();
    }

    @Test
    void copiesWithinOneTensor() {
        for (boolean padded : new boolean[] {false, true}) {
            make(padded, new long[] {5}, data -> {
                data.put(new String[] {"a", "b", "c", "d", "e"});
                data.slice(TensorIndex.range(1, 5)).put(data.slice(TensorIndex.range(0, 4)));
                assertArrayEquals(new String[] {"a", "a", "b", "c", "d"}, StringValues.all(data));
                data.slice(TensorIndex.flip()).put(data);
                assertArrayEquals(new String[] {"d", "c", "b", "a", "a"}, StringValues.all(data));
            }).close();
        }
    }

    @Test
    void arraysAreWrittenThrough() {
        String[] array = {"a", "b", "c", "d"};
        StringTensorData data = StringTensorData.of(array, 2, 2);
        data.put("x", 1, 0);
        assertSame(array[2], data.get(1, 0));
        assertEquals("x", array[2]);
        array[3] = "y";
        assertEquals("y", data.get(1, 1));
        data.slice(TensorIndex.flip(), TensorIndex.flip()).put(array);
        assertArrayEquals(new String[] {"y", "x", "b", "a"}, array);
        array[0] = null;
        Expect.thrown(NullPointerException.class, () -> data.get(0, 0), "null", "[0, 0]");
        assertFalse(data.isReadOnly());
        Expect.thrown(IllegalArgumentException.class, () -> StringTensorData.of(array, 3), "[3]", "3 elements", "4");
        assertEquals(0, StringTensorData.of(new String[0]).totalSize());
        assertEquals("x", StringTensorData.of(new String[] {"x"}, new long[0]).get());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatCannotBeWrittenSaysSoBeforeItLooksAtTheText(boolean padded) {
        StringTensorData[] made = new StringTensorData[1];
        Tensor<String> tensor = make(padded, new long[] {2}, data -> made[0] = data);
        String[] texts = {"", HIGH, HIGH + Texts.repeat('x', 40), Texts.repeat('x', 32), Texts.repeat('x', 33)};
        for (String text : texts) {
            Expect.thrown(ReadOnlyBufferException.class, () -> made[0].put(text, 1), "STRING", "published");
        }
        tensor.close();
        for (String text : texts) {
            Expect.thrown(TensorClosedException.class, () -> made[0].put(text, 1), "STRING", "closed");
        }
    }

    @Test
    void severalThreadsMayFillAFixedLength() {
        int n = 4000;
        try (Tensor<String> tensor = Tensors.denseString(new long[] {n}, 8, 0, data -> {
            Workers.run(4, first -> {
                for (int i = first; i < n; i += 4) {
                    data.put("v" + i, i);
                }
            });
        })) {
            for (int i = 0; i < n; i++) {
                assertEquals("v" + i, tensor.stringData().get(i));
            }
        }
    }

    @Test
    void paddingOfAsManyBytesAsATensorCanHave() {
        assumeTrue(Forked.has64Bits(), "with 32 bits there are no addresses for so many bytes in one piece");
        // Four times as much as it needs: so each tensor gets the pages of the one before.
        Forked.with("-Xmx64m", "-Dtensornio.maxMemory=9g").run(LongestPaddingProgram.class);
    }
}
