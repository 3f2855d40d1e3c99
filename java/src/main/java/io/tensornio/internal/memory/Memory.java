package io.tensornio.internal.memory;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * All native memory of this library: allocates blocks within the budget, and requests a collection when unclosed tensors exhaust it.
 *
 * <p>Native code maintains the budget, the pool and the address ranges; this class knows which blocks are still reachable.
 */
final class Memory {
    static final ReferenceQueue<ByteBuffer> QUEUE = new ReferenceQueue<>();
    private static final long MAX;
    /** References to all unreleased blocks: those of one tensor, and slabs. Both lists are guarded by the first. */
    private static final BlockReference BLOCKS = new BlockReference();
    private static final BlockReference SLABS = new BlockReference();
    /**
     * The number of blocks released so far, by which a waiting thread notices those released by others. Written under the lock of the
     * list.
     */
    private static volatile long released;
    /**
     * The size of the address ranges of closed blocks that are not released. They cost address space only, so that a collection is requested only
     * above an eighth of it, or when the system has no more. Guarded by the list, like the fields below.
     */
    private static long stale;
    /** The number of live tensors with blocks of their own, their bytes, and the bytes of closed ones whose pages are still pinned. */
    private static int alive;
    private static long bytesAlive;
    private static long bytesAwaiting;
    /** A lower bound of the number of bits of an address. */
    private static final int ADDRESS_BITS = addressBits();
    private static final long MOST_STALE = 1L << ADDRESS_BITS - 3;
    /** The address range of a block of this size is rounded up to a multiple of it; with plenty of address space, that of every block is. */
    static final long SPREAD = 2 << 20;
    /** The ticks after the close of a block at which late writes are discarded, and the maximum number of blocks at each, latest first. */
    private static final int DISCARDS = 3;
    private static final int MOST_DISCARDS = 256;
    /** The most bytes of a buffer; larger blocks have several, unless their users need one: those can have as many as Java allows. */
    static final int LARGEST;
    /**
     * The bytes from one root of a larger block to the next, a power of 2. Roots overlap: of elements that span at most {@code WINDOW - STEP} bytes,
     * all lie in one of them.
     */
    static final int STEP;
    /** The bytes of such a root: whole elements, of whatever type. The last ones are shorter. */
    private static final int WINDOW;
    /** The number of values that {@link NativeMemory#memory} reports, and the index of the pooled bytes among them. */
    private static final int NUMBERS = 8;
    private static final int POOLED = 1;

    static {
        Log.hold();
        try {
            MAX = Settings.maxMemory();
            LARGEST = Settings.largestBuffer();
            STEP = Integer.highestOneBit(LARGEST - 1);
            WINDOW = LARGEST / Long.BYTES * Long.BYTES;
            NativeMemory.setMaxMemory(MAX);
            NativeMemory.setFirstRoot(WINDOW);
            NativeMemory.setMoving(Settings.movePages());
            NativeMemory.setThreads(Settings.threads());
            tally();                // loads the class while the heap is not exhausted
        } finally {
            Log.postpone();
        }
    }

    private Memory() {
    }

    /** A block: its root buffers in native order, and the reference to them. */
    static final class Lease {
        final ByteBuffer[] roots;
        final BlockReference reference;

        Lease(ByteBuffer[] roots, BlockReference reference) {
            this.roots = roots;
            this.reference = reference;
        }
    }

    private static int addressBits() {
        String arch = System.getProperty("os.arch", "");
        // 64-bit ARM, and Android in particular, is often configured for 39-bit addresses.
        boolean narrow = arch.equals("aarch64") || System.getProperty("java.vendor", "").contains("Android");
        return !arch.contains("64") && !arch.equals("s390x") ? 31 : narrow ? 39 : 47;
    }

    /** The approximate size of a block's address range: with 32 bits, small blocks are not rounded up to {@link #SPREAD}. */
    static long addresses(long bytes) {
        return ADDRESS_BITS < 32 && bytes < SPREAD ? bytes : (bytes + SPREAD - 1) / SPREAD * SPREAD;
    }

