package io.tensornio.internal.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The memory of a tensor. It is held by its owner until {@link #close()}, or by several (a tensor made from others without a copy is one of
 * them, see {@link #share()}), and by each native call that needs it in place (a pin) until {@link #unpin()}. The last of them releases
 * the pages.
 *
 * <p>That is safe while other threads still use buffers over it. Its addresses stay mapped and are handed out again only when no such
 * buffer is reachable; what they read meanwhile is old values or zeros, what they write is lost. A native call that needs the values
 * holds a pin, which keeps the pages; a pin after the close fails.
 *
 * <p>Native code finds it {@link #byteOffset()} bytes into {@link #root()}. Several tensors can have one storage, each a {@link #part} of it.
 */
public final class Storage {
    /** Where tensors may begin is a multiple of this, in bytes. */
    public static final int ALIGNMENT = Slab.UNIT;

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
    /** Of a slab, a block of its own, and another storage, which this is a part of, just one is not null. */
    private final Slab slab;
    private final Storage whole;
    /** The block that is this storage's own, until it is given back. */
    private ByteBuffer root;
    private final BlockReference reference;
    /** Where in the slab or the whole it begins, in bytes. */
    private final int start;

    Storage(Slab slab, int unit, int bytes) {
        this.slab = slab;
        start = unit * Slab.UNIT;
        this.bytes = bytes;
        whole = null;
        reference = null;
    }

    private Storage(Storage whole, int start, long bytes) {
        this.whole = whole;
        this.start = start;
        this.bytes = bytes;
        slab = null;
        reference = null;
    }

    private Storage(Memory.Lease lease, long bytes) {
        this.bytes = bytes;
        root = lease.root;
        reference = lease.reference;
        slab = null;
        whole = null;
        start = 0;
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
     * A part of the memory as a storage of its own, closed and pinned by itself. It is one more owner of the whole: the pages, which count as in use
     * until then, go with the last owner. No two parts should overlap, and none may be made where a closed one was: a buffer over that
     * would see it.
     *
     * @param from where it begins, in bytes: a multiple of {@link #ALIGNMENT}
     * @param size its bytes
     * @return open storage, or null if the whole is closed
     * @throws IllegalArgumentException if {@code from} is not such a multiple
     * @throws IndexOutOfBoundsException if the part is not inside the whole
     */
    public Storage part(long from, long size) {
        if (from < 0 || size < 0 || from > bytes - size) {
            throw new IndexOutOfBoundsException(size + " bytes from " + from + " on are no part of " + bytes);
        }
        if (from % ALIGNMENT != 0) {
            throw new IllegalArgumentException("a part cannot begin at byte " + from + ", which is no multiple of " + ALIGNMENT);
        }
        Storage part = new Storage(this, (int) from, size);
        return share() ? part : null;
    }

    /**
     * The buffer that keeps the addresses reserved: the argument by which native code finds the memory. Only for the owner before it closes, and with
     * a pin.
     *
     * @return a direct buffer, which may hold other tensors, too: not to be written outside of this storage, or moved
     */
    public ByteBuffer root() {
        return slab != null ? slab.root() : whole != null ? whole.root() : root;
    }

    /**
     * Where in the {@link #root()} the memory begins.
     *
     * @return the offset in bytes
     */
    public long byteOffset() {
        return whole != null ? whole.byteOffset() + start : start;
    }

    /**
     * The memory as a buffer, which keeps the addresses reserved by itself. Only for the owner before it closes, and with a pin.
     *
     * @return a direct buffer in native byte order, its position 0 and not to be moved
     */
    public ByteBuffer view() {
        if (reference != null) {
            return root.order(ByteOrder.nativeOrder());
        }
        int from = (int) byteOffset();
        ByteBuffer view = root().duplicate();
        view.limit(from + (int) bytes);
        view.position(from);
        return view.slice().order(ByteOrder.nativeOrder());
    }

    /** Notes that the application gets a buffer over the memory, with which it can start I/O; before it has it, and with a pin. */
    public void handOut() {
        if (whole != null) {
            whole.handOut();
        } else {
            (slab != null ? slab.reference() : reference).handedOut = true;
        }
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
     * Releases an owner, once for each. After the last one the pages are released, at once or with the last pin.
     *
     * @return false if all owners had been released before
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
                } else if (reference != null) {
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
            slab.give(start / Slab.UNIT, Slab.units(bytes));
        } else if (whole != null) {
            whole.close();
        } else {
            ByteBuffer last = root;
            root = null;
            Memory.close(last, reference, pinned);
        }
    }
}
