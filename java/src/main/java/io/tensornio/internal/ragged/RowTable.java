package io.tensornio.internal.ragged;

import io.tensornio.internal.layout.ArrayLength;
import java.util.Arrays;

/**
 * Where the rows of a ragged tensor are in an arena while it is filled, how long each is, and for how much it has room. A row's elements lie in one
 * stretch, with room after them or not. It is named by its number, which never changes, however often the row moves.
 */
public final class RowTable {
    /** Elements of one position of a row. */
    public final int unit;
    /** Where each row is in the arena. */
    private int[] start;
    /** How many positions each row has. */
    private int[] length;
    /** For how many there is room. */
    private int[] capacity;
    /** The positions of all rows together. */
    private long positions;
    /** The same as they were published, -1 before: what threads that write at once have counted may be wrong. */
    private long published = -1;
    /** How much of the arena is taken. */
    private int used;

    RowTable(int unit, int rows) {
        this.unit = unit;
        start = new int[rows];
        length = new int[rows];
        capacity = new int[rows];
    }

    /** All rows have numbers below this; some of these may be no row's yet. */
    public int numbers() {
        return start.length;
    }

    /** Where a row is in the arena. */
    public int start(int row) {
        return start[row];
    }

    /** How many positions a row has. */
    public int length(int row) {
        return length[row];
    }

    /** For how many positions a row has room. */
    public int capacity(int row) {
        return capacity[row];
    }

    /** How much of the arena is taken. */
    public int used() {
        return used;
    }

    /** The elements of all rows. */
    public long elements() {
        long n = published;
        return (n < 0 ? positions : n) * unit;
    }

    /** How many positions each row has, in an array of its own. */
    int[] lengths() {
        return length.clone();
    }

    /** Makes numbers for as many rows, or changes nothing. */
    void enlarge(int rows) {
        if (rows > start.length) {
            int more = ArrayLength.doubled(start.length, rows);
            int[] starts = Arrays.copyOf(start, more);
            int[] lengths = Arrays.copyOf(length, more);
            capacity = Arrays.copyOf(capacity, more);
            start = starts;
            length = lengths;
        }
    }

    /** Gives a row another length. */
    public void resize(int row, int n) {
        positions += n - length[row];
        length[row] = n;
    }

    /** Takes the room from a row that it does not use. */
    void trim(int row) {
        capacity[row] = length[row];
    }

    /** Tells where a row is, now the last in the arena, and for how many positions it has room. */
    void place(int row, int at, int room) {
        start[row] = at;
        capacity[row] = room;
        used = at + room * unit;
    }

    /** Tells where all rows are after they were brought together, and for how much they have room; cannot fail. */
    void moved(int[] room, int... to) {
        start = to;
        capacity = room;
        used = (int) elements();
    }

    /** Leaves the rows, and where they are now, as they were measured. */
    void publish(int last, RowsSnapshot measured, int... moved) {
        int[] lengths = new int[length.length];
        for (int n = 0; n < measured.rows.length; n++) {
            lengths[measured.rows[n]] = measured.length(last, n);
        }
        length = lengths;
        start = moved;
        published = measured.positions(last);
    }
}
