package io.tensornio.internal;

/** Registers {@link MemoryBean}, where Java has beans. */
final class Beans {
    private Beans() {
    }

    static void register() {
        try {
            Class.forName("io.tensornio.internal.MemoryBean").getDeclaredMethod("register").invoke(null);
        } catch (ReflectiveOperationException | LinkageError e) {
            Log.log(Log.DEBUG, "memory statistics are not available as a bean: this Java has no javax.management", e);
        }
    }
}
