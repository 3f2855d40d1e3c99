package io.tensornio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.LongBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings are read while their tensor is closed: what comes is the tensor's own, "", or a {@link TensorClosedException}. */
@ExtendWith(MemoryBalance.class)
class StringRaceTest {
    private static final int SIDE = 40;

    private static String value(int mark, int n) {
        return "tensor " + mark + " element " + n + (n % 3 == 0 ? " \u20ac" : "");
    }

    private static Tensor<String> make(boolean padded, int mark) {
        java.util.function.Consumer<StringTensorData> init = data -> {
            int[] n = {0};
            data.scalars().onEach(() -> value(mark, n[0]++));
        };
        return padded ? Tensors.denseString(new long[] {SIDE, SIDE}, 60, 0, init) : Tensors.denseString(new long[] {SIDE, SIDE}, init);
    }

    private static void isOwn(String text, int mark, int n) {
        if (!text.isEmpty() && !text.equals(value(mark, n))) {
            throw new AssertionError("`" + text + "` for " + value(mark, n));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsRaceWithClose(boolean padded) throws Exception {
        AtomicInteger marks = new AtomicInteger();
        AtomicLong met = new AtomicLong();
        Tensor<?>[] current = {null};
        int[] mark = {0};
        RaceTeam.rounds(150 * Expect.depth(), () -> {
            mark[0] = marks.incrementAndGet();
            current[0] = make(padded, mark[0]);
        }, thread -> {
            Tensor<?> tensor = current[0];
            int own = mark[0];
            Random random = new Random(31L * own + thread);
            if (thread == 0) {
                for (int i = random.nextInt(200); i > 0; i--) {
                    Thread.yield();
                }
                tensor.close();
                make(padded, -own).close();         // may get the same pages
                return;
            }
            try {
                StringTensorData data = tensor.stringData();
                while (true) {
                    read(data, thread, own, random);
                }
            } catch (TensorClosedException e) {
                met.incrementAndGet();
            }
        }, () -> assertTrue(current[0].isClosed()));
        assertEquals((RaceTeam.THREADS - 1) * 150L * Expect.depth(), met.get());
    }

    private static void read(StringTensorData data, int how, int mark, Random random) {
        switch (how % 4) {
            case 0: {
                StringTensorIterator scalars = data.scalars();
                for (int n = 0; n < SIDE * SIDE; n++) {
                    isOwn(scalars.get(), mark, n);
                }
                break;
            }
            case 1: {
                String[] all = new String[SIDE * SIDE];
                data.copyTo(all);
                for (int n = 0; n < all.length; n++) {
                    isOwn(all[n], mark, n);
                }
                break;
            }
            case 2: {
                int[] n = {SIDE * SIDE};
                data.slice(TensorIndex.flip(), TensorIndex.flip()).scalars().forEach(value -> isOwn(value, mark, --n[0]));
                break;
            }
            default:
                for (int k = 0; k < 100; k++) {
                    int i = random.nextInt(SIDE);
                    int j = random.nextInt(SIDE);
                    isOwn(data.get(i, j), mark, i * SIDE + j);
                    data.getBytes(i, j);
                }
        }
    }

    @Test
    void buffersCanBeReadForEver() throws Exception {
        Tensor<?>[] current = {null};
        RaceTeam.rounds(40 * Expect.depth(), () -> current[0] = make(false, 7), thread -> {
            if (thread == 0) {
                current[0].close();
                return;
            }
            try {
                LongBuffer offsets = current[0].offsets();
                java.nio.ByteBuffer bytes = current[0].bytes();
                for (int round = 0; round < 3; round++) {
                    for (int n = 0; n <= SIDE * SIDE; n++) {
                        long offset = offsets.get(n);
                        assertTrue(offset >= 0 && offset <= bytes.capacity());
                    }
                }
            } catch (TensorClosedException e) {
                assertTrue(current[0].isClosed());
            }
        }, () -> { });
    }

    /** A write that goes on when init returns fails the making, or has no effect, or is all there; and bytes of other tensors never are. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void lateWritesRaceWithPublication(int kind) throws Exception {
        int n = 4000;
        char[] sixty = new char[60];
        java.util.Arrays.fill(sixty, 'a');
        String text = new String(sixty);
        byte[] foreign = new byte[n * 80];
        java.util.Arrays.fill(foreign, (byte) 'S');
        AtomicReference<StringTensorData> leaked = new AtomicReference<>();
        AtomicBoolean stop = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            for (int k = 0; !stop.get(); k++) {
                StringTensorData data = leaked.get();
                try {
                    for (int i = n - 1; data != null && i >= 0; i--) {
                        data.put(k % 2 == 0 ? "" : text, slot(kind, i));
                    }
                } catch (IllegalStateException | IndexOutOfBoundsException | NullPointerException e) {
                    leaked.compareAndSet(data, null);           // published meanwhile, or the store is torn: there is no contract for this
                }
            }
        });
        writer.start();
        try {
            for (int round = 0; round < 60 * Expect.depth(); round++) {
                Tensors.denseUInt8(new long[] {foreign.length}, data -> data.copyFrom(foreign)).close();
                try (BaseTensor<String> tensor = leak(kind, n, text, leaked)) {
                    StringTensorData data = tensor.stringData();
                    for (int i = 0; i < n; i++) {
                        String found = data.get(slot(kind, i));
                        assertTrue(found.isEmpty() || found.equals(text), found);
                    }
                } catch (IllegalStateException | IndexOutOfBoundsException e) {
                    leaked.set(null);
                }
            }
        } finally {
            stop.set(true);
            writer.join();
        }
    }

    private static int[] slot(int kind, int i) {
        return kind == 0 ? new int[] {i} : new int[] {i / 10, i % 10};
    }

    private static BaseTensor<String> leak(int kind, int n, String text, AtomicReference<StringTensorData> leaked) {
        java.util.function.Consumer<StringTensorData> init = data -> {
            for (int i = 0; i < n; i++) {
                data.put(text, slot(kind, i));
            }
            leaked.set(data);
        };
        return kind == 0 ? Tensors.denseString(new long[] {n}, init)
            : kind == 1 ? Tensors.raggedString(new long[] {n / 10, -1}, init)
            : Tensors.sparseString(new long[] {n / 10, 10}, n, init);
    }
}
