package io.tensornio.internal.ragged;

import io.tensornio.internal.layout.ArrayLength;
import java.util.Arrays;

/**
 * The start, length and capacity of each row of a ragged tensor while it is filled. The elements of a row are consecutive in the arena, followed by
 * its spare capacity. A row is named by its number, which never changes, however often it moves.
 */
public final class RowTable {
    /** Elements of one position of a row. */
    public final int unit;
    /** Where each row is in the arena. */
    private int[] start;
    /** How many positions each row has. */
    private int[] length;
    /** How many positions each row can have where it is. */
    private int[] capacity;
    /** The positions of all rows together. */
    private long positions;
    /** The same as they were published, -1 before: what threads that write at once have counted may be wrong. */
    private long published = -1;
    /** The end of the used part of the arena. */
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

    /** How many positions a row can have where it is. */
    public int capacity(int row) {
        return capacity[row];
    }

    /** The end of the used part of the arena. */
    public int used() {
        return used;
    }

    /** The elements of all rows. */
    public long elements() {
        long n = published;
        return (n < 0 ? positions : n) * unit;
    }

    /** A copy of the lengths of all rows. */
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

    /** Drops the spare capacity of a row. */
    void trim(int row) {
        capacity[row] = length[row];
    }

    /** Makes a row the last in the arena, with a start and a capacity. */
    void place(int row, int at, int positions) {
        start[row] = at;
        capacity[row] = positions;
        used = at + positions * unit;
    }

    /** Sets the starts and capacities of all rows after the arena was compacted; cannot fail. */
    void moved(int[] capacities, int... to) {
        start = to;
        capacity = capacities;
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
