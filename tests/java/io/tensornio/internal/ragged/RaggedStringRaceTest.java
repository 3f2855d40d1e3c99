package io.tensornio.internal.ragged;

import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.step;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.RaggedTensor;
import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.RaceTeam;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Ragged strings are read while their tensor is closed: each read gives the text that stands at that place, whole, or throws {@link
 * TensorClosedException}. Row splits and offsets that read as zeros lead to no other text, and to no other exception.
 */
@ExtendWith(MemoryBalance.class)
class RaggedStringRaceTest {
    private static final int ROUNDS = 20;
    /** What no row has more of. */
    private static final int LONGEST = 12;

    /** In what form the strings lie in memory. */
    private enum Form { FILLED, PACKED, PADDED }

    /** A tensor whose texts tell whose they are, and where they stand. */
    private static final class Marked {
        final int mark;
        final int rows;
        final int total;
        final RaggedTensor<String> tensor;

        Marked(Form form, int mark, int rows) {
            this.mark = mark;
            this.rows = rows;
            int sum = 0;
            long[] lengths = new long[rows];
            for (int i = 0; i < rows; i++) {
                lengths[i] = length(i);
                sum += length(i);
            }
            total = sum;
            tensor = form == Form.FILLED ? filled() : shared(form, lengths);
        }

        static int length(int i) {
            return i * 7 % (LONGEST + 1);
        }

        String text(int i, int j) {
            return "tensor " + mark + " row " + i + " place " + j + (i % 3 == 0 ? " \u20ac" : "");
        }

        private String[] row(int i) {
            String[] row = new String[length(i)];
            for (int j = 0; j < row.length; j++) {
                row[j] = text(i, j);
            }
            return row;
        }

        private RaggedTensor<String> filled() {
            return Tensors.raggedString(new long[] {rows, -1}, data -> {
                for (int i = 0; i < rows; i++) {
                    data.put(row(i), i);
                }
            });
        }

        /** Over the memory of a dense tensor, which is closed: the ragged one is its last owner. */
        private RaggedTensor<String> shared(Form form, long... lengths) {
            java.util.function.Consumer<StringTensorData> init = data -> {
                StringTensorIterator scalars = data.scalars();
                for (int i = 0; i < rows; i++) {
                    for (String text : row(i)) {
                        scalars.put(text);
                    }
                }
            };
            long[] shape = {total};
            try (Tensor<String> values = form == Form.PADDED ? Tensors.denseString(shape, 60, ' ', init) : Tensors.denseString(shape, init)) {
                return RaggedTensor.fromRowLengths(values.stringData(), lengths);
            }
        }

        void check(String read, int i, int j) {
            if (!text(i, j).equals(read)) {
                throw new AssertionError("`" + read + "` for `" + text(i, j) + "`" + (tensor.isClosed() ? ", closed" : ""));
            }
        }

        void checkRow(int i, String... read) {
            assertEquals(length(i), read.length, () -> "length of row " + i + (tensor.isClosed() ? ", closed" : ""));
            for (int j = 0; j < read.length; j++) {
                check(read[j], i, j);
            }
        }

