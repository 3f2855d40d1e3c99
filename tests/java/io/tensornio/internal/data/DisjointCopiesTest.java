package io.tensornio.internal.data;

import io.tensornio.internal.memory.Forked;
import org.junit.jupiter.api.Test;

/** Copies between memory of the user's that cannot overlap: on the heap, and outside it. */
class DisjointCopiesTest {
    @Test
    void copiesNeedNoTemporary() {
        Forked.with("-Dtensornio.maxMemory=2k").run(DisjointCopiesProgram.class);
    }
}
