package io.tensornio.internal.memory;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * All native memory of this library: takes blocks within the budget, and asks for a collection when what nobody closed is in the way.
 *
 * <p>Native code keeps the budget, the pool and the addresses. Here is what only Java can know: which blocks are still reachable.
 */
final class Memory {
    static final ReferenceQueue<ByteBuffer> QUEUE = new ReferenceQueue<>();
    private static final long MAX = Settings.maxMemory();
    /** References to what is not yet released, blocks of one tensor and slabs; both lists are guarded by the first. */
    private static final BlockReference BLOCKS = new BlockReference();
    private static final BlockReference SLABS = new BlockReference();
    /**
     * Counts the blocks that were released, so that a thread which waits for one sees those that other threads release. Written under the lock of the
     * list.
     */
    private static volatile long released;
    /**
     * Addresses of closed blocks that the system does not yet have back. Nothing but the addresses is lost to them, so that a collection is asked for
     * only above an eighth of all, or when the system has no more. Guarded by the list, as what follows.
     */
    private static long stale;
    /** Live tensors with blocks of their own, how many bytes these have, and those of closed tensors that a pin still keeps. */
    private static int alive;
    private static long bytesAlive;
    private static long bytesAwaiting;
    /** How many bits an address has at least. */
    private static final int ADDRESS_BITS = addressBits();
    private static final long MOST_STALE = 1L << ADDRESS_BITS - 3;
    /** A block of so many bytes takes a multiple of this in addresses; where addresses are plenty, each one does. */
    static final long SPREAD = 2 << 20;
    /**
     * At how many ticks after the close of a block late writes to it are discarded, and for how many blocks at a tick, those allocated last.
     */
    private static final int DISCARDS = 3;
    private static final int MOST_DISCARDS = 256;
    /** How many numbers {@link NativeMemory#memory} gives, and which of them the bytes pooled are. */
    private static final int NUMBERS = 8;
    private static final int POOLED = 1;
    /** Whether the native library has the level of the application's logger. */
    private static volatile boolean knowsLogLevel;

    static {
        NativeMemory.setMaxMemory(MAX);
        NativeMemory.setMoving(Settings.movePages());
        NativeMemory.setThreads(Settings.threads());
        tally();                // loads the class here, while the heap has memory for it
    }

    private Memory() {
    }

    /** A block: its root buffer in native order, and what watches it. */
    static final class Lease {
        final ByteBuffer root;
        final BlockReference reference;

        Lease(ByteBuffer root, BlockReference reference) {
            this.root = root;
            this.reference = reference;
        }
    }

    private static int addressBits() {
        String arch = System.getProperty("os.arch", "");
        // 64-bit ARM is often set up for 39 bits of addresses, Android nearly always.
        boolean narrow = arch.equals("aarch64") || System.getProperty("java.vendor", "").contains("Android");
        return !arch.contains("64") && !arch.equals("s390x") ? 31 : narrow ? 39 : 47;
    }

    /** How many addresses a block takes, about: with 32 bits, few more than it has bytes, if these are few. */
    static long addresses(long bytes) {
        return ADDRESS_BITS < 32 && bytes < SPREAD ? bytes : (bytes + SPREAD - 1) / SPREAD * SPREAD;
    }

