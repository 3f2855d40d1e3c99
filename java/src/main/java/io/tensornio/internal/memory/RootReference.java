package io.tensornio.internal.memory;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;

/** A phantom reference to one of the further roots of a block that is larger than one buffer. */
final class RootReference extends PhantomReference<ByteBuffer> {
    final BlockReference block;

    RootReference(ByteBuffer root, ReferenceQueue<ByteBuffer> queue, BlockReference block) {
        super(root, queue);
        this.block = block;
    }
}
