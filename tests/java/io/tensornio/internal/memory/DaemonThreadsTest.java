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

    @Test
    void aDaemonIsInTheGroupOfTheJvm() throws InterruptedException {
        ThreadGroup inner = new ThreadGroup("of the application");
        AtomicReference<Thread> made = new AtomicReference<>();
        Thread caller = new Thread(inner, () -> made.set(DaemonThreads.make(() -> { }, "tensornio-test")));
        caller.start();
        caller.join();
        assertNull(made.get().getThreadGroup().getParent());
    }

    /** It ends at an interrupt, though there is memory to look after, and comes back with the next block. */
    @Test
    void anInterruptEndsIt() {
        String printed = Forked.with().run(InterruptProgram.class);
        assertTrue(printed.contains("ended, and came back"), printed);
    }

    /** In Java 8 to 23 a thread keeps the context of access control of the one that made it, and with it the class loaders of its callers. */
    @Test
    void theFirstCallersClassLoaderCanGo() {
        String printed = Forked.with().run(FirstCallerProgram.class);
        assertTrue(printed.contains("the loader is gone"), printed);
    }
}
