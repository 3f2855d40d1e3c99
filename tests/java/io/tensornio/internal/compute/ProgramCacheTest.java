package io.tensornio.internal.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ProgramCacheTest {
    private static final int MORE = 3000;

    @Test
    void theOldestAreEvictedAndMadeAgain() {
        List<Object> first = Collections.singletonList("the first of them");
        Object made = ProgramCache.get(first, Object::new);
        assertSame(made, ProgramCache.get(first, () -> {
            throw new AssertionError("made twice");
        }));
        for (int n = 0; n < MORE; n++) {
            int number = n;
            assertEquals(n, ProgramCache.<Integer>get(Collections.singletonList(n), () -> number).intValue());
        }
        assertTrue(ProgramCache.size() <= 2048, () -> "" + ProgramCache.size());
        Object again = ProgramCache.get(first, Object::new);
        assertNotSame(made, again);
        assertEquals(MORE - 1, ProgramCache.<Integer>get(Collections.singletonList(MORE - 1), () -> -1).intValue());
    }

    @Test
    void whatCannotBeMadeIsNotKept() {
        String text = "y[i] = ";
        assertThrows(IllegalArgumentException.class, () -> ProgramCache.ofText(text));
        assertThrows(IllegalArgumentException.class, () -> ProgramCache.ofText(text));
        assertSame(ProgramCache.ofText("y[i] = x[i] + 17"), ProgramCache.ofText("y[i] = x[i] + 17"));
    }

    @Test
    void threadsThatMakeTheSameAtOnceGetOne() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (int round = 0; round < 200; round++) {
                Object key = Collections.singletonList("raced for " + round);
                AtomicInteger waiting = new AtomicInteger(4);
                Callable<Object> race = () -> {
                    waiting.decrementAndGet();
                    while (waiting.get() > 0) {
                        Thread.yield();
                    }
                    return ProgramCache.get(key, Object::new);
                };
                List<Object> got = new ArrayList<>();
                for (Future<Object> each : threads.invokeAll(Collections.nCopies(4, race))) {
                    got.add(each.get());
                }
                got.forEach(one -> assertSame(got.get(0), one));
            }
        } finally {
            threads.shutdown();
        }
    }
}
