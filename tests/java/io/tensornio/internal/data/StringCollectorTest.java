package io.tensornio.internal.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.StringTensorData;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import io.tensornio.internal.string.StringBlock;
import io.tensornio.internal.string.StringHeap;
import io.tensornio.internal.string.StringPacked;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A thread that goes on putting when it should not: what was published stays as it was, and has offsets that are some. */
@ExtendWith(MemoryBalance.class)
class StringCollectorTest {
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
        StringHeap late = collector.writable();
        StringBlock block = collector.finish();
        late.putAscii("two", 1);
        late.put(new byte[100_000], 0);
        assertThrows(ReadOnlyTensorException.class, collector::writable);
        assertEquals("one", block.read(0));
        assertEquals("", collector.read(1));
        block.close();
        assertThrows(io.tensornio.TensorClosedException.class, () -> collector.read(1));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(1, TimeUnit.MINUTES));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Each writer goes on until it is refused. Of the races some are none, so that what they publish is checked on any machine. */
    @Test
    void writersThatRaceWithTheEnd() {
        AtomicInteger published = new AtomicInteger();
        Seeds.each(1, 3_000, (random, done) -> {
            if (publishesWhileAnotherWrites(random, done)) {
                published.incrementAndGet();
            }
        });
        assertTrue(published.get() > 0, "all failed");
    }

    /** Whether the publication came to an end: it may fail for what is written meanwhile. */
    private static boolean publishesWhileAnotherWrites(Random random, StringBuilder done) {
        int count = 1 + random.nextInt(5_000);
        boolean inOrder = random.nextInt(3) > 0;
        boolean isRace = random.nextInt(10) > 0;
        int until = isRace ? random.nextInt(count) : count - 1;
        done.append(": ").append(count).append(inOrder ? " in order" : "").append(isRace ? ", published from the put of " : ", published at ")
            .append(until).append(" on");
        StringCollector collector = StringCollector.of(count);
        StringTensorData data = collector.data();
        AtomicInteger puts = new AtomicInteger();
        CountDownLatch isOver = new CountDownLatch(1);
        Throwable[] refusal = new Throwable[1];
        Random texts = new Random(random.nextLong());
        Thread writer = new Thread(() -> {
            try {
                for (int n = 0; n < count; n++) {
                    if (n == count - 1) {
                        await(isOver);
                    }
                    int more = n % 97 == 0 ? texts.nextInt(20_000) : 0;
                    data.put("text of element " + n + new String(new char[more]), inOrder || n < count / 2 ? n : texts.nextInt(count));
                    puts.set(n + 1);
                }
            } catch (Throwable e) {
                refusal[0] = e;
            }
        });
        writer.start();
        while (puts.get() < until && writer.isAlive()) {
            Thread.yield();
        }
        StringPacked block = null;
        byte[][] all = new byte[count][];
        try {
            block = (StringPacked) collector.finish();
            checkOffsets(block, count);
            for (int n = 0; n < count; n++) {
                all[n] = block.readBytes(n);
            }
        } catch (IllegalStateException e) {
            if (!isRace) {
                throw e;
            }
            Expect.says(e, "a thread writes strings of a tensor that is being published");
            collector.close();
        }
        isOver.countDown();
        end(writer);
        checkRefusal(refusal[0], block == null ? "" : "published");
        if (block != null) {
            assertTrue(data.isReadOnly());
            for (int n = 0; n < count; n++) {
                assertArrayEquals(all[n], block.readBytes(n));
                assertArrayEquals(all[n], data.getBytes(n));
            }
            block.close();
        }
        assertThrows(io.tensornio.TensorClosedException.class, () -> data.get(0));
        return block != null;
    }

    private static void end(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** That a write was refused as one that comes too late is. */
    private static void checkRefusal(Throwable thrown, String... parts) {
        if (!(thrown instanceof ReadOnlyTensorException || thrown instanceof IllegalStateException)) {
            throw new AssertionError("the writer was not refused", thrown);
        }
        Expect.says(thrown, parts);
    }
}
