package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertNotSame;

import io.tensornio.internal.sparse.NativeSparse;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;

/** The same classes and the same library once more, in a class loader of their own: another application in this JVM. */
final class SeparateLibrary implements AutoCloseable {
    private final URLClassLoader loader;
    private final Class<?> natives;

    private SeparateLibrary(URLClassLoader loader, Class<?> natives) {
        this.loader = loader;
        this.natives = natives;
    }

    /** Loads what the property names, which another loader of this JVM has loaded before. */
    static SeparateLibrary load() throws IOException {
        return load(new URL[0]);
    }

    /** Loads what lies under the directory as under the root of a native jar, without regard to the property. */
    static SeparateLibrary loadFrom(Path nativeJar) throws IOException {
        String path = System.clearProperty(NativeLibrary.PROPERTY);
        try {
            return load(nativeJar.toUri().toURL());
        } finally {
            if (path != null) {
                System.setProperty(NativeLibrary.PROPERTY, path);
            }
        }
    }

    private static SeparateLibrary load(URL... more) throws IOException {
        URL[] urls = Arrays.copyOf(more, more.length + 2);
        urls[more.length] = NativeMemory.class.getProtectionDomain().getCodeSource().getLocation();
        urls[more.length + 1] = NativeFaults.class.getProtectionDomain().getCodeSource().getLocation();
        // Above the application's loader: what it has must be loaded again.
        URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getSystemClassLoader().getParent());
        try {
            Class<?> natives = Class.forName(NativeMemory.class.getName(), true, loader);
            assertNotSame(NativeMemory.class, natives);
            return new SeparateLibrary(loader, natives);
        } catch (ClassNotFoundException | Error e) {
            loader.close();
            if (e instanceof Error) {
                throw (Error) e;
            }
            throw new AssertionError(e);
        }
    }

    Class<?> natives() {
        return natives;
    }

    String version() throws Throwable {
        return (String) call("version");
    }

    /** Takes and closes a block as tensors do. */
    void useMemory() throws Throwable {
        Class<?> storage = inThis(Storage.class);
        Method allocate = storage.getDeclaredMethod("allocate", long.class, boolean.class);
        Method close = storage.getDeclaredMethod("close");
        allocate.setAccessible(true);
        close.setAccessible(true);
        close.invoke(allocate.invoke(null, 100_000L, true));
    }

    long allocate(long bytes) throws Throwable {
        return (long) call("allocate", bytes, true);
    }

    ByteBuffer wrap(long address) throws Throwable {
        return (ByteBuffer) call("wrap", address);
    }

    void close(ByteBuffer root) throws Throwable {
        call("close", root);
    }

    void release(long address) throws Throwable {
        call("release", address);
    }

    void trim(long idleMillis) throws Throwable {
        call("trim", idleMillis);
    }

    void setThreads(int threads) throws Throwable {
        call("setThreads", threads);
    }

    long sparseCount(Object dense, long n, int elementBytes) throws Throwable {
        return (long) call(inThis(NativeSparse.class), "count", dense, n, elementBytes, true);
    }

    void setLogLevel(int level) throws Throwable {
        call("setLogLevel", level);
    }

    void provoke(int what, String detail) throws Throwable {
        call(inThis(NativeFaults.class), "provoke", what, detail);
    }

    long[] memory() throws Throwable {
        long[] out = new long[8];
        call("memory", out);
        return out;
    }

    private Class<?> inThis(Class<?> ofTheApplication) throws ClassNotFoundException {
        return Class.forName(ofTheApplication.getName(), true, loader);
    }

    private Object call(String name, Object... arguments) throws Throwable {
        return call(natives, name, arguments);
    }

    private static Object call(Class<?> of, String name, Object... arguments) throws Throwable {
        for (Method method : of.getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                try {
                    return method.invoke(null, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            }
        }
        throw new AssertionError("no such native: " + name);
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
