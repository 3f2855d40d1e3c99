package io.tensornio.internal.memory;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Forces a full collection where {@code System.gc()} is disabled: HotSpot collects before it makes a class histogram.
 * Loaded by reflection, since Android has no {@code javax.management}.
 */
final class HeapInspection {
    private HeapInspection() {
    }

    /**
     * Collects all garbage.
     *
     * @throws JMException if this Java cannot inspect its heap
     */
    static void collect() throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        server.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
            new Object[] {new String[0]}, new String[] {String[].class.getName()});
    }
}
