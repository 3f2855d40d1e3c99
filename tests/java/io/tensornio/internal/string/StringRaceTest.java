package io.tensornio.internal.string;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.RaceTeam;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings are read while their tensor is closed: what comes is the tensor's own, "", or a {@link TensorClosedException}. */
@ExtendWith(MemoryBalance.class)
class StringRaceTest {
    private static final int SIDE = 40;
    private static final int ROUNDS = 50;
    private static final int LATE = 4000;
    private static final int RAGGED = 1;
    private static final int SPARSE = 2;
    private static final int PADDED = 3;
    private static final String SIXTY = String.join("", Collections.nCopies(60, "a"));

    private static String value(int mark, int n) {
        return "tensor " + mark + " element " + n + (n % 3 == 0 ? " \u20ac" : "");
    }

    private static Tensor<String> make(boolean padded, int mark) {
        Consumer<StringTensorData> init = data -> {
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
        RaceTeam.rounds(ROUNDS * Expect.depth(), () -> {
            mark[0] = marks.incrementAndGet();
            current[0] = make(padded, mark[0]);
        }, thread -> {
            Tensor<?> tensor = current[0];
            int own = mark[0];
            Random random = new Random(31L * own + thread);
            if (thread == 0) {
                for (int i = random.nextInt(8); i > 0; i--) {
                    Thread.yield();             // each lets the others read for some milliseconds
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
        assertEquals((RaceTeam.THREADS - 1) * (long) ROUNDS * Expect.depth(), met.get());
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
        RaceTeam.rounds(15 * Expect.depth(), () -> current[0] = make(false, 7), thread -> {
            if (thread == 0) {
                current[0].close();
                return;
            }
            try {
                LongBuffer offsets = current[0].offsets();
                ByteBuffer bytes = current[0].bytes();
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

    /** What a thread does with data of a tensor that it should have left alone, for the k-th time. */
    private interface Write {
        void to(StringTensorData data, int k);
    }

    /**
     * A write that goes on when init returns, as none should, fails the making, or has no effect, or is there, if only a part of it: the start of an
     * element and its length are not written at once. But all that is ever read are bytes of this tensor, those not written yet being 0.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void lateWritesRaceWithPublicationAndFailure(int kind) throws Exception {
        raceLate(kind, LATE, (data, k) -> {
            for (int i = LATE - 1; i >= 0; i--) {
                data.put(k % 2 == 0 ? "" : SIXTY, slot(kind, i));
            }
        });
    }

    /** As {@link #lateWritesRaceWithPublicationAndFailure}, by copies from one part of a tensor to another, of which the texts are never seen. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void lateCopiesWithinRaceWithPublicationAndFailure(int kind) throws Exception {
        raceLate(kind, LATE, (data, k) -> {
            StringTensorData front = data.slice(TensorIndex.to(-1));
            StringTensorData back = data.slice(TensorIndex.from(1));
            data.put("", slot(kind, LATE / 3 + k % 10));
            if (kind == RAGGED) {               // rows that grow are put one by one
                for (int row = 1; row < LATE / 10; row++) {
                    data.put(data.slice(row - k % 2), row - (k + 1) % 2);
                }
            } else if (k % 2 == 0) {
                front.put(back);
            } else {
                back.put(front);
            }
        });
    }

    /** As {@link #lateWritesRaceWithPublicationAndFailure}, many at a time: they go straight to memory, and a mistake takes them back. */
    @ParameterizedTest
    @ValueSource(ints = {0, PADDED})
    void lateBulkPutsRaceWithPublicationAndFailure(int kind) throws Exception {
        String[] texts = new String[LATE / 2];
        Arrays.fill(texts, SIXTY);
        String[] wrong = texts.clone();
        wrong[wrong.length - 1] = "\ud83d";
        raceLate(kind, LATE / 2, (data, k) -> {
            try {
                data.put(k % 2 == 0 ? wrong : texts, LATE / 2);
            } catch (IllegalArgumentException e) {
                assertTrue(e.getMessage().contains("surrogate"));
            }
        });
    }

    /** Has a thread write to a tensor of which so many elements were put before it began. */
    private static void raceLate(int kind, int filled, Write write) throws Exception {
        byte[] foreign = new byte[LATE * 80];
        Arrays.fill(foreign, (byte) 'S');
        AtomicReference<StringTensorData> leaked = new AtomicReference<>();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicInteger begun = new AtomicInteger();
        Thread writer = new Thread(() -> {
            for (int k = 0; !stop.get(); k++) {
                StringTensorData data = leaked.get();
                try {
                    if (data != null) {
                        begun.incrementAndGet();
                        write.to(data, k);
                    }
                } catch (ReadOnlyBufferException | IllegalStateException | IndexOutOfBoundsException | NullPointerException e) {
                    leaked.compareAndSet(data, null);           // published or closed meanwhile, or the store is torn: there is no contract
                } catch (Throwable e) {
                    failure.set(e);
                    return;
                }
            }
        });
        writer.start();
        try {
            for (int round = 0; round < 20 * Expect.depth() && failure.get() == null; round++) {
                boolean fails = round % 3 == 2;
                Tensors.denseUInt8(new long[] {foreign.length}, data -> data.copyFrom(foreign)).close();     // its pages may be the next one's
                makeLate(kind, filled, fails, data -> {
                    int before = begun.get();
                    leaked.set(data);
                    while (begun.get() == before && failure.get() == null) {
                        Thread.yield();
                    }
                });
                try (Tensor<UInt8> other = Tensors.denseUInt8(new long[] {foreign.length}, data -> data.copyFrom(foreign))) {
                    byte[] found = new byte[foreign.length];
                    other.uInt8Data().copyTo(found);
                    assertArrayEquals(foreign, found);
                }
            }
        } finally {
            stop.set(true);
            writer.join();
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    /** Makes a tensor whose data a thread has that goes on writing, and reads it; or fails to. */
    private static void makeLate(int kind, int filled, boolean fails, Consumer<StringTensorData> leak) {
        RuntimeException stop = new RuntimeException("stop");
        try (AnyTensor<String> tensor = fill(kind, filled, data -> {
            leak.accept(data);
            if (fails) {
                throw stop;
            }
        })) {
            assertFalse(fails);
            StringTensorData data = tensor.stringData();
            for (int i = 0; i < LATE; i++) {
                int at = i;
                String found = data.get(slot(kind, i));
                boolean isOwn = found.length() <= SIXTY.length() && found.chars().allMatch(c -> c == 'a' || c == 0);
                assertTrue(isOwn, () -> slot(kind, at)[0] + ": `" + found.replace((char) 0, '0') + "`");
            }
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            assertFalse(e instanceof TensorClosedException);    // what the other thread did may have failed the making
        } catch (RuntimeException e) {
            assertSame(stop, e);
        }
    }

    private static int[] slot(int kind, int i) {
        return kind == RAGGED || kind == SPARSE ? new int[] {i / 10, i % 10} : new int[] {i};
    }

    private static AnyTensor<String> fill(int kind, int filled, Consumer<StringTensorData> then) {
        Consumer<StringTensorData> init = data -> {
            for (int i = 0; i < filled; i++) {
                data.put(SIXTY, slot(kind, i));
            }
            then.accept(data);
        };
        switch (kind) {
            case 0:
                return Tensors.denseString(new long[] {LATE}, init);
            case RAGGED:
                return Tensors.raggedString(new long[] {LATE / 10, -1}, init);
            case SPARSE:
                return Tensors.sparseString(new long[] {LATE / 10, 10}, LATE, init);
            default:
                return Tensors.denseString(new long[] {LATE}, 60, 0, init);
        }
    }
}
