package io.tensornio.internal.string;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import io.tensornio.support.Texts;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random programs of puts that work and puts that fail, in both forms, held against a list of byte arrays. */
@ExtendWith(MemoryBalance.class)
class StringProgramTest {
    private static final int PROGRAMS = 4_000;
    private static final int LENGTH = 24;
    private static final byte PADDING = 1;

    /** The bytes of each element, in row-major order. */
    private final List<byte[]> model = new ArrayList<>();
    private boolean padded;
    private int rows;
    private int columns;

    private static boolean isText(byte... bytes) {
        return Arrays.equals(bytes, Texts.utf8(new String(bytes, StandardCharsets.UTF_8)));
    }

    private boolean fits(byte... bytes) {
        return !padded || bytes.length <= LENGTH && (bytes.length == 0 || bytes[bytes.length - 1] != PADDING);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void programs(boolean isPadded) {
        Seeds.each(isPadded ? 1 : 0, PROGRAMS, (random, done) -> run(random, isPadded));
    }

    private void run(Random random, boolean isPadded) {
        padded = isPadded;
        rows = random.nextInt(5);
        columns = random.nextInt(6);
        model.clear();
        for (int i = 0; i < rows * columns; i++) {
            model.add(new byte[0]);
        }
        long[] shape = {rows, columns};
        Consumer<StringTensorData> init = data -> {
            for (int step = random.nextInt(12); step > 0; step--) {
                step(data, random);
            }
            check(data);
        };
        try (Tensor<String> tensor = padded ? Tensors.denseString(shape, LENGTH, PADDING, init) : Tensors.denseString(shape, init)) {
            check(tensor.stringData());
            if (!padded) {
                checkLayout(tensor);
            }
            try (Tensor<String> copy = Tensors.create(tensor.stringData())) {
                check(copy.stringData());
                checkLayout(copy);
                assertEquals(tensor.stringData(), copy.stringData());
                assertEquals(tensor.stringData().hashCode(), copy.stringData().hashCode());
            }
        }
    }

    /** A write at random, which must do what it says or nothing. */
    private void step(StringTensorData data, Random random) {
        if (rows * columns == 0) {
            return;
        }
        int i = random.nextInt(rows);
        int j = random.nextInt(columns);
        switch (random.nextInt(6)) {
            case 0: {
                String text = StringPrograms.text(random, 30);
                write(() -> data.put(text, i, j), fits(Texts.utf8(text)), i * columns + j, Texts.utf8(text));
                break;
            }
            case 1: {
                byte[] bytes = StringPrograms.bytes(random, 30);
                write(() -> data.putBytes(bytes, i, j), fits(bytes), i * columns + j, bytes);
                break;
            }
            case 2: {
                String[] texts = texts(random, random.nextInt(columns - j + 1));
                boolean fit = Arrays.stream(texts).allMatch(text -> fits(Texts.utf8(text)));
                write(() -> data.put(texts, i, j), fit, i * columns + j, all(texts));
                break;
            }
            case 3: {
                String[] texts = texts(random, columns);
                texts[j] = random.nextBoolean() ? "x\ud800" : "\udc00";
                write(() -> data.put(texts, i), false, 0);
                break;
            }
            case 4: {
                // A stream keeps what came before.
                String[] texts = texts(random, columns);
                int good = 0;
                while (good < columns && fits(Texts.utf8(texts[good]))) {
                    good++;
                }
                write(() -> data.put(Stream.of(texts), i), good == columns, 0);
                for (int k = 0; k < good; k++) {
                    model.set(i * columns + k, Texts.utf8(texts[k]));
                }
                break;
            }
            default: {
                byte[][] values = new byte[columns][];
                Arrays.setAll(values, k -> random.nextInt(3) == 0 ? StringPrograms.bytes(random, 26) : Texts.utf8(StringPrograms.text(random, 26)));
                boolean fit = Arrays.stream(values).allMatch(this::fits);
                write(() -> data.put(StringTensorData.ofBytes(values), i), fit, i * columns, values);
            }
        }
        check(data);
    }

    private static String[] texts(Random random, int n) {
        String[] texts = new String[n];
        Arrays.setAll(texts, i -> StringPrograms.text(random, random.nextInt(4) == 0 ? 30 : 23));
        return texts;
    }

    private static byte[][] all(String... texts) {
        return Arrays.stream(texts).map(Texts::utf8).toArray(byte[][]::new);
    }

    private void write(Runnable put, boolean works, int at, byte[]... values) {
        if (!works) {
            assertThrows(IllegalArgumentException.class, put::run);
            return;
        }
        put.run();
        for (int i = 0; i < values.length; i++) {
            model.set(at + i, values[i]);
        }
    }

    private void check(StringTensorData data) {
        StringTensorIterator scalars = data.scalars();
        boolean allText = true;
        for (int n = 0; n < model.size(); n++) {
            int i = n / columns;
            int j = n % columns;
            byte[] bytes = model.get(n);
            assertArrayEquals(bytes, data.getBytes(i, j));
            if (isText(bytes)) {
                assertEquals(new String(bytes, StandardCharsets.UTF_8), data.get(i, j));
                if (allText) {
                    assertEquals(data.get(i, j), scalars.get());
                }
            } else {
                assertThrows(UncheckedIOException.class, () -> data.get(i, j));
                allText = false;
            }
        }
        byte[][] values = model.toArray(new byte[0][]);
        assertEquals(StringTensorData.ofBytes(values, rows, columns), data);
        assertEquals(StringTensorData.ofBytes(values, rows, columns).hashCode(), data.hashCode());
        if (allText) {
            String[] texts = new String[values.length];
            data.copyTo(texts);
            assertArrayEquals(values, all(texts));
        }
    }

    private void checkLayout(Tensor<String> tensor) {
        LongBuffer offsets = tensor.offsets();
        ByteBuffer bytes = tensor.bytes();
        assertEquals(model.size() + 1, offsets.capacity());
        int at = 0;
        for (int n = 0; n < model.size(); n++) {
            assertEquals(at, offsets.get(n));
            for (byte b : model.get(n)) {
                assertEquals(b, bytes.get(at++));
            }
        }
        assertEquals(at, offsets.get(model.size()));
        assertEquals(at, bytes.capacity());
        assertEquals(8L * (model.size() + 1) + at, tensor.numBytes());
    }
}