        void checkAll(String... read) {
            assertEquals(total, read.length);
            int n = 0;
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < length(i); j++) {
                    check(read[n++], i, j);
                }
            }
        }
    }

    /** Runs rounds in each of which one thread closes a tensor that seven read until they find it closed. */
    private static void race(Form form, int rows, boolean whole) throws Exception {
        AtomicInteger marks = new AtomicInteger();
        AtomicLong met = new AtomicLong();
        Marked[] current = {null};
        RaceTeam.rounds(ROUNDS * Expect.depth(), () -> current[0] = new Marked(form, marks.incrementAndGet(), rows), thread -> {
            Marked marked = current[0];
            Random random = new Random(31L * marked.mark + thread);
            if (thread == 0) {
                for (int i = random.nextInt(6); i > 0; i--) {
                    Thread.yield();             // each lets the others read for some milliseconds
                }
                marked.tensor.close();
                new Marked(form, -marked.mark, rows).tensor.close();         // may get the same pages
                return;
            }
            try {
                StringTensorData data = marked.tensor.stringData();
                while (true) {
                    if (whole) {
                        readWhole(marked, data, thread);
                    } else {
                        readSome(marked, data, random);
                    }
                }
            } catch (TensorClosedException e) {
                assertTrue(marked.tensor.isClosed());
                met.incrementAndGet();
            }
        }, () -> assertTrue(current[0].tensor.isClosed()));
        assertEquals((RaceTeam.THREADS - 1) * (long) ROUNDS * Expect.depth(), met.get());
    }

    private static void readSome(Marked marked, StringTensorData data, Random random) {
        for (int n = 0; n < 100; n++) {
            int i = random.nextInt(marked.rows);
            int length = Marked.length(i);
            if (length == 0) {
                assertEquals(0, data.slice(i).stream().count());
                continue;
            }
            int j = random.nextInt(length);
            switch (n % 6) {
                case 0:
                    marked.check(data.get(i, j), i, j);
                    break;
                case 1:
                    marked.check(new String(data.getBytes(i, j), StandardCharsets.UTF_8), i, j);
                    break;
                case 2: {
                    String[] row = new String[length];
                    data.get(row, i);
                    marked.checkRow(i, row);
                    break;
                }
                case 3:
                    marked.checkRow(i, data.slice(i).stream().toArray(String[]::new));
                    break;
                case 4:
                    marked.check(data.slice(i).slice(j).get(), i, j);
                    break;
                default:
                    marked.check(data.slice(flip()).slice(marked.rows - 1 - i).get(j), i, j);
            }
        }
    }

    private static void readWhole(Marked marked, StringTensorData data, int how) {
        switch (how) {
            case 1: {
                StringTensorIterator scalars = data.scalars();
                for (int i = 0; i < marked.rows; i++) {
                    for (int j = 0; j < Marked.length(i); j++) {
                        marked.check(scalars.get(), i, j);
                    }
                }
                break;
            }
            case 2:
                marked.checkAll(data.stream().toArray(String[]::new));
                break;
            case 3:
                marked.checkAll(data.stream().parallel().toArray(String[]::new));
                break;
            case 4: {
                String[] all = new String[marked.total];
                data.copyTo(all);
                marked.checkAll(all);
                break;
            }
            case 5: {
                String[][] nested = marked.tensor.toNested(String[][].class);
                for (int i = 0; i < marked.rows; i++) {
                    marked.checkRow(i, nested[i]);
                }
                break;
            }
            case 6: {
                int i = 0;
                for (StringTensorData row : data.slice(step(2)).elements()) {
                    marked.checkRow(i, row.stream().collect(Collectors.toList()).toArray(new String[0]));
                    i += 2;
                }
                break;
            }
            default:
                try (Tensor<String> dense = marked.tensor.toDense("none")) {
                    StringTensorIterator scalars = dense.stringData().scalars();
                    for (int i = 0; i < marked.rows; i++) {
                        for (int j = 0; j < LONGEST; j++) {
                            String read = scalars.get();
                            if (j < Marked.length(i)) {
                                marked.check(read, i, j);
                            } else {
                                assertEquals("none", read);
                            }
                        }
                    }
                }
        }
    }

    /** Small tensors share memory with others, large ones have pages that move. */
    @ParameterizedTest
    @CsvSource({"FILLED, 30", "FILLED, 2000", "PACKED, 30", "PACKED, 2000", "PADDED, 30", "PADDED, 2000"})
    void someElementsAndRows(Form form, int rows) throws Exception {
        race(form, rows, false);
    }

    @ParameterizedTest
    @CsvSource({"FILLED, 30", "FILLED, 2000", "PACKED, 30", "PACKED, 2000", "PADDED, 30", "PADDED, 2000"})
    void allElements(Form form, int rows) throws Exception {
        race(form, rows, true);
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void hashesAndEqualityAreThoseOfTheTensorOrItIsClosed(Form form) throws Exception {
        Marked[] current = {null};
        try (RaggedTensor<String> same = new Marked(form, 7, 500).tensor) {
            StringTensorData expected = same.stringData();
            int hash = expected.hashCode();
            RaceTeam.rounds(ROUNDS * Expect.depth(), () -> current[0] = new Marked(form, 7, 500), thread -> {
                RaggedTensor<String> tensor = current[0].tensor;
                if (thread == 0) {
                    tensor.close();
                    new Marked(form, 8, 500).tensor.close();
                    return;
                }
                try {
                    StringTensorData data = tensor.stringData();
                    while (true) {
                        assertEquals(hash, data.hashCode());
                        assertTrue(thread % 2 == 0 ? expected.equals(data) : data.equals(expected));
                    }
                } catch (TensorClosedException e) {
                    assertTrue(tensor.isClosed());
                }
            }, () -> assertTrue(current[0].tensor.isClosed()));
        }
    }
}
