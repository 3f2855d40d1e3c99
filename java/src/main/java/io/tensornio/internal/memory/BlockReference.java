package io.tensornio.internal.memory;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;

/**
 * A phantom reference to the root buffer of a block: once no buffer derived from the root is reachable, the block's
 * addresses can be reused. All references are kept in a list, so that they stay reachable until then.
 */
final class BlockReference extends PhantomReference<ByteBuffer> {
    final long address;
    final long bytes;
    /** The tensors in the block if it is a slab, else null. */
    final SlabCounts counts;
    /** The size of the block's address range. */
    final long addresses;
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

    BlockReference(ByteBuffer root, ReferenceQueue<ByteBuffer> queue, long address, long bytes, SlabCounts counts) {
        super(root, queue);
        this.address = address;
        this.bytes = bytes;
        addresses = Memory.addresses(bytes);
        this.counts = counts;
    }

    /** The head of a list. */
    BlockReference() {
        super(null, null);
        address = 0;
        bytes = 0;
        addresses = 0;
        counts = null;
        previous = this;
        next = this;
    }
}
