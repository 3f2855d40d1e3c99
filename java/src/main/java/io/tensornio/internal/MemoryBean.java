package io.tensornio.internal;

import io.tensornio.MemoryStats;
import io.tensornio.MemoryStatsMXBean;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The statistics as a bean. Loaded by reflection alone, since Android has no {@code javax.management}. */
final class MemoryBean implements MemoryStatsMXBean {
    private static final String NAME = "io.tensornio:type=Memory";

    private MemoryBean() {
    }

    /** Registers the bean; a second copy of the library gets a name with a number. */
    static void register() {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try {
            ObjectName name = new ObjectName(NAME);
            if (server.isRegistered(name)) {
                name = new ObjectName(NAME + ",loader=" + System.identityHashCode(MemoryBean.class.getClassLoader()));
            }
            server.registerMBean(new MemoryBean(), name);
        } catch (JMException | SecurityException e) {
            Log.log(Log.WARNING, "cannot register " + NAME, e);
        }
    }

    @Override
    public long getBytesInUse() {
        return MemoryStats.current().bytesInUse();
    }

    @Override
    public long getPeakBytes() {
        return MemoryStats.current().peakBytes();
    }

    @Override
    public long getTensorsAlive() {
        return MemoryStats.current().tensorsAlive();
    }

    @Override
    public long getBytesPooled() {
        return MemoryStats.current().bytesPooled();
    }

    @Override
    public long getBytesAwaitingCollection() {
        return MemoryStats.current().bytesAwaitingCollection();
    }

    @Override
    public long getMaxMemory() {
        return MemoryStats.current().maxMemory();
    }
}
