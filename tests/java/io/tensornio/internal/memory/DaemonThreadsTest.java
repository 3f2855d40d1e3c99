package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DaemonThreadsTest {
    @Test
    void aDaemonInheritsNothing() throws InterruptedException {
        assumeTrue(Forked.feature() >= 9, "the class in java9 is used");
        InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>();
        inherited.set("of whoever allocates first");
        AtomicReference<String> seen = new AtomicReference<>("not run");
        Thread daemon = DaemonThreads.make(() -> seen.set(inherited.get()), "tensornio-test");
        assertTrue(daemon.isDaemon());
        assertNull(daemon.getContextClassLoader());
        daemon.start();
        daemon.join();
        assertNull(seen.get());
    }
}
