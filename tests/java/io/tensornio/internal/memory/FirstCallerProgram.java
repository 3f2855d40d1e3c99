package io.tensornio.internal.memory;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;

/** Lets an application with a class loader of its own use the library first, which is not the application's, and then go. */
final class FirstCallerProgram {
    private FirstCallerProgram() {
    }

    /** What the application does: its class is loaded by its own loader. */
    public static final class Application implements Runnable {
        @Override
        public void run() {
            Keeper.use();
        }
    }

    /** The library, as far as it is concerned: loaded by the parent. */
    public static final class Keeper {
        private static Storage kept;

        private Keeper() {
        }

        /** Uses memory, and keeps some, so that the thread has something to maintain. */
        public static void use() {
            kept = Storage.allocate(100_000, true);
        }

        static void forget() {
            kept.close();
        }
    }

    /** Finds one class itself, and leaves the others to its parent. */
    private static final class OwnFirst extends URLClassLoader {
        OwnFirst(URL tests) {
            super(new URL[] {tests}, FirstCallerProgram.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                return known != null ? known : name.equals(Application.class.getName()) ? findClass(name) : super.loadClass(name, resolve);
            }
        }
    }

    /** In a frame of its own, so that no local variable keeps the loader. */
    private static WeakReference<ClassLoader> use() throws Exception {
        try (URLClassLoader loader = new OwnFirst(FirstCallerProgram.class.getProtectionDomain().getCodeSource().getLocation())) {
            Class<?> application = Class.forName(Application.class.getName(), true, loader);
            if (application == Application.class) {
                throw new AssertionError("it is not the application's own");
            }
            ((Runnable) application.getConstructor().newInstance()).run();
            return new WeakReference<>(loader);
        }
    }

    public static void main(String[] arguments) throws Exception {
        WeakReference<ClassLoader> loader = use();
        Garbage.collectUntil(() -> loader.get() == null);
        Keeper.forget();
        System.out.println("the loader is gone");
    }
}
