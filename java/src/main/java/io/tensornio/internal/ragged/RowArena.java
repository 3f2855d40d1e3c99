package io.tensornio.internal.ragged;

import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Block;
import java.util.Arrays;

/** The elements of a ragged tensor under construction: a growing arena, in which a row moves when it outgrows its capacity. */
public abstract class RowArena implements Source {
    /** The rows. */
    public final RaggedTree tree;
    /** The location of each row in the arena. */
    public final RowTable rows;
    /** Where elements are by their indices. */
    public final RowFinder finder;
    /** The capacity in elements, and its maximum. */
    private int capacity;
    private final int most;
    /** Whether doubling has failed for lack of memory: then the arena grows in smaller steps. */
    private boolean isTight;
    /** The row at the end of the used part of the arena, the only one whose capacity can grow in place; -1 if there is none. */
    private int tail = -1;
    /** Whether the tail row was moved there, and so is likely to grow again: then it keeps its spare capacity. */
    private boolean tailMoved;

    /** Keeps a checked ragged shape; the arena is empty before the first {@link #reserve}. */
    public RowArena(int most, long... shape) {
        this.most = most;
        tree = new RaggedTree(shape);
        rows = tree.rows;
        finder = new RowFinder(tree);
    }

    /** Reallocates the arena with this capacity, keeping the used part; changes nothing if it fails. */
    public abstract void allocate(int elements);

    /** Reallocates the arena with this capacity and contiguous rows, whose starts it writes to {@code start}; changes nothing if it fails. */
    public abstract void compact(int elements, RowsSnapshot now, int... start);

    /** Throws if this is published or closed. */
    public abstract void mustBeWritable();

    /** Moves a row of {@code n} elements, of which only the first {@code kept} need be copied; source and target do not overlap. */
    public abstract void move(int from, int to, int kept, int n);

    /** The capacity of the arena in elements. */
    public final int capacity() {
        return capacity;
    }

    /** Ensures this capacity. */
    public final void reserve(long elements) {
        if (elements > capacity) {
            enlarge(elements);
        }
    }

    /**
     * Compacts the arena if it would have to grow for {@code more} elements although more than half of the used part is unused by rows. The cost is
     * amortised: more elements were written before than are copied now.
     */
    private void tidy(long more) {
        RowTable r = rows;
        if (r.used() + more > capacity && isLoose()) {
            compact(more);
        }
    }

    private boolean isLoose() {
        RowTable r = rows;
        return r.elements() < r.used() / 2 && tree.rowCount() <= r.used();     // compaction visits all rows, however short
    }

    private synchronized void compact(long more) {
        if (!isLoose()) {
            return;
        }
        mustBeWritable();
        RowTable r = rows;
        RowsSnapshot now = tree.snapshot(0, 0);
        long all = r.elements();
        if (now.positions(tree.last) * r.unit != all) {
            throw raced();
        }
        int size = (int) Math.min(most, Math.max(all + more, isTight ? 0 : 2 * all));
        int[] start = new int[r.numbers()];
        int[] capacities = r.lengths();         // without spare capacity: rows are contiguous afterwards
        compact(size, now, start);
        capacity = size;
        r.moved(capacities, start);
        tail = -1;
    }

    /** Under the lock that {@link #finish} takes: after publication or close a new arena would never be closed. */
    private synchronized void enlarge(long elements) {
        mustBeWritable();
        if (elements > most) {
            throw new OutOfMemoryError("the ragged tensor of shape " + Arrays.toString(tree.shape) + " needs room for " + Shapes.elements(elements)
                + "; one tensor can have " + most);
        }
        int size = (int) Math.max(elements, Math.min(isTight ? elements + elements / 8 : 2L * capacity, most));
        try {
            allocate(size);
        } catch (OutOfMemoryError e) {
            if (size == elements) {
                throw e;
            }
            if (!isTight) {
                isTight = true;
                enlarge(elements);
                return;
            }
            size = (int) elements;          // the minimum, which an error then names
            allocate(size);
        }
        capacity = size;
    }

    /** Ends all writes permanently. */
    public final synchronized void finish() {
        stopWrites();
    }

    /** The values of all rows, contiguous in row-major order: the arena itself if its rows are so, else a copy. Ends all writes. */
    public abstract Block publish();

    /** Ends all writes, and releases the memory. */
    public abstract void close();

    /** Makes all further writes fail. */
    public abstract void stopWrites();

    /** The exception for rows that are inconsistent with the arena, which only a data race can cause. */
    final IllegalStateException raced() {
        return new IllegalStateException("the ragged tensor of shape " + Arrays.toString(tree.shape)
            + " was written by several threads at once, or while it was published");
    }

    /** Checks that a row is within the arena. */
    public final void checkRow(int start, long n) {
        if (start < 0 || start + n > capacity) {
            throw raced();
        }
    }

    /** Checks that a row is not longer than one tensor can be, before anything is allocated. */
    public final void checkCapacity(long positions) {
        if (positions * Math.max(rows.unit, 1) > most) {
            throw new OutOfMemoryError("a row of " + positions + " positions of the ragged tensor of shape " + Arrays.toString(tree.shape)
                + " needs more than the " + Integer.MAX_VALUE + " bytes that one tensor can have");
        }
    }

    /** Reserves capacity for a new row, so that adding the row cannot fail. */
    public final void prepare(int positions) {
        tidy((long) positions * rows.unit);
        reserve(rows.used() + (long) positions * rows.unit);
    }

    /** Raises the capacity of a row to at least {@code positions}, keeping its first {@code kept} positions. */
    public final void reserveRow(int row, int positions, int kept) {
        RowTable r = rows;
        int unit = r.unit;
        tidy(Math.max(positions, 2L * r.capacity(row)) * unit);
        int has = r.capacity(row);
        int base = row == tail ? r.start(row) : r.used();
        boolean cut = row != tail && tail >= 0 && !tailMoved;
        if (cut) {
            // Rows that are filled in order are contiguous.
            base = r.start(tail) + r.length(tail) * unit;
        }
        // A row that has grown once is likely to grow again.
        int more = has == 0 ? positions : (int) Math.min(Math.max(positions, 2L * has), Integer.MAX_VALUE / Math.max(unit, 1));
        if (base + (long) more * unit > most) {
            more = positions;
        }
        reserve(base + (long) more * unit);
        if (row != tail) {
            if (cut) {
                r.trim(tail);
            }
            move(r.start(row), base, kept * unit, r.length(row) * unit);
            tail = row;
            tailMoved = has > 0;
        }
        r.place(row, base, more);
    }

    /** The index in the arena of the element at a {@link RowPosition}. */
    public final int resolve(long at) {
        int row = RowPosition.row(at);
        int offset = RowPosition.offset(at);
        if (offset < 0 || offset >= rows.length(row) * rows.unit) {
            int n = rows.length(row);
            String now = tree.last == tree.shape.length - 1 ? Shapes.elements(n) : n + (n == 1 ? " position" : " positions");
            throw new LostElementException("a view has " + tree.where(tree.last, row, offset) + ", whose row has " + now + " now");
        }
        return rows.start(row) + offset;
    }

    /** Whether two positions, and so all between them, are elements of one row. */
    public final boolean areInOneRow(long low, long high) {
        int row = RowPosition.row(high);
        return RowPosition.row(low) == row && RowPosition.offset(low) >= 0 && RowPosition.offset(high) < rows.length(row) * rows.unit;
    }
}
