package io.tensornio.internal.memory;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;

/**
 * A phantom reference to the root buffer of a block: once no buffer derived from the root is reachable, the block's
 * addresses can be reused. All references are kept in a list, so that they stay reachable until then. A block that is larger than one buffer has
 * several roots, and a reference for each.
 */
final class BlockReference extends PhantomReference<ByteBuffer> {
    final long address;
    final long bytes;
    /** The tensors in the block if it is a slab, else null. */
    final SlabCounts counts;
    /** The size of the block's address range. */
    final long addresses;
    /** The references to further roots, of a block larger than one buffer; else none. */
    final RootReference[] others;
    /** The number of roots that may be reachable, guarded by the list. */
    int roots;
    /** Whether the pages were released, or are about to be; guarded by the list. */
    boolean closed;
    /** Whether the application was given a buffer over a part of the block. */
    volatile boolean handedOut;
    /** Whether the application may have got data or a buffer over the block; false for what was computed, until it is asked for. See invariant 14. */
    volatile boolean exposed = true;
    /** Whether the owner has closed it, but a pin still keeps the pages; guarded by the list. */
    boolean awaiting;
    /** For a slab: bytes of closed tensors whose pages were released before the slab as a whole. */
    volatile int swept;
    /** How often late writes to it were discarded; accessed by the {@link Janitor} only. */
    int discards;
    /** Whether late writes to it are being discarded, and whether it became unreachable meanwhile; guarded by the list. */
    boolean discarding;
    boolean unreachable;
    /** Neighbours in the list of {@link Memory}, which guards them. */
    BlockReference previous;
    BlockReference next;

    BlockReference(ByteBuffer[] roots, ReferenceQueue<ByteBuffer> queue, long address, long bytes, SlabCounts counts) {
        super(roots[0], queue);
        this.roots = roots.length;
        others = new RootReference[roots.length - 1];
        for (int n = 0; n < others.length; n++) {
            others[n] = new RootReference(roots[n + 1], queue, this);
        }
        this.address = address;
        this.bytes = bytes;
        addresses = Memory.addresses(bytes);
        this.counts = counts;
    }

    /** Forgets the roots: the collector does not report them any more. */
    void forget() {
        clear();
        for (RootReference other : others) {
            other.clear();
        }
    }

    /** The head of a list. */
    BlockReference() {
        super(null, null);
        others = new RootReference[0];
        address = 0;
        bytes = 0;
        addresses = 0;
        counts = null;
        previous = this;
        next = this;
    }
}
