package io.tensornio.internal.memory;

import io.tensornio.DataType;
import io.tensornio.internal.layout.Shapes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The memory of a tensor, with a reference count: of owners until {@link #close()}, several if tensors share it without a copy, see {@link #share()},
 * and of pins, native calls that need the pages in place, until {@link #unpin()}. The last of them releases the pages.
 *
 * <p>That is safe while other threads still use buffers over it: the addresses stay mapped, and are reused only when no
 * such buffer is reachable. Meanwhile such threads read old values or zeros, and their writes are lost. A native call
 * that needs the values holds a pin; pinning after the close fails.
 *
 * <p>The memory begins {@link #byteOffset()} bytes into {@link #root()}. Several tensors can share one storage, each as a {@link #part} of it.
 */
public final class Storage {
    /** The alignment of tensors, in bytes. */
    public static final int ALIGNMENT = Slab.UNIT;

    private static final AtomicLongFieldUpdater<Storage> STATE = AtomicLongFieldUpdater.newUpdater(Storage.class, "state");
    /** The bit of {@link #state} that is set once the last owner has closed it. */
    private static final long CLOSED = Long.MIN_VALUE;
    /** The increment of {@link #state} for an additional owner; the bits below count the pins. */
    private static final long OWNER = 1L << 32;
    /** At this state one more owner would overflow into {@link #CLOSED}. */
    private static final long MOST_OWNERS = Long.MAX_VALUE / OWNER * OWNER;

    private final long bytes;
    /**
     * The number of pins, of owners less 1, and {@link #CLOSED}: one variable, so that of close and the last unpin exactly one releases the pages.
     */
    private volatile long state;
    /** Of these and {@link #reference} and {@link #foreign} exactly one is not null: the slab, or the storage of which this is a part. */
    private final Slab slab;
    private final Storage whole;
    /** The roots of this storage's own block, until it is released: several if it is {@link #isLarge}. */
    private ByteBuffer[] roots;
    /** The block of its own. */
    private final BlockReference reference;
    /** The lender's memory, if it is that, or a file. Its root is the first of {@link #roots}: the only one, unless a file is large. */
    private final ForeignMemory foreign;
    /** The offset in the slab or the whole storage, in bytes. */
    private final long start;
    /** The root over this part, if it is one of the {@link #windows} of its whole; else null. */
    private final ByteBuffer window;

    Storage(Slab slab, int unit, int bytes) {
        this.slab = slab;
        start = unit * Slab.UNIT;
        this.bytes = bytes;
        whole = null;
        window = null;
        reference = null;
        foreign = null;
    }

    private Storage(Storage whole, long start, long bytes, ByteBuffer window) {
        this.whole = whole;
        this.start = start;
        this.bytes = bytes;
        this.window = window;
        slab = null;
        reference = null;
        foreign = null;
    }

    private Storage(Memory.Lease lease, long bytes) {
        this.bytes = bytes;
        roots = lease.roots;
        reference = lease.reference;
        slab = null;
        whole = null;
        window = null;
        foreign = null;
        start = 0;
    }

    private Storage(ByteBuffer[] roots, long bytes, ForeignMemory foreign) {
        this.bytes = bytes;
        this.roots = roots;
        this.foreign = foreign;
        reference = null;
        slab = null;
        whole = null;
        window = null;
        start = 0;
    }

    /**
     * Takes memory that somebody lends. It is outside of the budget, and unexposed.
     *
     * @param lent a direct buffer: its bytes from position to limit, which stay where they are until {@code release} is called
     * @param unchecked whether it is given back as soon as it is closed and not pinned, even if data or buffers over it are reachable
     * @param release gives the memory back: called once, on any thread
     * @return open storage
     */
    public static Storage adopt(ByteBuffer lent, boolean unchecked, Runnable release) {
        int from = lent.position();
        int size = lent.remaining();
        // Memory of no bytes may have no address.
        ByteBuffer root = (size == 0 ? ByteBuffer.allocateDirect(0) : NativeMemory.alias(lent, from, size)).order(ByteOrder.nativeOrder());
        return new Storage(new ByteBuffer[] {root}, size, new ForeignMemory(root, lent, NativeMemory.addressOf(root), unchecked, release));
    }

    /**
     * Maps a part of a file: read-only memory outside of the budget, which only {@code java.nio} may access, since the file may be cut short. Of
     * memory that is {@link #isLarge} each root is mapped for itself, and has {@link #windowStep()} bytes at most.
     *
     * @param file the file, of which this becomes a user
     * @param from the position of the first byte
     * @param size the number of bytes, at least one
     * @return open storage
     * @throws IOException if the file has no such bytes, or cannot be mapped, as where there are no addresses for it
     */
    public static Storage map(MappedFile file, long from, long size) throws IOException {
        long step = size <= Memory.LARGEST ? size : Memory.STEP;
        ByteBuffer[] roots = new ByteBuffer[Math.toIntExact((size + step - 1) / step)];
        for (int n = 0; n < roots.length; n++) {
            roots[n] = file.map(from + n * step, (int) Math.min(step, size - n * step));
        }
        file.share();
        return new Storage(roots, size, new ForeignMemory(roots[0], NativeMemory.addressOf(roots[0]), size, file::release));
    }

    /** Ends a call that adopts memory. If it has failed, the memory remains its lender's, whom nobody will call. */
    public void adopted(boolean succeeded) {
        if (succeeded) {
            foreign.take();
        } else {
            foreign.giveBack();
        }
    }

    /**
     * The address of the first byte. To be called with a pin.
     *
     * @return the address
     */
    public long address() {
        if (whole != null) {
            return whole.address() + start;
        }
        return foreign != null ? foreign.address : (slab != null ? slab.reference() : reference).address + start;
    }

    /**
     * Allocates memory that one buffer can view.
     *
     * @param bytes the size; 0 to {@code Integer.MAX_VALUE}
     * @param zeroed whether it must be zeroed; else its contents are undefined
     * @return open storage
     * @throws OutOfMemoryError if the budget or the system does not allow it
     * @throws IllegalArgumentException if {@code bytes} is out of range
     */
    public static Storage allocate(long bytes, boolean zeroed) {
        if (bytes < 0 || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(bytes + " bytes: a storage of one buffer has 0 to " + Integer.MAX_VALUE);
        }
        return bytes < Slab.LIMIT ? Slabs.allocate((int) bytes) : new Storage(Memory.allocate(bytes, zeroed, null, true), bytes);
    }

    /**
     * Checks a size before it is allocated, so that the error names the tensor; no collection could help.
     *
     * @param type the element type
     * @param shape a checked shape
     * @return the bytes that its elements take
     * @throws OutOfMemoryError if that is more than the budget for all tensors
     */
    public static long size(DataType type, long... shape) {
        long bytes = Shapes.product(shape) * type.byteSize();
        if (bytes > Memory.max()) {
            throw new OutOfMemoryError("the " + type + " tensor of shape " + Arrays.toString(shape) + " needs " + bytes
                + " bytes, more than the memory budget of " + Memory.max() + ": raise it with -D" + Settings.MAX_MEMORY
                + "=<bytes, or with k, m, g>");
        }
        return bytes;
    }

    /**
     * Allocates memory of any size.
     *
     * @param bytes the size, 0 or more
     * @param zeroed whether it must be zeroed; else its contents are undefined
     * @return open storage, which may be {@link #isLarge}
     * @throws OutOfMemoryError if the budget or the system does not allow it
     */
    public static Storage allocateAny(long bytes, boolean zeroed) {
        return bytes <= Memory.LARGEST ? allocate(bytes, zeroed) : new Storage(Memory.allocate(bytes, zeroed, null, false), bytes);
    }

    /**
     * Whether the memory is larger than one buffer. Then {@link #view()} is over its beginning only; {@link #windows()} are over all of it.
     *
     * @return true if it has several windows
     */
    public boolean isLarge() {
        return reference != null && reference.others.length > 0 || foreign != null && bytes > Memory.LARGEST;
    }

    /** Whether this is a file, which may be cut short: then native code must not read the memory, and copies read the file. */
    public boolean isMapped() {
        return whole != null ? whole.isMapped() : foreign != null && foreign.isMapped();
    }

    /** Whether all bytes are at one address and after it. */
    public boolean isOneRun() {
        return !(isMapped() && isLarge());
    }

    /**
     * Allocates memory with undefined contents that nobody but the library and its native code accesses until {@link #expose()}. Released before, it
     * needs no care for readers that have not noticed, so that closing it calls the system as little as allocating it.
     *
     * @param bytes the size, 0 or more
     * @return open storage, which may be {@link #isLarge}
     * @throws OutOfMemoryError if the budget or the system does not allow it
     */
    public static Storage allocateUnexposed(long bytes) {
        Storage storage = allocateAny(bytes, false);
        if (storage.reference != null) {
            storage.reference.exposed = false;
        }
        return storage;
    }

    /** Notes that the application is about to get data over the memory. The caller checks after it that the memory is open. */
    void expose() {
        if (whole != null) {
            whole.expose();
        } else if (foreign != null) {
            foreign.exposed = true;
        } else if (reference != null && !reference.exposed) {
            reference.exposed = true;
        }
    }

    /**
     * A part of the memory as a separate storage, closed and pinned independently. It is an owner of the whole: the
     * pages are released, and count as in use, until the last owner closes. Parts should not overlap, and none may be
     * made where a closed one was: a buffer over that one would see it.
     *
     * @param from the offset in bytes: a multiple of {@link #ALIGNMENT}
     * @param size its bytes
     * @return open storage, or null if the whole is closed
     * @throws IllegalArgumentException if {@code from} is not such a multiple
     * @throws IndexOutOfBoundsException if the part is not inside the whole
     */
    public Storage part(long from, long size) {
        if (from < 0 || size < 0 || from > bytes - size) {
            throw new IndexOutOfBoundsException(size + " bytes at offset " + from + " are outside of a storage of " + bytes);
        }
        if (from % ALIGNMENT != 0) {
            throw new IllegalArgumentException("a part cannot begin at byte " + from + ", which is no multiple of " + ALIGNMENT);
        }
        Storage part = new Storage(this, from, size, null);
        return share() ? part : null;
    }

    /**
     * The bytes from one window to the next.
     *
     * @return a power of 2, at least 64
     */
    public static int windowStep() {
        return Memory.STEP;
    }

    /**
     * The windows of memory that is {@link #isLarge}: parts that one buffer can view, each {@link #windowStep()} bytes after the one before it, which
     * it overlaps. All are closed together.
     *
     * @return open storages, which the caller, an owner of this, closes
     */
    public Storage[] windows() {
        Storage[] windows = new Storage[roots.length];
        for (int n = 0; n < windows.length; n++) {
            windows[n] = new Storage(this, (long) n * Memory.STEP, roots[n].capacity(), roots[n]);
        }
        for (Storage unused : windows) {
            share();
        }
        return windows;
    }

    /**
     * The identity of the memory.
     *
     * @return the same for all windows of a storage
     */
    public Storage identity() {
        return window == null ? this : whole;
    }

    /**
     * Where a window begins in its memory.
     *
     * @return the offset in bytes; 0 if this is none
     */
    public long windowStart() {
        return window == null ? 0 : start;
    }

    /**
     * The buffer that keeps the addresses reserved, and by which native code finds the memory: of large memory all of it, though the buffer itself
     * is shorter. To be called only by an owner before it closes, or with a pin.
     *
     * @return a direct buffer, which may contain other tensors: not to be written outside of this storage; its position must not be changed
     */
    public ByteBuffer root() {
        if (slab != null || whole != null) {
            return slab != null ? slab.root() : whole.root();
        }
        ByteBuffer[] own = roots;
        return own == null ? null : own[0];
    }

    /** The root that has a byte: of memory that {@link #isOneRun} the first one, from which all are counted. */
    ByteBuffer rootOf(long at) {
        return isOneRun() ? root() : roots[(int) (at / Memory.STEP)];
    }

    /**
     * The offset of the memory in {@link #root()}.
     *
     * @return the offset in bytes
     */
    public long byteOffset() {
        return whole != null ? whole.byteOffset() + start : start;
    }

    /**
     * The memory as a buffer, which itself keeps the addresses reserved; the beginning of large memory. To be called only by an owner before it
     * closes, or with a pin.
     *
     * @return a direct buffer in native byte order at position 0, which must not be changed
     */
    public ByteBuffer view() {
        if (reference != null || foreign != null) {
            return roots[0];
        }
        if (window != null) {
            return window;
        }
        int from = (int) byteOffset();
        ByteBuffer view = root().duplicate();
        view.limit(from + (int) bytes);
        view.position(from);
        return view.slice().order(ByteOrder.nativeOrder());
    }

    /**
     * The first bytes as buffers, one after the other: one unless the memory is large. To be called as {@link #view()}.
     *
     * @param size the number of bytes, at most all
     * @return new direct buffers in native byte order, at position 0
     */
    public ByteBuffer[] segments(long size) {
        int step = isLarge() ? Memory.STEP : Integer.MAX_VALUE;
        ByteBuffer[] segments = new ByteBuffer[(int) Math.max((size + step - 1) / step, 1)];
        for (int n = 0; n < segments.length; n++) {
            ByteBuffer segment = (isLarge() ? roots[n] : view()).duplicate();
            segment.limit((int) Math.min(size - (long) n * step, step));
            segments[n] = segment.slice().order(ByteOrder.nativeOrder());
        }
        return segments;
    }

    /**
     * Some bytes as buffers, one after the other, as {@link #segments(long)} has the first ones.
     *
     * @param from the first byte
     * @param size the number of bytes, of those that there are
     * @return new direct buffers in native byte order, at position 0
     */
    public ByteBuffer[] segments(long from, long size) {
        int step = isLarge() ? Memory.STEP : Integer.MAX_VALUE;
        int first = (int) (from / step);
        ByteBuffer[] segments = new ByteBuffer[size == 0 ? 0 : (int) ((from + size - 1) / step) - first + 1];
        for (int n = 0; n < segments.length; n++) {
            long begin = (long) (first + n) * step;
            ByteBuffer segment = (isLarge() ? roots[first + n] : view()).duplicate();
            segment.limit((int) Math.min(from + size - begin, step));
            segment.position((int) Math.max(from - begin, 0));
            segments[n] = segment.slice().order(ByteOrder.nativeOrder());
        }
        return segments;
    }

    /**
     * The first bytes as buffers that nobody keeps: for one call of code that is known to let go of them. They do not expose the memory, so that
     * closing it takes no care of readers. To be called with a pin, or by an owner.
     *
     * @param size the number of bytes, at most all
     * @return new direct buffers in native order, one after the other, all but the last of the same size; not to be used after the pin
     */
    public ByteBuffer[] lend(long size) {
        return aliases(0, size);
    }

    /** Some bytes as new buffers that native code makes over the root: as many as {@link #segments} would give. */
    ByteBuffer[] aliases(long from, long size) {
        long step = size > Memory.LARGEST ? Memory.STEP : Integer.MAX_VALUE;
        ByteBuffer[] aliases = new ByteBuffer[(int) Math.max((size + step - 1) / step, 1)];
        for (int n = 0; n < aliases.length; n++) {
            long start = isOneRun() ? byteOffset() + from + n * step : 0;
            aliases[n] = NativeMemory.alias(rootOf(n * step), start, (int) Math.min(size - n * step, step)).order(ByteOrder.nativeOrder());
        }
        return aliases;
    }

    /** Notes that the application is about to get a buffer over the memory, with which it can start I/O. To be called with a pin. */
    public void handOut() {
        if (whole != null) {
            whole.handOut();
        } else if (foreign != null) {
            foreign.exposed = true;
        } else {
            (slab != null ? slab.reference() : reference).handedOut = true;
        }
    }

    /**
     * The size of the memory.
     *
     * @return the number of bytes requested
     */
    public long bytes() {
        return bytes;
    }

    /** Whether every owner has called {@link #close()}. */
    boolean isClosed() {
        return state < 0;
    }

    /**
     * Adds an owner, which must close as well.
     *
     * @return false if it is closed
     * @throws IllegalStateException if the count of owners would overflow
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
     * Releases an owner; to be called once for each. After the last one the pages are released, at once or with the last pin.
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
     * Ends a pin; releases the pages if it was the last one and all owners have closed meanwhile.
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
            slab.release((int) start / Slab.UNIT, Slab.units(bytes));
        } else if (whole != null) {
            whole.close();
        } else {
            ByteBuffer first = roots[0];
            roots = null;
            if (foreign != null) {
                foreign.free();
            } else {
                Memory.close(first, reference, pinned);
            }
        }
    }
}
