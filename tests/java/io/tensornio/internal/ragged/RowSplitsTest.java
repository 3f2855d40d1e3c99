package io.tensornio.internal.ragged;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.TensorClosedException;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.support.Expect;
import io.tensornio.support.MemoryBalance;
import java.nio.LongBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Row splits of a tensor that is being closed: a 0 that the close may have left is not taken for a split. */
@ExtendWith(MemoryBalance.class)
class RowSplitsTest {
    private LongBlock values;
    private LongBlock block;
    private RowSplits splits;

    /** Two rows without elements, and one of all five. */
    @BeforeEach
    void make() {
        values = new LongBlock(new long[] {5});
        block = new LongBlock(new long[] {4});
        splits = new RowSplits(block, values);
        block.write(5, 3);
        block.publish();
    }

    private void closedAt(long row) {
        Expect.thrown(TensorClosedException.class, () -> splits.get(row), "INT64", "[5]", "closed");
    }

    @Test
    void zerosOfAnOpenTensorAreSplits() {
        long[] expected = {0, 0, 0, 5};
        for (int row = 0; row < 4; row++) {
            assertEquals(expected[row], splits.get(row));
        }
        values.close();
        block.close();
    }

    /** The values are closed first. */
    @Test
    void aZeroIsNoSplitOnceTheValuesAreClosed() {
        values.close();
        closedAt(1);
        closedAt(2);
        assertEquals(0, splits.get(0));         // which it always is
        assertEquals(5, splits.get(3));         // which no close leaves
        block.close();
    }

    /** Between the mark of the close and the loss of the buffer. */
    @Test
    void aZeroIsNoSplitWhileTheSplitsAreBeingClosed() {
        LongBuffer buffer = block.rd;
        block.close();
        block.rd = buffer;
        closedAt(1);
        closedAt(2);
        assertEquals(0, splits.get(0));
        values.close();
    }
}
