package io.tensornio.internal.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The memory of a tensor. It is held by its owner until {@link #close()}, or by several (a tensor made from others without a copy is one of
 * them, see {@link #share()}), and by each native call that needs it in place (a pin) until {@link #unpin()}. Whoever lets go last gives the
 * pages back.
 *
 * <p>That is safe while other threads still use buffers over it. Its addresses stay mapped and are handed out again only when no such
 * buffer is reachable; what they read meanwhile is old values or zeros, what they write is nobody's. A native call that has to see true
 * values holds a pin, with which the pages stay; a pin that comes after the close fails.
 */
public final class Storage {
    private static final AtomicLongFieldUpdater<Storage> STATE = AtomicLongFieldUpdater.newUpdater(Storage.class, "state");
    /** Set in the state once the last owner has closed it. */
    private static final long CLOSED = Long.MIN_VALUE;
    /** One more owner in the state, above the pins. */
    private static final long OWNER = 1L << 32;
    /** From here on one more owner would reach {@link #CLOSED}. */
    private static final long MOST_OWNERS = Long.MAX_VALUE / OWNER * OWNER;

    private final long bytes;
    /** The number of pins, that of owners but one, and {@link #CLOSED}: one number, so that close and the last unpin cannot miss each other. */
    private volatile long state;
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
     * @return open storage
     * @throws OutOfMemoryError if the budget or the system does not allow it
     * @throws IllegalArgumentException if {@code bytes} is out of range
     */
    public static Storage allocate(long bytes, boolean zeroed) {
        if (bytes < 0 || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(bytes + " bytes: a storage has 0 to " + Integer.MAX_VALUE);
        }
        if (bytes < Slab.LIMIT) {
            return Slabs.allocate((int) bytes);
        }
        return new Storage(Memory.allocate(bytes, zeroed, null), bytes);
    }

    /**
     * The memory as a buffer, which keeps the addresses reserved by itself. Only for the owner before it closes, and with a pin.
     *
     * @return a direct buffer in native byte order, its position 0 and not to be moved
     */
    public ByteBuffer view() {
        return slab != null ? slab.view(unit, (int) bytes) : root.order(ByteOrder.nativeOrder());
    }

    /** Notes that the application gets a buffer over the memory, with which it can start I/O; before it has it, and with a pin. */
    public void handOut() {
        (slab != null ? slab.reference() : reference).handedOut = true;
    }

    /**
     * How much memory this is.
     *
     * @return the bytes that were asked for
     */
    public long bytes() {
        return bytes;
    }

    /** Whether every owner has called {@link #close()}. */
    boolean isClosed() {
        return state < 0;
    }

    /**
     * Adds an owner, who must close as well.
     *
     * @return false if it is closed
     * @throws IllegalStateException if it has as many owners as can be counted, none of whom has closed
     */
    boolean share() {
        while (true) {
            long old = state;
            if (old < 0) {
                return false;
            }
            if (old >= MOST_OWNERS) {
                throw new IllegalStateException("the memory of " + (MOST_OWNERS / OWNER + 1) + " tensors that nobody has closed is shared once more");
            }
            if (STATE.compareAndSet(this, old, old + OWNER)) {
                return true;
            }
        }
    }

    /**
     * An owner lets go, which each does once. After the last one the pages go at once if there are no pins, else with the last of them.
     *
     * @return false if all owners had let go before
     */
    public boolean close() {
        while (true) {
            long old = state;
            if (old < 0) {
                return false;
            }
            if (old >= OWNER) {
                if (STATE.compareAndSet(this, old, old - OWNER)) {
                    return true;
                }
            } else if (STATE.compareAndSet(this, old, old | CLOSED)) {
                if (old == 0) {
                    free(false);
                } else if (slab == null) {
                    Memory.await(reference);
                }
                return true;
            }
        }
    }

    /**
     * Keeps the pages in place until {@link #unpin()}.
     *
     * @return false if it is closed
     */
    public boolean pin() {
        while (true) {
            long old = state;
            if (old < 0) {
                return false;
            }
            if (STATE.compareAndSet(this, old, old + 1)) {
                return true;
            }
        }
    }

    /**
     * Ends a pin; gives the pages back if it was the last one and the owner has closed meanwhile.
     *
     * @throws IllegalStateException if there is no pin
     */
    public void unpin() {
        while (true) {
            long old = state;
            if ((old & (OWNER - 1)) == 0) {
                throw new IllegalStateException("there is no pin to end");
            }
            if (STATE.compareAndSet(this, old, old - 1)) {
                if (old - 1 == CLOSED) {
                    free(true);
                }
                return;
            }
        }
    }

    private void free(boolean pinned) {
        if (slab != null) {
            slab.give(unit, Slab.units(bytes));
        } else {
            ByteBuffer last = root;
            root = null;
            Memory.close(last, reference, pinned);
        }
    }
}
