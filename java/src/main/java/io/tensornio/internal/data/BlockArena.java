package io.tensornio.internal.data;

import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.LayoutWalk;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.ragged.RowArena;
import io.tensornio.internal.ragged.RowTable;
import io.tensornio.internal.ragged.RowsSnapshot;
import java.util.Arrays;

/**
 * A {@link RowArena} in a block of native memory. As a source it addresses elements by {@code RowPosition}, so that views stay valid when rows move.
 * After publication it reads the tensor's values. What the siblings add is access to elements.
 */
abstract class BlockArena extends RowArena {
    /** The capacity of the first arena, in bytes. */
    private static final int FIRST = 64;

    private final PrimitiveCarrier<?, ?> carrier;
    /** The arena; the tensor's values once published. */
    private Block block;

    /** Keeps a checked ragged shape. */
    BlockArena(PrimitiveCarrier<?, ?> carrier, long... shape) {
        super(Integer.MAX_VALUE / carrier.bytes - 8, shape);
        this.carrier = carrier;
        reserve(FIRST / carrier.bytes);
    }

    /** Keeps the block as what the elements are read of and written to. */
    abstract void adopt(Block adopted);

    private void replace(Block by) {
        block = by;
        adopt(by);
    }

    private Block made(int elements) {
        Block made = carrier.zeroed(elements);
        made.name(tree.shape);
        return made;
    }

    @Override
    public final void allocate(int elements) {
        Block old = block;
        Block more = made(elements);
        if (old != null) {
            try {
                carrier.copy(old, 0, more, 0, rows.used());
            } catch (Throwable e) {
                more.close();
                throw e;
            }
        }
        replace(more);
        if (old != null) {
            old.close();
        }
    }

    @Override
    public final void compact(int elements, RowsSnapshot now, int... start) {
        Block old = block;
        Block packed = made(elements);
        pack(now, old, packed, start);
        replace(packed);
        old.close();
    }

    @Override
    public final void mustBeWritable() {
        if (block != null) {                // null before the first allocation
            checkWritable();
        }
    }

    @Override
    public final void stopWrites() {
        block.publish();
    }

    @Override
    public final void move(int from, int to, int kept, int n) {
        if (kept > 0) {
            carrier.copy(block, from, block, to, kept);
        }
    }

    // ---- As a source -------------------------------------------------------------------------------------------------

    @Override
    public final boolean isReadOnly() {
        return ((Source) block).isReadOnly();
    }

    @Override
    public final void checkOpen() {
        ((Source) block).checkOpen();
    }

    @Override
    public final void checkWritable() {
        ((Source) block).checkWritable();
    }

    /** Rows may have been shortened since the view was made. */
    @Override
    public final void checkReadable(Layout layout) {
        checkCapacity(layout, layout.totalSize());
    }

    @Override
    public final void checkCapacity(Layout layout, long count) {
        if (count == 0 || layout.isStrided() && areInOneRow(layout.lowest(), layout.highest())) {
            return;
        }
        LayoutWalk places = new LayoutWalk(layout);
        for (long n = 0; n < count; n++) {
            resolve(places.skip());
        }
    }

    @Override
    public final Object memory() {
        return this;
    }

    // ---- Publication -----------------------------------------------------------------------------------------------

    @Override
    public Block publish() {
        finish();
        RowTable r = rows;
        RowsSnapshot now = tree.snapshot(0, 0);
        long total = now.positions(tree.last) * r.unit;
        long[] shape = Arrays.copyOfRange(tree.shape, tree.last, tree.shape.length);
        shape[0] = now.positions(tree.last);
        int[] start = new int[r.numbers()];
        Block from = block;
        Block values;
        if (isInOrder(now, start) && total >= capacity() / 2) {
            checkRow(0, total);
            values = carrier.sharing(from, shape);
        } else {
            values = carrier.uncleared(shape);
            pack(now, from, values, start);
        }
        values.name(tree.shape);
        values.publish();
        tree.publish(now, start);
        replace(values);
        from.close();
        return values;
    }

    /** Sets the starts of contiguous rows; returns whether the rows in the arena are so already. */
    private boolean isInOrder(RowsSnapshot now, int... start) {
        RowTable r = rows;
        long at = 0;
        for (int n = 0; n < now.rows.length; n++) {
            int row = now.rows[n];
            int length = now.length(tree.last, n);
            start[row] = r.start(row);
            if (length > 0 && r.unit > 0 && start[row] != at) {
                return false;
            }
            at += (long) length * r.unit;
        }
        return true;
    }

    /** Copies rows contiguously to another block, which it closes if it fails, and sets their starts. */
    private void pack(RowsSnapshot now, Block from, Block to, int... start) {
        try {
            RowTable r = rows;
            int at = 0;
            for (int n = 0; n < now.rows.length; n++) {
                int row = now.rows[n];
                int some = now.length(tree.last, n) * r.unit;
                checkRow(r.start(row), (long) now.length(tree.last, n) * r.unit);
                start[row] = at;
                if (some > 0) {
                    carrier.copy(from, r.start(row), to, at, some);
                    at += some;
                }
            }
        } catch (Throwable e) {
            to.close();
            throw e;
        }
    }

    @Override
    public final void close() {
        finish();
        block.close();
    }
}
