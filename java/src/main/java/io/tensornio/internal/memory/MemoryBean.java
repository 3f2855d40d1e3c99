package io.tensornio.internal.memory;

import io.tensornio.MemoryStatsMXBean;
import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The statistics as a bean. Loaded by reflection, since Android has no {@code javax.management}. */
final class MemoryBean implements MemoryStatsMXBean {
    private static final String NAME = "io.tensornio:type=Memory";

    private MemoryBean() {
    }

    /** The name under which the bean is registered, or null; guarded by the class. */
    private static ObjectName registered;

    /** Registers the bean unless it is registered; for a second copy of the library the name gets a number. */
    static synchronized void register() throws JMException {
        if (registered != null) {
            return;
        }
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName(NAME);
        try {
            server.registerMBean(new MemoryBean(), name);
        } catch (InstanceAlreadyExistsException e) {
            name = new ObjectName(NAME + ",loader=" + System.identityHashCode(MemoryBean.class.getClassLoader()));
            server.registerMBean(new MemoryBean(), name);
        }
        registered = name;
    }

    /** Unregisters the bean. */
    static synchronized void unregister() throws JMException {
        if (registered != null) {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(registered);
            registered = null;
        }
    }

    @Override
    public long getBytesInUse() {
        return MemorySnapshot.read().bytesInUse;
    }

    @Override
    public long getPeakBytes() {
        return MemorySnapshot.read().peakBytes;
    }

    @Override
    public long getTensorsAlive() {
        return MemorySnapshot.read().tensorsAlive;
    }

    @Override
    public long getBytesPooled() {
        return MemorySnapshot.read().bytesPooled;
    }

    @Override
    public long getBytesAwaitingCollection() {
        return MemorySnapshot.read().bytesAwaitingCollection;
    }

    @Override
    public long getForeignBytes() {
        return MemorySnapshot.read().foreignBytes;
    }

    @Override
    public long getMappedBytes() {
        return MemorySnapshot.read().mappedBytes;
    }

    @Override
    public long getMaxMemory() {
        return MemorySnapshot.read().maxMemory;
    }
}
