package io.tensornio.internal.string;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AbstractStringTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.StringOwn;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Strings as bytes, those that are no text too. */
@ExtendWith(MemoryBalance.class)
class StringBytesTest {
    /** What is no UTF-8: a lone byte, a cut character, too long a form, a surrogate, beyond Unicode. */
    private static final byte[][] NO_TEXT = {
        {(byte) 0xff}, {'a', (byte) 0x80}, {(byte) 0xe2, (byte) 0x82}, {(byte) 0xc0, (byte) 0x80}, {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
        {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80}, {'a', 'b', (byte) 0xef, (byte) 0xbf, (byte) 0xbd, (byte) 0xff},
    };
    /** What a refused write says, of which {@code putBytes} is no way out. */
    private static final String HOLDS_TEXT_ONLY = "; this data holds text only, tensors and StringTensorData.ofBytes take any bytes";

    /** Writable data of five elements, of every kind that takes any bytes. */
    private static void each(Consumer<Map<String, StringTensorData>> check) {
        Map<String, StringTensorData> all = new LinkedHashMap<>();
        Tensors.denseString(new long[] {5}, any -> Tensors.denseString(new long[] {5}, 8, 0, padded -> {
            all.put("any length", any);
            all.put("fixed length", padded);
            all.put("arrays", StringTensorData.ofBytes(new byte[][] {{}, {}, {}, {}, {}}));
            check.accept(all);
        }).close()).close();
    }

    private static void isNoText(org.junit.jupiter.api.function.Executable call, String... parts) {
        UncheckedIOException e = Expect.thrown(UncheckedIOException.class, call, parts);
        assertTrue(e.getCause() instanceof CharacterCodingException, () -> String.valueOf(e.getCause()));
    }

    @Test
    void bytesThatAreNoText() {
        each(all -> all.forEach((kind, data) -> {
            for (byte[] bytes : NO_TEXT) {
                data.put("text", 0);
                data.putBytes(bytes, 2);
                assertArrayEquals(bytes, data.getBytes(2), kind);
                assertEquals("text", data.get(0));
                isNoText(() -> data.get(2), bytes.length + (bytes.length == 1 ? " byte " : " bytes "), "[2]", "no UTF-8", "getBytes");
                isNoText(() -> data.get(new String[5], new int[0]), "[2]", "no UTF-8");
                isNoText(() -> data.scalars().forEach(value -> { }), "[2]", "no UTF-8");
                isNoText(() -> data.stream().forEach(value -> { }), "[2]", "no UTF-8");
                isNoText(() -> data.read(new ByteArrayOutputStream()), "[2]", "no UTF-8");
                String[] untouched = {"u", "u", "u", "u", "u"};
                isNoText(() -> data.copyTo(untouched));
                assertArrayEquals(new String[] {"u", "u", "u", "u", "u"}, untouched, "nothing is copied if anything is wrong");
            }
        }));
    }

    @Test
    void whereTheBytesAreWrong() {
        StringTensorData data = StringTensorData.ofBytes(NO_TEXT, 7, 1);
        int[] places = {0, 1, 0, 0, 0, 0, 5};
        for (int i = 0; i < places.length; i++) {
            int n = i;
            isNoText(() -> data.get(n, 0), "byte " + places[i], "[" + i + ", 0]", "[7, 1]");
        }
    }

    @Test
    void aReplacementCharacterIsText() {
        each(all -> all.forEach((kind, data) -> {
            data.put("a\ufffd", 1);
            assertEquals("a\ufffd", data.get(1), kind);
            data.putBytes("\ufffd".getBytes(StandardCharsets.UTF_8), 3);
            assertEquals("\ufffd", data.get(3), kind);
        }));
    }

    @Test
    void equalityHashAndTextOfBytes() {
        each(all -> {
            for (StringTensorData a : all.values()) {
                a.put(new String[] {"a", "", "c", "d", "e"});
                a.putBytes(NO_TEXT[1], 1);
                int hash = 31 * "STRING".hashCode() + Arrays.hashCode(new long[] {5});
                for (Object element : new Object[] {"a", NO_TEXT[1], "c", "d", "e"}) {
                    hash = 31 * hash + (element instanceof byte[] ? Arrays.hashCode((byte[]) element) : element.hashCode());
                }
                assertEquals(hash, a.hashCode());
                assertEquals("STRING[5] ['a', b'a\\x80', 'c', 'd', 'e']", a.toString());
                for (StringTensorData b : all.values()) {
                    b.put(new String[] {"a", "", "c", "d", "e"});
                    b.putBytes(NO_TEXT[1], 1);
                    a.putBytes(NO_TEXT[1], 1);
                    assertEquals(a, b);
                    b.putBytes(NO_TEXT[0], 1);
                    assertEquals(a == b, a.equals(b));
                    b.put("a\ufffd", 1);
                    assertEquals(a == b, a.equals(b));
                }
            }
        });
    }

    @Test
    void bytesArePrintedAsPythonDoes() {
        byte[] all = new byte[256];
        for (int i = 0; i < 256; i++) {
            all[i] = (byte) i;
        }
        String text = StringTensorData.ofBytes(new byte[][] {all, {'\'', (byte) 0xff}, {'\'', '"', (byte) 0xff}, new byte[20_000]}).toString();
        assertTrue(text.contains("b'\\x00\\x01") && text.contains("\\x7f\\x80") && text.contains("\\xff'"), text);
        assertTrue(text.contains("b\"'\\xff\"") && text.contains("b'\\'\"\\xff'"), text);
        byte[] huge = new byte[3_000_000];
        Arrays.fill(huge, (byte) 0x80);
        assertTrue(StringTensorData.ofBytes(new byte[][] {huge}).toString().length() < 5000);
    }

    @Test
    void copiesKeepBytes() {
        byte[][] values = {NO_TEXT[0], "text".getBytes(StandardCharsets.UTF_8), NO_TEXT[2], {}};
        StringTensorData from = StringTensorData.ofBytes(values, 2, 2);
        try (Tensor<String> tensor = Tensors.create(from);
             Tensor<String> padded = Tensors.denseString(new long[] {2, 2}, 4, 0, data -> data.put(from))) {
            assertEquals(from, tensor.stringData());
            assertEquals(from, padded.stringData());
            byte[][] back = new byte[4][0];
            padded.stringData().get(StringTensorData.ofBytes(back, 2, 2));
            for (int i = 0; i < 4; i++) {
                assertArrayEquals(values[i], back[i]);
                assertArrayEquals(values[i], tensor.stringData().getBytes(i / 2, i % 2));
            }
            String[] texts = {"a", "b", "c", "d"};
            isNoText(() -> tensor.stringData().get(StringTensorData.of(texts, 2, 2)), "for the element [0, 0]", HOLDS_TEXT_ONLY);
            assertArrayEquals(new String[] {"a", "b", "c", "d"}, texts);
            StringOwn own = StringOwn.of(2, 2);
            isNoText(() -> own.put(tensor.stringData()), "for the element [0, 0]", HOLDS_TEXT_ONLY);
            assertEquals(0, own.writes);
        }
    }

    @Test
    void bytesAreCopiedInAndOut() {
        each(all -> all.forEach((kind, data) -> {
            byte[] bytes = {'a', 'b'};
            data.putBytes(bytes, 0);
            bytes[0] = 'x';
            assertEquals("ab", data.get(0), kind);
            data.getBytes(0)[0] = 'y';
            assertEquals("ab", data.get(0), kind);
        }));
        byte[][] mine = {{'a'}, null};
        StringTensorData data = StringTensorData.ofBytes(mine);
        mine[0] = new byte[] {'b'};
        assertEquals("b", data.get(0));
        data.put("new", 1);
        assertArrayEquals(new byte[] {'n', 'e', 'w'}, mine[1]);
        mine[1] = null;
        Expect.thrown(NullPointerException.class, () -> data.getBytes(1), "null", "[1]");
    }

    @Test
    void dataOfTextAlone() {
        StringTensorData array = StringTensorData.of(new String[] {"\u20ac", "b"});
        assertArrayEquals(new byte[] {(byte) 0xe2, (byte) 0x82, (byte) 0xac}, array.getBytes(0));
        array.putBytes(new byte[] {'x'}, 1);
        assertEquals("x", array.get(1));
        isNoText(() -> array.putBytes(NO_TEXT[0], 1), "for the element [1]", "no UTF-8 text: malformed from byte 0 on", HOLDS_TEXT_ONLY);
        assertEquals("x", array.get(1));
        StringOwn own = StringOwn.of(2);
        own.putBytes(new byte[] {'y'}, 0);
        assertEquals("y", own.get(0));
        assertArrayEquals(new byte[] {'y'}, own.getBytes(0));
        isNoText(() -> own.putBytes(NO_TEXT[0], 1), "for the element [1]", HOLDS_TEXT_ONLY);
        String[] lone = {"\ud800"};
        Expect.thrown(IllegalArgumentException.class, () -> StringTensorData.of(lone).getBytes(0), "unpaired surrogate", "[0]");
    }

    @Test
    void coordinatesAndChecks() {
        Tensor<String> tensor = Tensors.denseString(new long[] {2, 3}, data -> {
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.getBytes(2, 0), "index 2", "axis 0", "size 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.getBytes(0), "rank 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.putBytes(new byte[0], 0, -1), "index -1", "axis 1");
            Expect.thrown(NullPointerException.class, () -> data.getBytes((int[]) null), "indices");
            Expect.thrown(NullPointerException.class, () -> data.putBytes(new byte[0], (int[]) null), "indices");
        });
        StringTensorData data = tensor.stringData();
        Expect.thrown(ReadOnlyBufferException.class, () -> data.putBytes(new byte[0], 9), "STRING", "published");
        tensor.close();
        Expect.thrown(TensorClosedException.class, () -> data.getBytes(9), "STRING", "closed");
        Expect.thrown(TensorClosedException.class, () -> data.putBytes(new byte[0], 9), "STRING", "closed");
    }