    /**
     * Allocates a block.
     *
     * @param bytes its size, at least 1
     * @param zeroed whether it must read zeros
     * @param counts the counts if the block is to be a slab, or null
     * @param isOne whether there must be one root; else there are several if it is larger than {@link #LARGEST}
     * @throws OutOfMemoryError if it does not fit the budget, or the system has no address space
     */
    static Lease allocate(long bytes, boolean zeroed, SlabCounts counts, boolean isOne) {
        Log.deliverPostponed();
        drain();
        if (counts != null) {
            tally();
        }
        long address = tryAllocate(bytes, zeroed);
        if (address == 0) {
            address = MemoryReclaimer.allocate(bytes, zeroed);
        }
        Lease lease;
        try {
            ByteBuffer[] roots = new ByteBuffer[isOne || bytes <= LARGEST ? 1 : Math.toIntExact((bytes + STEP - 1) / STEP)];
            for (int n = 0; n < roots.length; n++) {
                long from = (long) n * STEP;
                ByteBuffer root = roots.length == 1 ? NativeMemory.wrap(address)
                    : NativeMemory.wrapPart(address, from, (int) Math.min(bytes - from, WINDOW));
                roots[n] = root.order(ByteOrder.nativeOrder());
            }
            lease = new Lease(roots, new BlockReference(roots, QUEUE, address, bytes, counts));
            // The last step that can fail: a listed block is counted, and if the caller fails, the collector finds it.
            link(lease.reference, counts == null ? BLOCKS : SLABS);
        } catch (Throwable e) {
            try {
                NativeMemory.release(address);
            } catch (Throwable also) {
                if (also != e) {            // the JVM may reuse one preallocated error
                    e.addSuppressed(also);
                }
            }
            throw e;
        }
        if (counts == null && TensorTally.mayBePeak(bytesAlive())) {
            tally();
        }
        Janitor.start();
        return lease;
    }

    /**
     * Allocates a block if it fits the budget; else returns 0.
     *
     * @throws OutOfMemoryError if the system refuses it, no collection could free a block, and no other thread has released one meanwhile
     */
    static long tryAllocate(long bytes, boolean zeroed) {
        long before = released;
        try {
            return NativeMemory.allocate(bytes, zeroed);
        } catch (OutOfMemoryError e) {
            if (!hasBlocks() && released == before) {
                throw e;
            }
            Log.log(Log.DEBUG, "the system refuses memory; unreachable blocks may be holding it", e);
            return 0;
        }
    }

    private static boolean hasBlocks() {
        synchronized (BLOCKS) {
            return BLOCKS.next != BLOCKS || SLABS.next != SLABS;
        }
    }

    /** The bytes of live tensors with blocks of their own. */
    static long bytesAlive() {
        synchronized (BLOCKS) {
            return bytesAlive;
        }
    }

    /**
     * Lists a block and counts it, without a call in between, which could overflow the stack or the heap; the other counters are changed likewise.
     */
    private static void link(BlockReference reference, BlockReference list) {
        synchronized (BLOCKS) {
            reference.next = list.next;
            reference.previous = list;
            list.next.previous = reference;
            list.next = reference;
            if (reference.counts == null) {
                alive++;
                bytesAlive += reference.bytes;
            }
        }
    }

    private static void unlink(BlockReference reference) {
        reference.previous.next = reference.next;
        reference.next.previous = reference.previous;
    }

    /** Notes that the owner of a block has closed it while a pin keeps the pages. The pin may have ended before this call. */
    static void await(BlockReference reference) {
        synchronized (BLOCKS) {
            reference.awaiting = true;
            alive--;
            bytesAlive -= reference.bytes;
            bytesAwaiting += reference.bytes;
        }
    }

    /**
     * Releases the pages of a block: of a slab, or of a tensor, possibly at the end of a pin. The root is an argument
     * of the native call, so that it stays reachable until it returns.
     */
    static void close(ByteBuffer root, BlockReference reference, boolean awaited) {
        long now;
        // Read once, and after the owner's mark: who exposes it later sees the mark.
        boolean isExposed = reference.exposed || reference.handedOut;
        synchronized (BLOCKS) {
            if (!isExposed) {
                reference.forget();             // the roots are reachable: nobody else can release the block
                unlink(reference);
            }
            reference.closed = true;        // if the code below fails, release must not count it again
            if (awaited) {
                bytesAwaiting -= reference.bytes;
            } else if (reference.counts == null) {
                alive--;
                bytesAlive -= reference.bytes;
            }
            stale += isExposed ? reference.addresses : 0;
            now = stale;
        }
        if (!isExposed) {
            NativeMemory.recycle(root);
            synchronized (BLOCKS) {
                released++;
            }
            return;
        }
        if (reference.handedOut) {
            NativeMemory.closeInPlace(root);
        } else {
            NativeMemory.close(root);
        }
        if (now > MOST_STALE) {
            Janitor.askForCollection();
        }
    }

