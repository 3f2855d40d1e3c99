package io.tensornio.internal.ragged;

import io.tensornio.internal.layout.Shapes;
import java.util.Arrays;

/** Where the rows of a ragged tensor that is filled have their elements: an arena that grows, in which rows get room and move. */
public abstract class RowArena {
    /** Which rows there are. */
    public final RaggedTree tree;
    /** Where they are here. */
    public final RowTable rows;
    /** The elements that there is room for, and can ever be. */
    private int room;
    private final int most;
    /** There was no memory for twice as much: the arena grows in smaller steps. */
    private boolean isTight;
    /** The row at the end of what is taken of the arena, the only one that can have more room without being moved; -1 if there is none. */
    private int tail = -1;
    /** Whether that row was moved there from elsewhere, and may come again as others do: then its room stays its own. */
    private boolean tailMoved;

    /** Takes a checked ragged shape, which this object keeps; the arena has nothing before the first {@link #reserve}. */
    public RowArena(int most, long... shape) {
        this.most = most;
        tree = new RaggedTree(shape);
        rows = tree.rows;
    }

    /** Makes an arena of this many elements, with all that is taken of the one before; nothing is changed if it fails. */
    public abstract void allocate(int elements);

    /** Makes an arena of this many elements in which rows follow each other, and tells where they are there; nothing is changed if it fails. */
    public abstract void compact(int elements, RowsSnapshot now, int... start);

    /** Refuses what is published or closed. */
    public abstract void mustBeWritable();

    /** Copies the first {@code kept} of {@code n} elements, which are dropped from where they are; the places do not overlap. */
    public abstract void move(int from, int to, int kept, int n);

    /** How many elements there is room for. */
    public final int room() {
        return room;
    }

    /** Makes the arena as large as this. */
    public final void reserve(long elements) {
        if (elements > room) {
            enlarge(elements);
        }
    }

    /**
     * Brings the rows together where the arena would have to grow for some more elements, although most of what is taken of it belongs to no row any
     * more, or to none yet. What it had to have first to get there is more than what is copied now.
     */
    private void tidy(long more) {
        RowTable r = rows;
        if (r.used() + more > room && isLoose()) {
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
        int[] capacity = r.lengths();           // before rows move: one that kept more room than it has would write into the next
        compact(size, now, start);
        room = size;
        r.moved(capacity, start);
        tail = -1;
    }

    /** Under the lock that {@link #finish} takes: what is published or closed does not get a new arena, which nobody would close. */
    private synchronized void enlarge(long elements) {
        mustBeWritable();
        if (elements > most) {
            throw new OutOfMemoryError("the ragged tensor of shape " + Arrays.toString(tree.shape) + " needs room for " + Shapes.elements(elements)
                + "; one tensor can have " + most);
        }
        int size = (int) Math.max(elements, Math.min(isTight ? elements + elements / 8 : 2L * room, most));
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
            size = (int) elements;          // the least, which the error tells of, too
            allocate(size);
        }
        room = size;
    }

    /** Takes the arena away from what writes, for good. */
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
        if (start < 0 || start + n > room) {
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

    /** Makes room for a new row of some positions, so that no memory is missed once it is there. */
    public final void prepare(int positions) {
        tidy((long) positions * rows.unit);
        reserve(rows.used() + (long) positions * rows.unit);
    }

    /** Gives a row room for some positions, and keeps what it has of them below {@code kept}. */
    public final void reserveRow(int row, int positions, int kept) {
        RowTable r = rows;
        int unit = r.unit;
        tidy(Math.max(positions, 2L * r.capacity(row)) * unit);
        int has = r.capacity(row);
        int base = row == tail ? r.start(row) : r.used();
        boolean cut = row != tail && tail >= 0 && !tailMoved;
        if (cut) {
            // Rows that are put in order lie without gaps.
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
