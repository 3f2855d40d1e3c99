package io.tensornio.internal.ragged;

import io.tensornio.internal.layout.Shapes;
import java.util.Arrays;

/** The elements of a ragged tensor while it is filled: a growing arena, in which a row moves when it outgrows its capacity. */
public abstract class RowArena {
    /** Which rows there are. */
    public final RaggedTree tree;
    /** Where each row is in the arena. */
    public final RowTable rows;
    /** The capacity in elements, and the most that it can ever be. */
    private int capacity;
    private final int most;
    /** Whether doubling has failed for want of memory: from then on the arena grows in smaller steps. */
    private boolean isTight;
    /** The row at the end of the used part of the arena, the only one whose capacity can grow in place; -1 if there is none. */
    private int tail = -1;
    /** Whether that row was moved there, and so may grow again: then it keeps its spare capacity. */
    private boolean tailMoved;

    /** Takes a checked ragged shape, which this object keeps; the arena has nothing before the first {@link #reserve}. */
    public RowArena(int most, long... shape) {
        this.most = most;
        tree = new RaggedTree(shape);
        rows = tree.rows;
    }

    /** Makes an arena of this many elements with the used part of the one before; changes nothing if it fails. */
    public abstract void allocate(int elements);

    /** Makes a compact arena of this many elements, with the rows at {@code start}, which it fills in; changes nothing if it fails. */
    public abstract void compact(int elements, RowsSnapshot now, int... start);

    /** Refuses what is published or closed. */
    public abstract void mustBeWritable();

    /** Moves {@code n} elements, of which only the first {@code kept} are copied; source and target do not overlap. */
    public abstract void move(int from, int to, int kept, int n);

    /** How many elements the arena can hold. */
    public final int capacity() {
        return capacity;
    }

    /** Makes the arena as large as this. */
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
        return r.elements() < r.used() / 2 && tree.rowCount() <= r.used();     // all rows are looked at, however short they are
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
        int[] capacities = r.lengths();         // before rows move: a row that kept its spare capacity would write into the next
        compact(size, now, start);
        capacity = size;
        r.moved(capacities, start);
        tail = -1;
    }

    /** Under the lock that {@link #finish} takes: what is published or closed does not get a new arena, which nobody would close. */
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
            size = (int) elements;          // the least, which an error then names
            allocate(size);
        }
        capacity = size;
    }

    /** Ends all writes, for good. */
    public final synchronized void finish() {
        stopWrites();
    }

    /** Refuses all writes from now on. */
    public abstract void stopWrites();

    /** What is thrown where rows and arena do not fit each other, for which there is one reason only. */
    final IllegalStateException raced() {
        return new IllegalStateException("the ragged tensor of shape " + Arrays.toString(tree.shape)
            + " was written by several threads at once, or while it was published");
    }

    /** Checks what a row has in the arena. */
    public final void checkRow(int start, long n) {
        if (start < 0 || start + n > capacity) {
            throw raced();
        }
    }

    /** Refuses a row that no memory could have, before anything is made for it. */
    public final void checkCapacity(long positions) {
        if (positions * Math.max(rows.unit, 1) > most) {
            throw new OutOfMemoryError("a row of " + positions + " positions of the ragged tensor of shape " + Arrays.toString(tree.shape)
                + " needs more than the " + Integer.MAX_VALUE + " bytes that one tensor can have");
        }
    }

    /** Reserves capacity for a new row of some positions, so that adding the row cannot fail any more. */
    public final void prepare(int positions) {
        tidy((long) positions * rows.unit);
        reserve(rows.used() + (long) positions * rows.unit);
    }

    /** Raises the capacity of a row to at least some positions, and keeps its first {@code kept}. */
    public final void reserveRow(int row, int positions, int kept) {
        RowTable r = rows;
        int unit = r.unit;
        tidy(Math.max(positions, 2L * r.capacity(row)) * unit);
        int has = r.capacity(row);
        int base = row == tail ? r.start(row) : r.used();
        boolean cut = row != tail && tail >= 0 && !tailMoved;
        if (cut) {
            // Rows that are put in order are contiguous.
            base = r.start(tail) + r.length(tail) * unit;
        }
        // What has grown once may grow again.
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

    /** Where in the arena the element is that a {@link RowPosition} names. */
    public final int resolve(long at) {
        int row = RowPosition.row(at);
        int place = RowPosition.place(at);
        if (place < 0 || place >= rows.length(row) * rows.unit) {
            int n = rows.length(row);
            String now = tree.last == tree.shape.length - 1 ? Shapes.elements(n) : n + (n == 1 ? " position" : " positions");
            throw new LostElementException("a view has " + tree.where(tree.last, row, place) + ", whose row has " + now + " now");
        }
        return rows.start(row) + place;
    }

    /** Whether two positions, and so all between them, are elements that one row has. */
    public final boolean areInOneRow(long low, long high) {
        int row = RowPosition.row(high);
        return RowPosition.row(low) == row && RowPosition.place(low) >= 0 && RowPosition.place(high) < rows.length(row) * rows.unit;
    }
}
