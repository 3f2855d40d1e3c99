package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a thread that has not noticed the close writes to a large block: its pages count nowhere, so they must not stay. */
class LateWriteTest {
    private static final long STAMP = 0x1122_3344_5566_7788L;
    /** From the smallest block that is looked at; the last page of one is not full. */
    private static final int[] SIZES = {2 << 20, (2 << 20) + 1, 3 << 20, (5 << 20) - 4097, 16 << 20};
    private static final int COPIES = 4;
    /** Looks at the blocks of one attempt, with a pause after each: several times as long as the ticks take that discard. */
    private static final int LOOKS = 1000;
    private static final int ATTEMPTS = 3;

    /** The buffers of blocks that were closed before they were written. */
    private static List<ByteBuffer> writtenLate() {
        List<ByteBuffer> views = new ArrayList<>();
        for (int i = 0; i < COPIES; i++) {
            for (int size : SIZES) {
                Storage storage = Storage.allocate(size, true);
                ByteBuffer view = storage.view();
                assertTrue(storage.close());
                Stamp.write(view, STAMP);
                views.add(view);
            }
        }
        return views;
    }

    private static boolean readZeros(List<ByteBuffer> views) {
        for (ByteBuffer view : views) {
            if (Stamp.other(view, 0, 0) >= 0) {
                return false;
            }
        }
        return true;
    }

    @Test
    void lateWritesToLargeBlocksGoByThemselves() {
        // Elsewhere discarded pages may keep their values for a while.
        assumeTrue(System.getProperty("os.name").equals("Linux"));
        // A block is looked at only a few times after its close. A thread that was stopped for as long writes too late: then once more.
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            List<ByteBuffer> views = writtenLate();
            for (int look = 0; look < LOOKS; look++) {
                if (readZeros(views)) {
                    return;
                }
                Garbage.pause();
            }
        }
        throw new AssertionError("late writes stay");
    }

    @Test
    void whatIsOpenOrPinnedIsNoLateWrite() {
        Storage open = Storage.allocate(3 << 20, true);
        Storage pinned = Storage.allocate(3 << 20, true);
        ByteBuffer awaiting = pinned.view();
        assertTrue(pinned.pin());
        assertTrue(pinned.close());
        Stamp.write(open.view(), STAMP);
        Stamp.write(awaiting, STAMP);
        Memory.discardLateWrites();
        Stamp.check(open.view(), STAMP, "open memory");
        Stamp.check(awaiting, STAMP, "pinned memory");
        pinned.unpin();
        assertTrue(open.close());
    }
}