    /**
     * Takes a block.
     *
     * @param bytes its size, at least 1
     * @param zeroed whether it must read zeros
     * @param counts the counts of the slab that it will be, or null
     * @throws OutOfMemoryError if it does not fit the budget, or the system has no address space
     */
    static Lease allocate(long bytes, boolean zeroed, SlabCounts counts) {
        drain();
        if (!knowsLogLevel && !Log.isFinding()) {
            knowsLogLevel = true;
            NativeMemory.setLogLevel(Log.level());
        }
        if (counts != null) {
            tally();
        }
        long address = tryAllocate(bytes, zeroed);
        if (address == 0) {
            address = MemoryReclaimer.allocate(bytes, zeroed);
        }
        Lease lease;
        try {
            ByteBuffer root = NativeMemory.wrap(address).order(ByteOrder.nativeOrder());
            lease = new Lease(root, new BlockReference(root, QUEUE, address, bytes, counts));
            // The last that can fail: a block that is listed is counted, and if the caller fails, the collector finds it.
            link(lease.reference, counts == null ? BLOCKS : SLABS);
        } catch (Throwable e) {
            try {
                NativeMemory.release(address);
            } catch (Throwable also) {
                if (also != e) {            // the JVM has one error for all that run out of heap
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
     * Takes a block if the budget and the system allow it; else 0.
     *
     * @throws OutOfMemoryError if the system refuses it, there is no block that a collection could find to be unreachable, and no other thread has
     *     released one meanwhile
     */
    static long tryAllocate(long bytes, boolean zeroed) {
        long before = released;
        try {
            return NativeMemory.allocate(bytes, zeroed);
        } catch (OutOfMemoryError e) {
            if (!hasBlocks() && released == before) {
                throw e;
            }
            Log.log(Log.DEBUG, "the system refuses memory that unreachable blocks may have", e);
            return 0;
        }
    }

    private static boolean hasBlocks() {
        synchronized (BLOCKS) {
            return BLOCKS.next != BLOCKS || SLABS.next != SLABS;
        }
    }

    private static long bytesAlive() {
        synchronized (BLOCKS) {
            return bytesAlive;
        }
    }

    /** Lists a block, and counts it with no call between, as all counts are kept here: at the end of the stack, or of the heap, any could fail. */
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

    /** The owner of a block has closed it, but a pin keeps the pages: they await its end, which may have come before this call. */
    static void await(BlockReference reference) {
        synchronized (BLOCKS) {
            reference.awaiting = true;
            alive--;
            bytesAlive -= reference.bytes;
            bytesAwaiting += reference.bytes;
        }
    }

    /**
     * Gives the pages of a block back: of a slab, or of a tensor, which may have awaited the end of a pin. The root is an argument of the native
     * call, so that it stays reachable until that is done.
     */
    static void close(ByteBuffer root, BlockReference reference, boolean awaited) {
        long now;
        synchronized (BLOCKS) {
            reference.closed = true;        // a failure below must not have release count it once more
            if (awaited) {
                bytesAwaiting -= reference.bytes;
            } else if (reference.counts == null) {
                alive--;
                bytesAlive -= reference.bytes;
            }
            stale += reference.addresses;
            now = stale;
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
            release((BlockReference) reference);
            n++;
        }
        return n;
    }

    static void release(BlockReference reference) {
        long wasStale = 0;
        synchronized (BLOCKS) {
            if (reference.discarding) {
                reference.unreachable = true;       // the discarding thread releases it then
                return;
            }
            reference.previous.next = reference.next;
            reference.next.previous = reference.previous;
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
            // The caller wants memory for something else: the failure is not its own.
            Log.log(Log.ERROR, "a block of " + reference.bytes + " bytes cannot be released", e);
        } finally {
            synchronized (BLOCKS) {
                released++;
                stale -= wasStale;          // only now: till then nobody has these addresses
            }
        }
    }

    /** How many blocks were released so far, by any thread. */
    static long released() {
        return released;
    }

    /**
     * Discards what late writers have put into large blocks since they were closed: a compiled loop may have kept the buffer. Such pages
     * count nowhere, and no collection may come for long. No block is released meanwhile, and nobody waits for the system with the lock.
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
                BlockReference r = late[done++];        // never once more: it may be released, and another block have its address
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

    /** Whether there is nothing to watch. */
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

    /** Adds up what there is. */
    static TensorTally tally() {
        synchronized (BLOCKS) {
            // With the lock, so that no block is seen both in use and, closed meanwhile, pooled.
            return new TensorTally(SLABS, alive, bytesAlive, bytesAwaiting, pooled());
        }
    }
}
