package io.tensornio.internal;

import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * The elements of a {@code float} ragged tensor while it is filled: rows in an arena of native memory that grows. As a source its positions are
 * the number of a row in the upper half and a place in that row in the lower, so that views stay right when rows move. Published, it goes on
 * reading the tensor's values through them.
 */
final class FloatGrowth extends RowArena implements FloatSource {
    /** Elements of the first arena. */
    private static final int FIRST = 64 / FloatElement.BYTES;

    /** The arena; the values once published. */
    private FloatBlock arena;

    /** Takes a checked ragged shape, which this object keeps. */
    FloatGrowth(long... shape) {
        super(FloatElement.MASK - 8, shape);
        reserve(FIRST);
    }

    @Override
    void allocate(int elements) {
        FloatBlock old = arena;
        arena = new FloatBlock(new long[] {elements});
        arena.name(rows.shape);
        if (old != null) {
            FloatCopies.copy(old, 0, arena, 0, rows.used);
            old.close();
        }
    }

    @Override
    void move(int from, int to, int kept, int n) {
        if (kept > 0) {
            FloatCopies.copy(arena, from, arena, to, kept);
        }
    }

    // ---- Rows ------------------------------------------------------------------------------------------------------

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
        if (inOrder && total >= room() / 2) {
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
