package io.tensornio.internal.string;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.Tensors;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Published strings are the same in whatever order they are read, and by however many threads: those read in order are copied ahead. */
@ExtendWith(MemoryBalance.class)
class StringOrderTest {
    /** More than are copied ahead at a time. */
    private static final int N = 3000;

    /** Strings of ASCII alone, or of all kinds: empty, other scripts, longer than what is copied ahead, and now and then what is no text. */
    private static byte[][] strings(Random random, boolean isAscii, int longest) {
        byte[][] strings = new byte[N][];
        for (int i = 0; i < N; i++) {
            StringBuilder text = new StringBuilder();
            int n = random.nextInt(16);
            for (int k = 0; k < n; k++) {
                boolean isLetter = isAscii || random.nextBoolean();
                text.appendCodePoint(isLetter ? 'a' + random.nextInt(26) : new int[] {0xe4, 0x20ac, 0xfffd, 0x1f600}[random.nextInt(4)]);
            }
            strings[i] = text.toString().getBytes(StandardCharsets.UTF_8);
            if (!isAscii && i % 97 == 0) {
                strings[i] = new byte[] {'x', (byte) 0xe2, (byte) 0x82};        // what would be a character with the first byte of a string behind it
            } else if (!isAscii && i % 97 == 1) {
                strings[i] = new byte[] {(byte) 0xac, 'y'};
            } else if (i % 1000 == 500) {
                strings[i] = new byte[longest];
                java.util.Arrays.fill(strings[i], (byte) 'l');
            }
        }
        return strings;
    }

    private static Tensor<String> tensor(byte[][] strings, boolean isPadded, int longest) {
        if (isPadded) {
            return Tensors.denseString(new long[] {N}, longest, 0, data -> fill(data, strings));
        }
        return Tensors.denseString(new long[] {N}, data -> fill(data, strings));
    }

    private static void fill(StringTensorData data, byte[][] strings) {
        for (int i = 0; i < N; i++) {
            data.putBytes(strings[i], i);
        }
    }

    private static void check(byte[][] strings, StringTensorData data, int i) {
        assertArrayEquals(strings[i], data.getBytes(i), () -> "bytes of " + i);
        String text = new String(strings[i], StandardCharsets.UTF_8);
        if (java.util.Arrays.equals(text.getBytes(StandardCharsets.UTF_8), strings[i])) {
            assertEquals(text, data.get(i), () -> "element " + i);
        } else {
            Expect.thrown(UncheckedIOException.class, () -> data.get(i), "[" + i + "]", "no UTF-8");
        }
    }

    /** Reads runs of elements forwards, backwards, with steps and at random. */
    private static void readInAnyOrder(byte[][] strings, StringTensorData data, Random random) {
        for (int run = 0; run < 30; run++) {
            int i = random.nextInt(N / 64) * 64;
            int step = new int[] {1, 1, 1, 2, -1, 7}[random.nextInt(6)];
            for (int k = random.nextInt(1500); k > 0 && i >= 0 && i < N; k--, i += step) {
                check(strings, data, i);
                if (random.nextInt(100) == 0) {
                    check(strings, data, random.nextInt(N));
                }
            }
        }
    }

    @Test
    void anyOrder() {
        Seeds.each(1, 24, (random, done) -> {
            boolean isAscii = random.nextBoolean();
            boolean isPadded = random.nextBoolean();
            int longest = random.nextInt(4) == 0 ? 20_000 : 200;
            done.append(isAscii ? " ASCII" : "").append(isPadded ? " padded " : " ").append(longest);
            byte[][] strings = strings(random, isAscii, longest);
            try (Tensor<String> tensor = tensor(strings, isPadded, longest)) {
                readInAnyOrder(strings, tensor.stringData(), random);
            }
        });
    }

    @Test
    void anyThreads() throws Exception {
        byte[][] strings = strings(new Random(3), false, 200);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (Tensor<String> packed = tensor(strings, false, 200); Tensor<String> padded = tensor(strings, true, 200)) {
            List<Future<?>> runs = new ArrayList<>();
            for (int n = 0; n < 8; n++) {
                Random random = new Random(n);
                StringTensorData data = (n % 2 == 0 ? packed : padded).stringData();
                runs.add(threads.submit(() -> readInAnyOrder(strings, data, random)));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void whatWasCopiedAheadIsNotReadOfAClosedTensor() {
        for (boolean isPadded : new boolean[] {false, true}) {
            byte[][] strings = strings(new Random(4), true, 200);
            Tensor<String> tensor = tensor(strings, isPadded, 200);
            StringTensorData data = tensor.stringData();
            StringTensorIterator scalars = data.scalars();
            for (int i = 0; i < 100; i++) {
                check(strings, data, i);
                assertEquals(data.get(i), scalars.get());
            }
            tensor.close();
            assertThrows(TensorClosedException.class, () -> data.get(100));
            assertThrows(TensorClosedException.class, () -> data.get(99));
            assertThrows(TensorClosedException.class, scalars::get);
            assertThrows(TensorClosedException.class, () -> data.getBytes(100));
        }
    }

    @Test
    void whatIsWrittenAgainIsReadAgain() {
        String[] last = new String[1];
        Tensors.denseString(new long[] {N}, 8, 0, data -> {
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < N; i++) {
                    data.put("a" + round + i, i);
                }
                for (int i = 0; i < N; i++) {
                    assertEquals("a" + round + i, data.get(i));
                }
            }
            StringTensorIterator scalars = data.scalars();
            for (int i = 0; i < 100; i++) {
                scalars.get();
            }
            data.put("other", 100);
            last[0] = scalars.get();
        }).close();
        assertEquals("other", last[0]);
    }
}
