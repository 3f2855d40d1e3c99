package io.tensornio.internal.string;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AbstractStringTensorData;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.internal.memory.Forked;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.StringValues;
import io.tensornio.support.Texts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UTFDataFormatException;
import java.io.UncheckedIOException;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings to and from streams of bytes, held against {@link DataOutputStream#writeUTF}; the shape {@code [-1]}. */
@ExtendWith(MemoryBalance.class)
class ModifiedUtf8Test {
    private static final String[] TEXTS = {"", "abc", "\0", "\u007f\u0080\u07ff\u0800\uffff", "\ud83d\ude00!", "\u00e9\u20ac", "tail"};

    private static byte[] encoded(String... texts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            for (String text : texts) {
                out.writeUTF(text);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    private static InputStream in(byte... bytes) {
        return new ByteArrayInputStream(bytes);
    }

    /** A stream that gives a byte at a time, and now and then none. */
    private static InputStream drops(byte... bytes) {
        return new InputStream() {
            private int at;
            private int calls;

            @Override
            public int read() {
                return at < bytes.length ? bytes[at++] & 0xff : -1;
            }

            @Override
            public int read(byte[] to, int from, int n) {
                if (n == 0 || ++calls % 5 == 0) {
                    return 0;
                }
                int next = read();
                if (next < 0) {
                    return -1;
                }
                to[from] = (byte) next;
                return 1;
            }
        };
    }

    private static <E extends IOException> void fails(Class<E> cause, org.junit.jupiter.api.function.Executable call, String... parts) {
        UncheckedIOException e = Expect.thrown(UncheckedIOException.class, call);
        assertSame(cause, e.getCause().getClass());
        Expect.says(e.getCause(), parts);
    }

    private static String[] read(byte[] bytes, int n) throws IOException {
        DataInputStream in = new DataInputStream(in(bytes));
        String[] texts = new String[n];
        for (int i = 0; i < n; i++) {
            texts[i] = in.readUTF();
        }
        assertEquals(-1, in.read());
        return texts;
    }

    // ---- Out -------------------------------------------------------------------------------------------------------

    @Test
    void asDataOutputWrites() throws IOException {
        String[] many = new String[20_000];
        Arrays.setAll(many, i -> TEXTS[i % TEXTS.length] + i);
        many[77] = Texts.repeat('x', 65_535);
        many[78] = Texts.repeat('\u20ac', 21_845);
        for (int n = 0; n < 40; n++) {              // short ones are looked through first
            many[100 + n] = Texts.repeat('x', n);
            many[140 + n] = Texts.repeat('x', n) + "\0";
        }
        for (String[] texts : new String[][] {{}, {""}, TEXTS, many}) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (Tensor<String> tensor = Tensors.create(StringTensorData.of(texts))) {
                tensor.stringData().read(out);
                assertArrayEquals(encoded(texts), out.toByteArray());
                out.reset();
                tensor.stringData().writeTo(out);
                assertArrayEquals(texts, read(out.toByteArray(), texts.length));
            }
            out.reset();
            StringTensorData.of(texts).slice(TensorIndex.flip()).read(out);
            String[] flipped = read(out.toByteArray(), texts.length);
            for (int i = 0; i < texts.length; i++) {
                assertEquals(texts[i], flipped[texts.length - 1 - i]);
            }
        }
    }

    @Test
    void tooLongForTheEncoding() {
        for (String text : new String[] {Texts.repeat('x', 65_536), Texts.repeat('\0', 32_768), Texts.repeat('\u20ac', 21_846)}) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            StringTensorData data = StringTensorData.of(new String[] {"a", "b", text, "d"});
            fails(UTFDataFormatException.class, () -> data.read(out), "position 2 of the 4 elements", "65535", text.length() + " characters");
            assertArrayEquals(encoded("a", "b"), out.toByteArray(), "what came before is there");
        }
    }

    /** Modified UTF-8 could hold them, but no data would take them back. */
    @Test
    void unpairedSurrogatesOfTheUsersOwn() {
        String[] wrong = {"\ud83d", "\ude00", "ab\ude00\ud83d", "\ud83d\ude00\ud83d", "a\u20ac\ud83d!"};
        int[] index = {0, 0, 2, 2, 2};
        for (int i = 0; i < wrong.length; i++) {
            String[] texts = {"a", "\ud83d\ude00", wrong[i], "d"};
            StringTensorData array = StringTensorData.of(texts);
            StringTensorData own = new AbstractStringTensorData(4) {
                @Override
                protected String getAt(long[] indices) {
                    return texts[(int) indices[0]];
                }
            };
            for (StringTensorData data : new StringTensorData[] {array, own, array.slice(TensorIndex.all())}) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                String at = "U+" + Integer.toHexString(wrong[i].charAt(index[i])).toUpperCase(java.util.Locale.ROOT) + " at index " + index[i];
                fails(UTFDataFormatException.class, () -> data.read(out), "position 2 of the 4 elements of [4]", "unpaired surrogate " + at);
                assertArrayEquals(encoded("a", "\ud83d\ude00"), out.toByteArray(), "what came before is there");
                out.reset();
                fails(UTFDataFormatException.class, () -> data.writeTo(out), "unpaired surrogate " + at);
                assertEquals(texts[2], data.get(2), "it can be read alone");
            }
            byte[] bytes = encoded(texts);
            Expect.thrown(UncheckedIOException.class, () -> Tensors.denseString(new long[] {4}, data -> data.write(in(bytes))), "unpaired surrogate");
        }
    }

    @Test
    void aStreamThatFails() {
        IOException full = new IOException("full");
        OutputStream out = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw full;
            }
        };
        assertSame(full, Expect.thrown(UncheckedIOException.class, () -> StringTensorData.of(TEXTS).read(out)).getCause());
        Expect.thrown(NullPointerException.class, () -> StringTensorData.of(TEXTS).read(null), "out");
        Expect.thrown(NullPointerException.class, () -> StringTensorData.of(TEXTS).write(null), "in");
    }

    // ---- In --------------------------------------------------------------------------------------------------------

    @Test
    void asDataOutputHasWritten() throws IOException {
        String[] long0 = {Texts.repeat('x', 65_535), "", Texts.repeat('\u20ac', 21_845), Texts.repeat('\u00e9', 1000)};
        for (String[] texts : new String[][] {{}, {""}, TEXTS, long0}) {
            InputStream rest = new SequenceInputStream(in(encoded(texts)), in((byte) 42, (byte) 43));
            try (Tensor<String> tensor = Tensors.denseString(new long[] {texts.length, 1}, data -> data.write(rest));
                    Tensor<String> slow = Tensors.denseString(new long[] {texts.length}, data -> data.readFrom(drops(encoded(texts))))) {
                assertArrayEquals(texts, StringValues.all(tensor.stringData()));
                assertArrayEquals(texts, StringValues.all(slow.stringData()));
            }
            assertEquals(42, rest.read(), "nothing is read ahead");
        }
    }

    @Test
    void endsInTheMiddle() {
        byte[] bytes = encoded("ab", "c", "def");
        String[] before = {"u", "v", "w"};
        for (int end = 0; end < bytes.length; end++) {
            String[] array = before.clone();
            StringTensorData data = StringTensorData.of(array);
            int whole = end < 4 ? 0 : end < 7 ? 1 : 2;
            byte[] cut = Arrays.copyOf(bytes, end);
            fails(EOFException.class, () -> data.write(in(cut)), "after " + whole + " of the 3 elements of [3]");
            for (int i = 0; i < 3; i++) {
                assertEquals(i < whole ? new String[] {"ab", "c", "def"}[i] : before[i], array[i], "after " + end);
            }
        }
        fails(EOFException.class, () -> StringTensorData.of(before).write(in(Arrays.copyOf(bytes, 1))), "1 of the 2 bytes");
        fails(EOFException.class, () -> StringTensorData.of(before).write(in(Arrays.copyOf(bytes, 10))), "1 of the 3 bytes of the next");
    }

    /** A stream that says of each read that it read a byte more than it was asked for, but for some at the start. */
    private static InputStream boasts(int honest, byte... bytes) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] to, int from, int n) {
                boolean lies = pos >= honest;
                int got = super.read(to, from, n);
                return lies ? n + 1 : got;
            }
        };
    }

    @Test
    void saysThatItReadMoreThanItWasAskedFor() {
        byte[] bytes = encoded("ab", "c", "def");
        String[] array = {"u", "v", "w"};
        fails(IOException.class, () -> StringTensorData.of(array).write(boasts(4, bytes)), "3 bytes", "2 were asked for");
        assertArrayEquals(new String[] {"ab", "v", "w"}, array);
        fails(IOException.class, () -> StringTensorData.of(array).write(boasts(9, bytes)), "4 bytes", "3 were asked for");
        assertArrayEquals(new String[] {"ab", "c", "w"}, array);
        fails(IOException.class, () -> unsized(false, data -> data.write(boasts(0, bytes))), "were asked for");
    }

    @Test
    void malformed() {
        byte[][] all = {
            {(byte) 0x80}, {'a', (byte) 0xbf}, {(byte) 0xf0, (byte) 0x9f, (byte) 0x98, (byte) 0x80}, {(byte) 0xff}, {(byte) 0xc3},
            {(byte) 0xe2, (byte) 0x82},
            {(byte) 0xc3, 'x'}, {(byte) 0xe2, 'x', (byte) 0x80}, {(byte) 0xe2, (byte) 0x82, 'x'},
        };
        int[] places = {0, 1, 0, 0, 0, 0, 0, 0, 0};
        for (int i = 0; i < all.length; i++) {
            byte[] text = all[i];
            byte[] bytes = Arrays.copyOf(encoded("first"), 9 + text.length + 3);
            bytes[8] = (byte) text.length;
            System.arraycopy(text, 0, bytes, 9, text.length);
            String[] array = {"u", "v", "w"};
            InputStream in = in(bytes);
            fails(UTFDataFormatException.class, () -> StringTensorData.of(array).write(in), "position 1 of the 3 elements", "no modified UTF-8",
                text.length + (text.length == 1 ? " byte " : " bytes "), "byte " + places[i]);
            assertArrayEquals(new String[] {"first", "v", "w"}, array);
            try {
                assertEquals(3, in.available(), "nothing behind it was read");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void unpairedSurrogatesInAStream() {
        String[] array = {"u", "v"};
        fails(UTFDataFormatException.class, () -> StringTensorData.of(array).write(in(encoded("a", "b\ud83d"))), "unpaired surrogate", "index 1",
            "position 1");
        assertArrayEquals(new String[] {"a", "v"}, array);
    }

    @Test
    void writingTheImmutable() {
        Tensor<String> tensor = Tensors.denseString(new long[] {0}, data -> { });
        StringTensorData data = tensor.stringData();
        Expect.thrown(ReadOnlyBufferException.class, () -> data.write(in()), "published");
        tensor.close();
        Expect.thrown(TensorClosedException.class, () -> data.write(in()), "closed");
        Expect.thrown(TensorClosedException.class, () -> data.read(new ByteArrayOutputStream()), "closed");
    }

    // ---- The shape [-1] ----------------------------------------------------------------------------------------------

    private static Tensor<String> unsized(boolean padded, Consumer<StringTensorData> init) {
        return padded ? Tensors.denseString(new long[] {-1}, 12, 32, init) : Tensors.denseString(new long[] {-1}, init);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void manyStringsOfAnInputStayAsTheyCame(boolean padded) {
        for (int n : new int[] {1023, 1024, 1025, 2048, 2049, 50_000}) {
            String[] texts = new String[n];
            Arrays.setAll(texts, i -> i % 7 == 0 ? "" : "\u20ac" + i);
            try (Tensor<String> tensor = unsized(padded, data -> data.write(in(encoded(texts))))) {
                assertArrayEquals(texts, StringValues.all(tensor.stringData()));
            }
        }
    }

    @Test
    void aVectorOfAnInputTakesTheHeapOfItsStringsOnce() {
        Forked.with("-Xmx256m", "-Dtensornio.maxMemory=1g").run(StringInputProgram.class, "many");
    }

    @Test
    void aVectorOfAnInputTakesNoMoreOfTheBudgetThanTheTensorHas() {
        Forked.with("-Xmx512m", "-Dtensornio.maxMemory=130m").run(StringInputProgram.class, "many");
        Forked.with("-Xmx512m", "-Dtensornio.maxMemory=41m").run(StringInputProgram.class, "long");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theLengthIsThatOfTheInput(boolean padded) {
        String[] many = new String[5000];
        Arrays.setAll(many, i -> i % 3 == 0 ? "" : "\u20ac" + i);
        for (String[] texts : new String[][] {{}, {""}, TEXTS, many}) {
            StringTensorData[] kept = new StringTensorData[1];
            try (Tensor<String> tensor = unsized(padded, data -> {
                kept[0] = data;
                assertArrayEquals(new long[] {0}, data.shape());
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.put("x", 0));
                Expect.thrown(IndexOutOfBoundsException.class, () -> data.put(new String[] {"x"}));
                data.write(drops(encoded(texts)));
                assertEquals(texts.length, data.size(0));
                if (texts.length > 1) {
                    data.put("put", 1);
                    data.slice(TensorIndex.range(0, 1)).put(new String[] {"again"});
                }
            })) {
                String[] expected = texts.clone();
                if (texts.length > 1) {
                    expected[0] = "again";
                    expected[1] = "put";
                }
                assertArrayEquals(new long[] {texts.length}, tensor.shape());
                assertArrayEquals(expected, StringValues.all(tensor.stringData()));
                assertArrayEquals(expected, StringValues.all(kept[0]));
                assertEquals(tensor.stringData(), kept[0]);
                assertEquals(padded ? 12L * texts.length : tensor.bytes().capacity() + 8L * (texts.length + 1), tensor.numBytes());
                Expect.thrown(ReadOnlyBufferException.class, () -> kept[0].put("x", 0), "published");
                Expect.thrown(ReadOnlyBufferException.class, () -> kept[0].write(in()), "published");
            }
            Expect.thrown(TensorClosedException.class, () -> kept[0].get(0), "closed");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aViewFromBeforeTheInputStaysEmpty(boolean padded) {
        unsized(padded, data -> {
            StringTensorData before = data.slice();
            data.write(in(encoded("a", "b")));
            assertArrayEquals(new long[] {0}, before.shape());
            assertArrayEquals(new long[] {2}, data.slice().shape());
        }).close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theVectorOfAnInputTakesOneIndex(boolean padded) {
        unsized(padded, data -> {
            data.write(in(encoded("a", "b")));
            assertEquals("b", data.get(1));
            assertEquals("b", data.slice(1).get());
            data.put("c", 1);
            assertEquals("c", data.get(new int[] {1}));
            Expect.thrown(NullPointerException.class, () -> data.put((String) null, 1), "value");
            for (Executable call : new Executable[] {data::get, () -> data.get(0, 1), () -> data.get(0, 1, 0), () -> data.get(0, 1, 0, 0),
                () -> data.put("x"), () -> data.put("x", 0, 1), () -> data.put("x", 0, 1, 0), () -> data.put("x", 0, 1, 0, 0),
                () -> data.slice(0, 1), () -> data.slice(0, 1, 0), () -> data.slice(0, 1, 0, 0), () -> data.get(2), () -> data.slice(2)}) {
                Expect.thrown(IndexOutOfBoundsException.class, call, "[2]");
            }
        }).close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theSecondInputHasTheLengthOfTheFirst(boolean padded) throws IOException {
        InputStream second = in(encoded("c", "d", "e"));
        try (Tensor<String> tensor = unsized(padded, data -> {
            data.write(in(encoded("a", "b")));
            data.write(second);
        })) {
            assertArrayEquals(new String[] {"c", "d"}, StringValues.all(tensor.stringData()));
        }
        assertEquals(3, second.available());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anInputThatEndsInsideOfAString(boolean padded) {
        byte[] bytes = encoded("ab", "c", "def");
        for (int end = 0; end <= bytes.length; end++) {
            byte[] cut = Arrays.copyOf(bytes, end);
            int whole = end < 4 ? 0 : end < 7 ? 1 : end < 12 ? 2 : 3;
            boolean clean = end == 0 || end == 4 || end == 7 || end == 12;
            try (Tensor<String> tensor = unsized(padded, data -> {
                if (clean) {
                    data.write(in(cut));
                } else {
                    fails(EOFException.class, () -> data.write(in(cut)), "after " + whole + " of the elements");
                }
            })) {
                assertArrayEquals(Arrays.copyOf(new String[] {"ab", "c", "def"}, whole), StringValues.all(tensor.stringData()),
                    "what came before stays");
            }
            if (!clean) {
                fails(EOFException.class, () -> unsized(padded, data -> data.write(in(cut))), "after " + whole + " of the elements");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsWrongWithAnInputIsToldWithTheTensor(boolean padded) {
        String name = "of the STRING tensor of shape [-1]";
        byte[] two = encoded("a", "bc");
        fails(EOFException.class, () -> unsized(padded, data -> data.write(in(Arrays.copyOf(two, 4)))),
            "the stream ended after 1 of the elements " + name + " and 1 of the 2 bytes of the next one's length");
        two[6] = (byte) 0x80;
        fails(UTFDataFormatException.class, () -> unsized(padded, data -> data.write(in(two))),
            "the string at position 1 of the elements " + name);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anInputThatIsReadTakesNoOther(boolean padded) throws IOException {
        byte[] bytes = encoded("a", "b");
        InputStream inner = in(encoded("c"));
        try (Tensor<String> tensor = unsized(padded, data -> data.write(new InputStream() {
            private int at;

            @Override
            public int read() {
                Expect.thrown(IllegalStateException.class, () -> data.write(inner), "the STRING tensor of shape [-1]", "is being filled");
                Expect.thrown(IllegalStateException.class, () -> data.readFrom(inner), "the STRING tensor of shape [-1]", "is being filled");
                Expect.thrown(NullPointerException.class, () -> data.write(null), "in");
                return at == bytes.length ? -1 : bytes[at++];
            }
        }))) {
            assertArrayEquals(new String[] {"a", "b"}, StringValues.all(tensor.stringData()));
        }
        assertEquals(3, inner.available());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutInputThereIsNoLength(boolean padded) {
        StringTensorData[] kept = new StringTensorData[1];
        Expect.thrown(IllegalStateException.class, () -> unsized(padded, data -> kept[0] = data), "[-1]", "write(InputStream)");
        Expect.thrown(TensorClosedException.class, kept[0]::scalars, "closed");
        Expect.thrown(NullPointerException.class, () -> unsized(padded, data -> data.write(null)), "in");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsPutBeforeThereIsALength(boolean padded) {
        List<Consumer<StringTensorData>> puts = Arrays.asList(data -> data.put("a", 0), data -> data.put("a"), data -> data.put("a", 0, 0),
            data -> data.putBytes(new byte[1], 0), data -> data.put(new String[] {"a"}), data -> data.put(new String[] {"a"}, 0),
            data -> data.put(Stream.of("a")), data -> data.put(StringTensorData.of(new String[] {"a"})), data -> data.putNested(new String[] {"a"}));
        try (Tensor<String> tensor = unsized(padded, data -> {
            for (Consumer<StringTensorData> put : puts) {
                Expect.thrown(IndexOutOfBoundsException.class, () -> put.accept(data), "STRING", "no elements", "shape [-1]", "readFrom");
            }
            Expect.thrown(NullPointerException.class, () -> data.put((String) null, 0), "value");
            data.readFrom(in(encoded("b")));
            puts.get(0).accept(data);
        })) {
            assertArrayEquals(new String[] {"a"}, StringValues.all(tensor.stringData()));
            Expect.thrown(ReadOnlyBufferException.class, () -> tensor.stringData().put("a", 0), "published");
        }
    }

    @Test
    void whatDoesNotFitAFixedLength() {
        try (Tensor<String> tensor = unsized(true, data ->
                Expect.thrown(IllegalArgumentException.class, () -> data.write(in(encoded("a", "thirteen long"))), "13 bytes",
                    "[1] of the shape [-1]", "have 12"))) {
            assertArrayEquals(new String[] {"a"}, StringValues.all(tensor.stringData()));
        }
        Expect.thrown(IllegalArgumentException.class, () -> unsized(true, data -> data.write(in(encoded("ends in ")))), "padding 32");
    }

    @Test
    void randomTextsThereAndBack() {
        Random random = new Random(5);
        for (int round = 0; round < 300 * Expect.depth(); round++) {
            String[] texts = new String[random.nextInt(30)];
            Arrays.setAll(texts, i -> StringPrograms.text(random, 40));
            byte[] bytes = encoded(texts);
            try (Tensor<String> tensor = Tensors.denseString(new long[] {-1}, data -> data.write(in(bytes)))) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                tensor.stringData().read(out);
                assertArrayEquals(bytes, out.toByteArray());
                assertArrayEquals(texts, StringValues.all(tensor.stringData()));
            }
            assertTrue(bytes.length >= 2 * texts.length);
        }
    }
}
