package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.MemoryStats;
import io.tensornio.support.Expect;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerNotification;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** An application in a container: a class loader with a library of its own, which must be able to go. */
class LoaderTest {
    private static final ObjectName PATTERN = name("io.tensornio:type=Memory,*");

    private static ObjectName name(String text) {
        try {
            return new ObjectName(text);
        } catch (javax.management.JMException e) {
            throw new AssertionError(e);
        }
    }

    private static Set<ObjectName> beans() {
        return ManagementFactory.getPlatformMBeanServer().queryNames(PATTERN, null);
    }

    /** Uses memory through another loader: closes some, drops some, and lets go of the loader. */
    private static WeakReference<ClassLoader> use(boolean drop) throws Exception {
        URL[] urls = {NativeMemory.class.getProtectionDomain().getCodeSource().getLocation()};
        URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getSystemClassLoader().getParent());
        Class<?> storage = Class.forName(Storage.class.getName(), true, loader);
        assertNotEquals(Storage.class, storage);
        Method allocate = storage.getDeclaredMethod("allocate", long.class, boolean.class);
        Method close = storage.getDeclaredMethod("close");
        allocate.setAccessible(true);
        close.setAccessible(true);
        for (int i = 0; i < 2000; i++) {
            Object one = allocate.invoke(null, i % 20 == 0 ? 100_000L : 100L, true);
            // Blocks, and tensors in slabs.
            if (!drop || i % 10 != 0) {
                assertEquals(true, close.invoke(one));
            }
        }
        loader.close();
        return new WeakReference<>(loader);
    }

    @Test
    void aLoaderWhoseTensorsAreClosedIsCollected() throws Exception {
        WeakReference<ClassLoader> loader = use(false);
        Garbage.collectUntil(() -> loader.get() == null);
    }

    @Test
    void aLoaderWhoseTensorsWereDroppedIsCollected() throws Exception {
        WeakReference<ClassLoader> loader = use(true);
        Garbage.collectUntil(() -> loader.get() == null);
    }

    /** With a depth of 5 a hundred. If each left its classes or its blocks, they would not fit. */
    @Test
    void reloadsLeaveNothing() {
        int reloads = 20 * Math.min(5, Expect.depth());
        String printed = Forked.with("-Xmx64m", "-XX:MaxMetaspaceSize=40m", "-Dtensornio.maxMemory=64m", "-Dtensornio.threads=2")
            .run(ReloadingProgram.class, Integer.toString(reloads));
        Matcher left = Pattern.compile("loaders=" + reloads + " mapped=(\\d+) threads=(\\d+) grown=(-?\\d+)").matcher(printed);
        assertTrue(left.find(), printed);
        assertTrue(Integer.parseInt(left.group(1)) <= 5 && Integer.parseInt(left.group(2)) <= 5, printed);
        // Programs and plans: without their end several MB for each of them.
        assertTrue(Integer.parseInt(left.group(3)) <= 50, printed);
    }

    @Test
    void itsBeanGoesWithItAndOursStays() throws Exception {
        Storage own = Storage.allocate(1000, true);
        try {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            Garbage.collectUntil(() -> server.isRegistered(name("io.tensornio:type=Memory")));
            WeakReference<ClassLoader> loader = use(false);
            Garbage.collectUntil(() -> loader.get() == null);
            assertEquals(Collections.singleton(name("io.tensornio:type=Memory")), beans());
            assertEquals(MemoryStats.current().tensorsAlive(), server.getAttribute(name("io.tensornio:type=Memory"), "TensorsAlive"));
        } finally {
            own.close();
        }
    }

    /** A listener is called by the thread that looks after memory, and may wait for another that needs it. */
    @Test
    void whoListensToItsBeanMayWaitForAThreadThatTakesMemory() throws Throwable {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ExecutorService other = Executors.newSingleThreadExecutor();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicBoolean gone = new AtomicBoolean();
        try (SeparateLibrary library = SeparateLibrary.load()) {
            NotificationListener listener = (notification, handback) -> {
                if (!PATTERN.apply(((MBeanServerNotification) notification).getMBeanName())) {
                    return;
                }
                try {
                    other.submit(() -> {
                        try {
                            library.useMemory();
                        } catch (Throwable e) {
                            throw new AssertionError(e);
                        }
                    }).get(20, TimeUnit.SECONDS);
                } catch (Exception e) {
                    failure.compareAndSet(null, e);
                }
                gone.compareAndSet(false, notification.getType().equals(MBeanServerNotification.UNREGISTRATION_NOTIFICATION));
            };
            server.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener, null, null);
            try {
                library.useMemory();
                Garbage.collectUntil(gone::get);
            } finally {
                server.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener);
            }
        } finally {
            other.shutdown();
        }
        assertNull(failure.get());
    }
}
