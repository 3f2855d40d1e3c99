package io.tensornio.internal;

import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * The elements of a {@code float} ragged tensor while it is filled: rows in an arena of native memory that grows. As a source its positions are
 * the number of a row in the upper half and a place in that row in the lower, so that views stay right when rows move. Published, it goes on
 * reading the tensor's values through them.
 */
final class FloatGrowth implements FloatSource {
    /** Elements of the first arena. */
    private static final int FIRST = 64 / FloatElement.BYTES;

    final GrowingRows rows;
    /** The arena; the values once published. */
    private FloatBlock arena;
    private int room;
    /** There was no memory for twice as much: the arena grows in smaller steps. */
    private boolean isTight;
    /** The row at the end of what is taken of the arena, the only one that can have more room without being moved; -1 if there is none. */
    private int tail = -1;
    /** Whether that row was moved there from elsewhere, and may come again as others do: then its room stays its own. */
    private boolean tailMoved;

    /** Takes a checked ragged shape, which this object keeps. */
    FloatGrowth(long... shape) {
        rows = new GrowingRows(shape);
        allocate(FIRST);
    }

    private void allocate(long elements) {
        arena = new FloatBlock(new long[] {elements});
        arena.name(rows.shape);
        room = (int) elements;
    }

    /** Makes the arena as large as this. */
    private void reserve(long elements) {
        if (elements <= room) {
            return;
        }
        FloatBlock old = arena;
        try {
            allocate(Math.max(elements, Math.min(isTight ? elements + elements / 8 : 2L * room, FloatElement.MASK - 8)));
        } catch (OutOfMemoryError e) {
            if (isTight) {
                throw e;
            }
            isTight = true;
            reserve(elements);
            return;
        }
        FloatCopies.copy(old, 0, arena, 0, rows.used);
        old.close();
    }

    /** Refuses a row that no memory could have, before anything is made for it. */
    void checkRoom(long positions) {
        if (positions * Math.max(rows.unit, 1) > FloatElement.MASK - 8) {
            throw new OutOfMemoryError("a row of " + positions + " positions of the ragged tensor of shape " + Arrays.toString(rows.shape)
                + " needs more than the " + Integer.MAX_VALUE + " bytes that one tensor can have");
        }
    }

    /** Makes room for a new row of some positions, so that no memory is missed once it is there. */
    void prepare(int positions) {
        reserve(rows.used + (long) positions * rows.unit);
    }

    // ---- Rows ------------------------------------------------------------------------------------------------------

    /** Gives a row room for some positions, and keeps what it has of them below {@code kept}. */
    private void reserveRow(int row, int positions, int kept) {
        GrowingRows r = rows;
        int unit = r.unit;
        int has = r.capacity[row];
        int base = row == tail ? r.start[row] : r.used;
        boolean cut = row != tail && tail >= 0 && !tailMoved;
        if (cut) {
            // Rows that are put in order lie without gaps.
            base = r.start[tail] + r.length[tail] * unit;
        }
        // What has grown once may grow again.
        int more = has == 0 ? positions : (int) Math.min(Math.max(positions, 2L * has), Integer.MAX_VALUE / Math.max(unit, 1));
        if (base + (long) more * unit > FloatElement.MASK - 8) {
            more = positions;
        }
        reserve(base + (long) more * unit);
        if (row != tail) {
            if (cut) {
                r.capacity[tail] = r.length[tail];
            }
            if (kept > 0) {
                FloatCopies.copy(arena, r.start[row], arena, base, kept * unit);
            }
            r.start[row] = base;
            tail = row;
            tailMoved = has > 0;
        }
        r.capacity[row] = more;
        r.used = base + more * unit;
    }

    /** Writes an element in a row whose positions are single elements, if it has it, or that directly behind it and room. */
    boolean putQuickly(int row, int place, float value) {
        FloatBuffer b = arena.wr;
        GrowingRows r = rows;
        int n = r.length[row];
        if (b == null || place < 0 || place > n || place >= r.capacity[row]) {
            return false;
        }
        FloatElement.write(b, r.start[row] + place, value);
        if (place == n) {
            r.length[row] = n + 1;
        }
        return true;
    }

