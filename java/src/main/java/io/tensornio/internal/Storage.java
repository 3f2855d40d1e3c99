package io.tensornio.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The memory of a tensor, counted by its holders: each tensor that owns it is one, and each native call that needs it in place is another
 * (a pin). The last one to release gives the pages back.
 *
 * <p>That is safe while other threads still use buffers over it. Its addresses stay mapped and are handed out again only when no such
 * buffer is reachable; what they read meanwhile is old values or zeros, what they write is nobody's. A native call that has to see true
 * values holds a pin, with which the pages stay. A pin that comes too late fails, since the count never rises from 0.
 */
public final class Storage {
    private static final AtomicIntegerFieldUpdater<Storage> HOLDERS = AtomicIntegerFieldUpdater.newUpdater(Storage.class, "holders");

    private final long bytes;
    private volatile int holders = 1;
    /** The slab that this is a part of, and where in it; else null. */
    private final Slab slab;
    private final int unit;
    /** The block that is this storage's own, until it is given back; else null. */
    private ByteBuffer root;
    private final BlockReference reference;

    Storage(Slab slab, int unit, int bytes) {
        this.slab = slab;
        this.unit = unit;
        this.bytes = bytes;
        reference = null;
    }

    private Storage(Memory.Lease lease, long bytes) {
        this.bytes = bytes;
        root = lease.root;
        reference = lease.reference;
        slab = null;
        unit = 0;
    }

    /**
     * Takes memory.
     *
     * @param bytes how much; 0 to {@code Integer.MAX_VALUE}
     * @param zeroed whether it must read zeros; else it may have old contents
     * @return storage with one holder
     * @throws OutOfMemoryError if the budget or the system does not allow it
     */
    static Storage allocate(long bytes, boolean zeroed) {
        if (bytes < Slab.LIMIT) {
            return Slabs.allocate((int) bytes);
        }
        Memory.Lease lease = Memory.allocate(bytes, zeroed, null);
        Memory.count(bytes);
        return new Storage(lease, bytes);
    }

    /**
     * The memory as a buffer, which keeps the addresses reserved by itself. Only for holders.
     *
     * @return a direct buffer in native byte order, its position 0 and not to be moved
     */
    ByteBuffer view() {
        return slab != null ? slab.view(unit, (int) bytes) : root.order(ByteOrder.nativeOrder());
    }

    /**
     * How much memory this is.
     *
     * @return the bytes that were asked for
     */
    public long bytes() {
        return bytes;
    }

    /**
     * Adds a holder.
     *
     * @return false if the memory was given back already
     */
    boolean retain() {
        while (true) {
            int n = holders;
            if (n == 0) {
                return false;
            }
            if (HOLDERS.compareAndSet(this, n, n + 1)) {
                return true;
            }
        }
    }

    /** Removes a holder; the last one gives the pages back. */
    void release() {
        int left = HOLDERS.decrementAndGet(this);
        if (left > 0) {
            return;
        }
        if (left < 0) {
            HOLDERS.incrementAndGet(this);
            throw new IllegalStateException("released more often than held");
        }
        if (slab != null) {
            Memory.count(-Slab.units(bytes) * (long) Slab.UNIT);
            slab.give(unit, Slab.units(bytes));
        } else {
            Memory.count(-bytes);
            ByteBuffer last = root;
            root = null;
            Memory.close(last, reference);
        }
    }
}
