package io.tensornio.internal.memory;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;

/**
 * Watches the root buffer of a block: once no buffer that was made from it is reachable, nobody can reach the block's addresses.
 * All of them stand in one list, so that they are reachable themselves until then.
 */
final class BlockReference extends PhantomReference<ByteBuffer> {
    final long address;
    final long bytes;
    /** The tensors in the block if it is a slab, else null. */
    final SlabCounts counts;
    /** The addresses that the block takes. */
    final long addresses;
    /** Whether the pages were given back, or are about to be; guarded by the list. */
    boolean closed;
    /** Whether the application has a buffer over a part of it. */
    volatile boolean handedOut;
    /** Whether the owner has closed it, but a pin keeps the pages; guarded by the list. */
    boolean awaiting;
    /** Of a slab: bytes of closed tensors whose pages were given back before the slab as a whole. */
    volatile int swept;
    /** How often late writes to it were discarded; for the {@link Janitor} alone. */
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
