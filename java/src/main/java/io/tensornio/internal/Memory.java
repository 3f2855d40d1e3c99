package io.tensornio.internal;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All native memory of this library: takes blocks within the budget, and asks for a collection when what nobody closed is in the way.
 *
 * <p>Native code keeps the budget, the pool and the addresses. Here is what only Java can know: which blocks are still reachable.
 */
final class Memory {
    static final ReferenceQueue<ByteBuffer> QUEUE = new ReferenceQueue<>();
    private static final long MAX = Settings.maxMemory();
    /** References to the blocks that are not yet released; guards itself. */
    private static final BlockReference BLOCKS = new BlockReference();
    /** Bytes of live tensors, rounded up to units where they are in slabs, and the most they have been. */
    private static final AtomicLong IN_USE = new AtomicLong();
    private static final AtomicLong PEAK = new AtomicLong();
    /** Addresses of closed blocks that are not yet released: all, and those in small blocks, which cost page tables. */
    private static final AtomicLong STALE = new AtomicLong();
    private static final AtomicLong STALE_SMALL = new AtomicLong();
    /** Above these a collection is asked for: an eighth of what a process can address, 16 GiB in blocks below 2 MiB. */
    private static final long MOST_STALE = mostStale();
    private static final long MOST_STALE_SMALL = Math.min(16L << 30, MOST_STALE);
    private static final long HUGE = 2 << 20;

    static {
        Native.setMaxMemory(MAX);
        Beans.register();
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

    private static long mostStale() {
        String arch = System.getProperty("os.arch", "");
        boolean wide = arch.contains("64");
        boolean android = System.getProperty("java.vendor", "").contains("Android");
        return wide ? android ? 64L << 30 : 16L << 40 : 256L << 20;
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
        long address = Native.allocate(bytes, zeroed);
        if (address == 0) {
            address = Collection.allocate(bytes, zeroed);
        }
        BlockReference reference;
        ByteBuffer root;
        try {
            root = Native.wrap(address).order(ByteOrder.nativeOrder());
            reference = new BlockReference(root, QUEUE, address, bytes, counts);
        } catch (Throwable e) {
            Native.release(address);
            throw e;
        }
        synchronized (BLOCKS) {
            reference.behind = BLOCKS.behind;
            reference.before = BLOCKS;
            BLOCKS.behind.before = reference;
            BLOCKS.behind = reference;
        }
        Janitor.start();
        return new Lease(root, reference);
    }

    /** Gives the pages of a block back. The root is an argument of the native call, so that it stays reachable until that is done. */
    static void close(ByteBuffer root, BlockReference reference) {
        reference.closed = true;
        long stale = STALE.addAndGet(reference.bytes);
        long small = reference.bytes < HUGE ? STALE_SMALL.addAndGet(reference.bytes) : 0;
        Native.close(root);
        if (stale > MOST_STALE || small > MOST_STALE_SMALL) {
            Janitor.askForCollection();
        }
    }

    /** Releases the blocks that have become unreachable; gives how many. */
    static int drain() {
        int n = 0;
        for (Reference<?> reference = QUEUE.poll(); reference != null; reference = QUEUE.poll()) {
            release((BlockReference) reference);
            n++;
        }
        return n;
    }

    static void release(BlockReference reference) {
        synchronized (BLOCKS) {
            reference.before.behind = reference.behind;
            reference.behind.before = reference.before;
        }
        if (reference.closed) {
            STALE.addAndGet(-reference.bytes);
            if (reference.bytes < HUGE) {
                STALE_SMALL.addAndGet(-reference.bytes);
            }
        } else {
            // Nobody closed it, or all that is in it.
            SlabCounts counts = reference.counts;
            count(counts == null ? -reference.bytes : -SlabCounts.liveUnits(counts.get()) * (long) Slab.UNIT);
        }
        Native.release(reference.address);
    }

    /** Whether there is nothing to watch. */
    static boolean isIdle() {
        synchronized (BLOCKS) {
            return BLOCKS.behind == BLOCKS && pooled() == 0;
        }
    }

    /** Counts bytes of tensors in or out. */
    static void count(long bytes) {
        long now = IN_USE.addAndGet(bytes);
        if (bytes > 0) {
            for (long peak = PEAK.get(); now > peak && !PEAK.compareAndSet(peak, now); peak = PEAK.get()) {
                Thread.yield();
            }
        }
    }

    static long max() {
        return MAX;
    }

    static long inUse() {
        return IN_USE.get();
    }

    static long peak() {
        return PEAK.get();
    }

    static long pooled() {
        long[] numbers = new long[8];
        Native.memory(numbers);
        return numbers[1];
    }

    /** Tensors alive, and bytes of closed ones that are not yet given back because their slab holds others. */
    static long[] tensorsAndDead() {
        long tensors = 0;
        long dead = 0;
        synchronized (BLOCKS) {
            for (BlockReference r = BLOCKS.behind; r != BLOCKS; r = r.behind) {
                if (r.closed) {
                    continue;
                }
                if (r.counts == null) {
                    tensors++;
                } else {
                    long counts = r.counts.get();
                    tensors += SlabCounts.tensors(counts);
                    dead += (SlabCounts.usedUnits(counts) - SlabCounts.liveUnits(counts)) * (long) Slab.UNIT;
                }
            }
        }
        return new long[] {tensors, dead};
    }
}