    /** Releases the blocks that have become unreachable; returns how many. */
    static int drain() {
        int n = 0;
        for (Reference<?> reference = QUEUE.poll(); reference != null; reference = QUEUE.poll()) {
            n += collected(reference) ? 1 : 0;
        }
        return n;
    }

    /** Notes that a root is unreachable; whether it was the last of its block, which is released. */
    static boolean collected(Reference<?> root) {
        BlockReference block = root instanceof RootReference ? ((RootReference) root).block : (BlockReference) root;
        synchronized (BLOCKS) {
            if (--block.roots > 0) {
                return false;
            }
        }
        release(block);
        return true;
    }

    private static void release(BlockReference reference) {
        long wasStale = 0;
        synchronized (BLOCKS) {
            if (reference.discarding) {
                reference.unreachable = true;       // the discarding thread releases it afterwards
                return;
            }
            unlink(reference);
            if (reference.closed) {
                wasStale = reference.addresses;
            } else if (reference.awaiting) {
                bytesAwaiting -= reference.bytes;
            } else if (reference.counts == null) {
                alive--;
                bytesAlive -= reference.bytes;
            }
        }
        try {
            NativeMemory.release(reference.address);
        } catch (RuntimeException | Error e) {
            // The caller is allocating something else and must not fail because of this block.
            Log.log(Log.ERROR, "a block of " + reference.bytes + " bytes cannot be released", e);
        } finally {
            synchronized (BLOCKS) {
                released++;
                stale -= wasStale;          // only now are the addresses available
            }
        }
    }

    /** The number of blocks released so far, by any thread. */
    static long released() {
        return released;
    }

    /**
     * Discards late writes to large closed blocks: a compiled loop may have kept the buffer. Such pages are in no count, and a collection may be long
     * in coming. No block is released meanwhile, and the system is not called under the lock.
     */
    static void discardLateWrites() {
        BlockReference[] late = new BlockReference[MOST_DISCARDS];
        int n = 0;
        synchronized (BLOCKS) {
            for (BlockReference r = BLOCKS.next; r != BLOCKS && n < MOST_DISCARDS; r = r.next) {
                if (r.closed && r.bytes >= SPREAD && r.discards < DISCARDS) {
                    r.discards++;
                    r.discarding = true;
                    late[n++] = r;
                }
            }
        }
        int done = 0;
        try {
            while (done < n) {
                BlockReference r = late[done++];        // only once: afterwards it may be released, and its address be reused
                try {
                    NativeMemory.discardStale(r.address);
                } finally {
                    discarded(r);
                }
            }
        } finally {
            while (done < n) {
                discarded(late[done++]);
            }
        }
    }

    private static void discarded(BlockReference reference) {
        synchronized (BLOCKS) {
            reference.discarding = false;
            if (!reference.unreachable) {
                return;
            }
        }
        release(reference);
    }

    /** Whether there are no unreleased blocks. */
    static boolean isIdle() {
        synchronized (BLOCKS) {
            return BLOCKS.next == BLOCKS && SLABS.next == SLABS && pooled() == 0;
        }
    }

    static long max() {
        return MAX;
    }

    static long pooled() {
        long[] numbers = new long[NUMBERS];
        NativeMemory.memory(numbers);
        return numbers[POOLED];
    }

    /** Computes the current totals. */
    static TensorTally tally() {
        synchronized (BLOCKS) {
            // Under the lock, so that no block is counted both as in use and, if closed meanwhile, as pooled.
            return new TensorTally(SLABS, alive, bytesAlive, bytesAwaiting, pooled());
        }
    }
}
