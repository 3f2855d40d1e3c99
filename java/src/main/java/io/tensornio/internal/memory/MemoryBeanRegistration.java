package io.tensornio.internal.memory;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Registers {@link MemoryBean}, if this Java has beans. A bean keeps its class loader alive: in a container, where that
 * is not the system's class loader, the bean is registered only while memory is used.
 */
final class MemoryBeanRegistration {
    private static final boolean MAY_STAY = isOurs(MemoryBeanRegistration.class.getClassLoader());

    private MemoryBeanRegistration() {
    }

    /** Whether a class loader lives as long as the JVM. */
    private static boolean isOurs(ClassLoader loader) {
        for (ClassLoader l = ClassLoader.getSystemClassLoader(); l != null; l = l.getParent()) {
            if (l == loader) {
                return true;
            }
        }
        return loader == null;
    }

    /** Called when memory is about to be used. */
    static void register() {
        call("register");
    }

    /** Called when no memory is used any more. */
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
