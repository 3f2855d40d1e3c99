package io.tensornio.internal.ragged;

import io.tensornio.internal.layout.ArrayLength;
import java.util.Arrays;

/**
 * The start, length and capacity of each row of a ragged tensor under construction. The elements of a row are consecutive in the arena, followed by
 * its spare capacity. A row is identified by its number, which never changes when the row moves.
 */
public final class RowTable {
    /** The number of elements at one position of a row. */
    public final int unit;
    /** The start of each row in the arena. */
    private int[] start;
    /** The length of each row in positions. */
    private int[] length;
    /** The capacity of each row in positions. */
    private int[] capacity;
    /** The total length of all rows in positions. */
    private long positions;
    /** The total length at publication, -1 before: concurrent writes may have made {@link #positions} wrong. */
    private long published = -1;
    /** The end of the used part of the arena. */
    private int used;

    RowTable(int unit, int rows) {
        this.unit = unit;
        start = new int[rows];
        length = new int[rows];
        capacity = new int[rows];
    }

    /** The limit of row numbers; some below it may be unused yet. */
    public int numbers() {
        return start.length;
    }

    /** The start of a row in the arena. */
    public int start(int row) {
        return start[row];
    }

    /** The length of a row in positions. */
    public int length(int row) {
        return length[row];
    }

    /** The capacity of a row in positions. */
    public int capacity(int row) {
        return capacity[row];
    }

    /** The end of the used part of the arena. */
    public int used() {
        return used;
    }

    /** The number of elements of all rows. */
    public long elements() {
        long n = published;
        return (n < 0 ? positions : n) * unit;
    }

    /** A copy of the lengths of all rows. */
    int[] lengths() {
        return length.clone();
    }

    /** Enlarges the table to as many rows; changes nothing if it fails. */
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

    /** Sets the length of a row. */
    public void resize(int row, int n) {
        positions += n - length[row];
        length[row] = n;
    }

    /** Drops the spare capacity of a row. */
    void trim(int row) {
        capacity[row] = length[row];
    }

    /** Places a row at the end of the arena. */
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

    /** Replaces the rows by a snapshot and their new starts. */
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
