package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.MemoryBalance;
import io.tensornio.StringTensorData;
import io.tensornio.Texts;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import io.tensornio.internal.string.SequentialStrings;
import io.tensornio.internal.string.StringBlock;
import io.tensornio.internal.string.StringPacked;
import io.tensornio.internal.string.StringValues;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A thread that goes on putting when it should not: what was published stays as it was, and has offsets that are some. */
@ExtendWith(MemoryBalance.class)
class SequentialStringsTest {
    private static void checkOffsets(StringPacked block, int count) {
        long before = 0;
        for (int n = 0; n <= count; n++) {
            long offset = block.offsets().get(n);
            assertTrue(offset >= before && offset <= block.text().capacity(), n + ": " + offset + " behind " + before);
            before = offset;
        }
        assertEquals(before, block.text().capacity());
    }

    @Test
    void aWriterThatIsLate() {
        StringCollector collector = StringCollector.of(10);
        collector.write("one", 0);
        SequentialStrings late = collector.sequence(1);
        StringBlock block = collector.finish();
        late.putAscii("two");
        assertThrows(IllegalStateException.class, () -> late.put(new byte[100_000]));
        assertThrows(IllegalStateException.class, () -> {
            for (int n = 0; n < 100_000; n++) {
                late.put(new byte[20]);
            }
        });
        assertThrows(ReadOnlyTensorException.class, collector::store);
        assertEquals("one", block.read(0));
        assertEquals("", block.read(1));
        assertEquals("one", late.text(0));
        assertEquals("", late.text(1));
        late.close();
        assertEquals("one", block.read(0));
        block.close();
        assertThrows(io.tensornio.TensorClosedException.class, () -> late.bytes(0));
    }

    @Test
    void aTapeThatIsClosed() {
        SequentialStrings sequence = new SequentialStrings(3, 3);
        sequence.put(new byte[100_000]);
        sequence.close();
        sequence.close();
        assertThrows(io.tensornio.TensorClosedException.class, () -> sequence.bytes(0));
        assertThrows(IllegalStateException.class, () -> sequence.put(new byte[100_000]));
        assertThrows(IllegalStateException.class, () -> sequence.pack(3));
    }

    /** A batch of short texts, 32, and one more, with which it goes to memory; then what comes meanwhile, and a null. */
    private static StringValues failing(int length, Runnable meanwhile) {
        int[] left = {length > 0 ? 33 : 0};
        return () -> {
            if (left[0]-- > 0) {
                return Texts.repeat('b', length);
            }
            meanwhile.run();
            return null;
        };
    }

    /** One thread takes back what another has counted on: that is told, and what is published has offsets that are some. */
    @ParameterizedTest
    @CsvSource({"10, 100, 4000", "100, 1, 2100", "100, 1, 20", "10, 10, 32"})
    void putsOfManyThatFailInTwoThreads(int first, int then, int count) throws InterruptedException {
        SequentialStrings sequence = new SequentialStrings(5_000, 5_000);
        CountDownLatch isInside = new CountDownLatch(1);
        CountDownLatch isRewound = new CountDownLatch(1);
        Throwable[] thrown = new Throwable[1];
        Thread other = new Thread(() -> {
            try {
                sequence.putAll(1, failing(0, () -> {
                    isInside.countDown();
                    await(isRewound);
                }), i -> "");
            } catch (RuntimeException e) {
                thrown[0] = e;
            }
        });
        assertThrows(NullPointerException.class, () -> sequence.putAll(64, failing(first, () -> {
            other.start();
            await(isInside);
        }), i -> ""));
        assertEquals(0, sequence.next());
        String text = Texts.repeat('t', then);
        for (int n = 0; n < count; n++) {
            sequence.putAscii(text);
        }
        isRewound.countDown();
        other.join();
        // Nothing tells if all is as it was for the other: then its failure takes back what was put meanwhile.
        Class<?> expected = count > 32 && first != then || count < 32 ? IllegalStateException.class : NullPointerException.class;
        assertEquals(expected, thrown[0].getClass());
        sequence.putAscii("x");
        StringPacked block = sequence.pack(5_000);
        checkOffsets(block, 5_000);
        for (int n = 0; n < Math.min(count, 32); n++) {
            assertEquals(text, block.read(n));
        }
        block.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(1, TimeUnit.MINUTES));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void writersThatRaceWithTheEnd() throws InterruptedException {
        Random random = new Random(1);
        for (int run = 0; run < 3_000; run++) {
            int count = 1 + random.nextInt(5_000);
            StringCollector collector = StringCollector.of(count);
            StringTensorData data = collector.data();
            int[] next = {0};
            boolean inOrder = run % 3 > 0;
            AtomicBoolean isOver = new AtomicBoolean();
            Thread writer = new Thread(() -> {
                try {
                    while (!isOver.get() && next[0] < count) {
                        int more = next[0] % 97 == 0 ? ThreadLocalRandom.current().nextInt(20_000) : 0;
                        String text = "text of element " + next[0] + new String(new char[more]);
                        if (inOrder || next[0] < count / 2) {
                            data.put(text, next[0]++);
                        } else {
                            data.put(text, count - 1 - ThreadLocalRandom.current().nextInt(count));
                        }
                    }
                } catch (RuntimeException e) {
                    // It is late.
                }
            });
            writer.start();
            long spin = random.nextInt(200_000);
            for (long until = System.nanoTime() + spin; System.nanoTime() < until;) {
                Thread.yield();
            }
            StringPacked block;
            try {
                block = (StringPacked) collector.finish();
            } catch (IllegalStateException e) {
                collector.close();
                isOver.set(true);
                writer.join();
                continue;
            }
            checkOffsets(block, count);
            byte[][] all = new byte[count][];
            for (int n = 0; n < count; n++) {
                all[n] = block.readBytes(n);
            }
            isOver.set(true);
            writer.join();
            assertTrue(data.isReadOnly());
            for (int n = 0; n < count; n++) {
                assertArrayEquals(all[n], block.readBytes(n));
                assertArrayEquals(all[n], data.getBytes(n));
            }
            block.close();
            assertThrows(io.tensornio.TensorClosedException.class, () -> data.get(0));
        }
    }
}