    /** Sets a row: its positions are those of an array from a place on. */
    void set(int row, float[] from, int at, int positions) {
        GrowingRows r = rows;
        if (positions > r.capacity[row]) {
            reserveRow(row, positions, 0);
        }
        r.length[row] = positions;
        write(r.start[row], from, at, positions * r.unit);
    }

    /** Makes a row at least as long as this, with zeros. */
    void extend(int row, int positions) {
        GrowingRows r = rows;
        int old = r.length[row];
        if (positions <= old) {
            return;
        }
        if (positions > r.capacity[row]) {
            reserveRow(row, positions, old);
        }
        int base = r.start[row];
        for (int at = base + old * r.unit, end = base + positions * r.unit; at < end; at++) {
            FloatElement.write(arena.wr, at, FloatElement.ZERO);
        }
        r.length[row] = positions;
    }

    /** Writes a part of an array to a place in a row, which has it. */
    void put(int row, int place, float[] from, int at, int n) {
        write(rows.start[row] + place, from, at, n);
    }

    private void write(int to, float[] from, int at, int n) {
        //#if buffer
        FloatBulk.put(arena.wr, to, from, at, n);
        //#end
        //~boolean for (int i = 0; i < n; i++) {
        //~boolean     FloatElement.write(arena.wr, to + i, from[at + i]);
        //~boolean }
    }

    // ---- As a source -----------------------------------------------------------------------------------------------

    private int resolve(long at) {
        int row = (int) (at >>> 32);
        int place = (int) at;
        if (place < 0 || place >= rows.length[row] * rows.unit) {
            throw new IndexOutOfBoundsException("a view has element " + place + " of a row that has " + (long) rows.length[row] * rows.unit + " elements now");
        }
        return rows.start[row] + place;
    }

    @Override
    public float read(long at) {
        FloatBuffer b = arena.rd;
        if (b == null) {
            throw arena.closedException();
        }
        return FloatElement.read(b, resolve(at));
    }

    @Override
    public void write(float value, long at) {
        checkWritable();
        FloatElement.write(arena.wr, resolve(at), value);
    }

    @Override
    public boolean isReadOnly() {
        return arena.wr == null;
    }

    @Override
    public void checkOpen() {
        arena.checkOpen();
    }

    @Override
    public void checkWritable() {
        arena.checkWritable();
    }

    @Override
    public Object memory() {
        return this;
    }

    @Override
    public boolean mayShare(float[] array) {
        return false;
    }

    //#if buffer
    @Override
    public boolean mayShare(FloatBuffer buffer) {
        return false;
    }
    //#end

    // ---- In the end ------------------------------------------------------------------------------------------------

    /** The values of all rows in row-major order: the arena as it is where they lie so in it, else a copy. Nothing can be written after this. */
    FloatBlock publish() {
        GrowingRows r = rows;
        int[] order = r.order();
        long total = 0;
        boolean inOrder = true;
        for (int row : order) {
            inOrder &= r.length[row] == 0 || r.unit == 0 || r.start[row] == total;
            total += (long) r.length[row] * r.unit;
        }
        long[] shape = Arrays.copyOfRange(r.shape, r.last, r.shape.length);
        shape[0] = 0;
        for (int row : order) {
            shape[0] += r.length[row];
        }
        FloatBlock values;
        if (inOrder && total >= room / 2) {
            values = new FloatBlock(arena, shape);
        } else {
            int[] moved = new int[r.start.length];
            values = new FloatBlock(shape);
            int to = 0;
            for (int row : order) {
                int n = r.length[row] * r.unit;
                moved[row] = to;
                if (n > 0) {
                    FloatCopies.copy(arena, r.start[row], values, to, n);
                    to += n;
                }
            }
            r.start = moved;
        }
        arena.close();
        values.name(r.shape);
        values.publish();
        arena = values;
        return values;
    }

    void close() {
        arena.close();
    }
}