    /** Null, closed, read-only, coordinates: all come before what is wrong with the bytes. */
    @Test
    void bytesThatAreNoTextAreLookedAtLast() {
        AbstractStringTensorData noPutAt = new AbstractStringTensorData(2) {
            @Override
            protected String getAt(long[] indices) {
                return "a";
            }
        };
        StringTensorData array = StringTensorData.of(new String[2]);
        StringOwn own = StringOwn.of(2);
        SparseTensor<String> sparse = Tensors.sparseString(new long[] {2}, 1, data -> data.put("a", 1));
        RaggedTensor<String> ragged = Tensors.raggedString(new long[] {2, -1}, data -> data.put("a", 0, 0));
        Tensor<String> dense = Tensors.denseString(new long[] {2}, data -> data.put("a", 1));
        Tensor<String> padded = Tensors.denseString(new long[] {2}, 2, 0, data -> data.put("a", 1));
        StringTensorData[] published = {sparse.stringData(), ragged.stringData().slice(0), dense.stringData(), padded.stringData()};
        for (byte[] bytes : NO_TEXT) {
            for (StringTensorData data : published) {
                Expect.thrown(ReadOnlyBufferException.class, () -> data.putBytes(bytes, 0), "STRING", "published");
                Expect.thrown(ReadOnlyBufferException.class, () -> data.putBytes(bytes, 2), "STRING", "published");
            }
            Expect.thrown(ReadOnlyBufferException.class, () -> noPutAt.putBytes(bytes, 0), "has no putAt");
            Expect.thrown(ReadOnlyBufferException.class, () -> noPutAt.putBytes(bytes, 2), "has no putAt");
            Expect.thrown(IndexOutOfBoundsException.class, () -> array.putBytes(bytes, 2), "index 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> own.putBytes(bytes, 0, 0), "rank 1");
        }
        sparse.close();
        ragged.close();
        dense.close();
        padded.close();
        for (StringTensorData data : published) {
            Expect.thrown(TensorClosedException.class, () -> data.putBytes(NO_TEXT[0], 0), "STRING", "closed");
            Expect.thrown(TensorClosedException.class, () -> data.putBytes(NO_TEXT[0], 2), "STRING", "closed");
            Expect.thrown(NullPointerException.class, () -> data.putBytes(null, 2), "bytes");
        }
    }

    @Test
    void ofBytesChecksItsShape() {
        Expect.thrown(NullPointerException.class, () -> StringTensorData.ofBytes(null), "values");
        Expect.thrown(NullPointerException.class, () -> StringTensorData.ofBytes(new byte[2][], (long[]) null), "shape");
        Expect.thrown(IllegalArgumentException.class, () -> StringTensorData.ofBytes(new byte[2][], 3), "[3]", "3 elements", "2");
        Expect.thrown(IllegalArgumentException.class, () -> StringTensorData.ofBytes(new byte[2][], -2), "[-2]", "negative");
    }
}
