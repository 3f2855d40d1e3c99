package io.tensornio.internal.memory;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Registers {@link MemoryBean}, where Java has beans. A bean keeps its class loader alive: where that is not the application's own, as in a
 * container, the bean is registered as long as memory is used.
 */
final class MemoryBeanRegistration {
    private static final boolean MAY_STAY = isOurs(MemoryBeanRegistration.class.getClassLoader());

    private MemoryBeanRegistration() {
    }

    /** Whether a loader lives as long as the application. */
    private static boolean isOurs(ClassLoader loader) {
        for (ClassLoader l = ClassLoader.getSystemClassLoader(); l != null; l = l.getParent()) {
            if (l == loader) {
                return true;
            }
        }
        return loader == null;
    }

    /** Memory is about to be used. */
    static void register() {
        call("register");
    }

    /** No memory is used any more. */
    static void unregister() {
        if (!MAY_STAY) {
            call("unregister");
        }
    }

    private static void call(String name) {
        try {
            Method method = Class.forName("io.tensornio.internal.memory.MemoryBean").getDeclaredMethod(name);
            method.invoke(null);
        } catch (InvocationTargetException e) {
            Log.log(Log.WARNING, "the bean of memory statistics: " + name + " failed", e.getCause());
        } catch (ReflectiveOperationException | LinkageError e) {
            Log.log(Log.DEBUG, "this Java has no beans to show memory statistics", e);
        }
    }
}
