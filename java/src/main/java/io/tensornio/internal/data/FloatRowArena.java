package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.internal.element.FloatBlock;
//#if buffer
import io.tensornio.internal.element.FloatBulk;
//#end
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Positions;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.ragged.RowTable;
import java.nio.FloatBuffer;
import java.util.Objects;

/** The elements of a {@code float} ragged tensor under construction. */
final class FloatRowArena extends BlockArena implements FloatSource {
    final FloatCarrier carrier;
    /** The block, if elements are stored as the carrier itself; else null, and {@link #all} has them alone. */
    private FloatBlock arena;
    private FloatSource all;

    /** Keeps a checked ragged shape. */
    FloatRowArena(FloatCarrier carrier, long... shape) {
        super(carrier, shape);
        this.carrier = carrier;
    }

    @Override
    public DataType type() {
        return carrier.type;
    }

    @Override
    void adopt(Block adopted) {
        arena = adopted instanceof FloatBlock ? (FloatBlock) adopted : null;
        all = (FloatSource) adopted;
    }

    // ---- Rows ------------------------------------------------------------------------------------------------------

    /** Writes an element of a row, or appends it within the row's capacity; returns whether it did. Positions are single elements. */
    boolean putQuickly(int row, int offset, float value) {
        FloatBuffer b = arena == null ? null : arena.wr;
        RowTable r = rows;
        int n = r.length(row);
        if (b == null || offset < 0 || offset > n || offset >= r.capacity(row)) {
            return false;
        }
        FloatElement.write(b, r.start(row) + offset, value);
        if (offset == n) {
            r.resize(row, n + 1);
        }
        return true;
    }

    /** Sets a row to elements of an array, starting at {@code at}. */
    void set(int row, float[] from, int at, int positions) {
        RowTable r = rows;
        carrier.checkRange(from, at, positions * r.unit);
        if (positions > r.capacity(row)) {
            reserveRow(row, positions, 0);
        }
        r.resize(row, positions);
        write(r.start(row), from, at, positions * r.unit);
    }

    /** Sets each row to as many positions of data with as many rows. */
    void set(FloatTensorData data, long... lengths) {
        for (int i = 0; i < lengths.length; i++) {
            set(i, row(data, i), 0, Positions.count(lengths[i]));
        }
    }

    /** Sets each row to that of data with as many rows, without the padding at its end. */
    void setTrimmed(FloatTensorData data, float padding) {
        int unit = rows.unit;
        for (int i = 0; i < tree.shape[0]; i++) {
            float[] row = row(data, i);
            int n = row.length;
            while (n > 0 && FloatElement.isSameNumber(row[n - 1], padding)) {
                n--;
            }
            // With inner axes of size 0 there are no elements to compare with the padding.
            set(i, row, 0, unit == 0 ? Positions.count(data.size(1)) : (n + unit - 1) / unit);
        }
    }

    private static float[] row(FloatTensorData data, int i) {
        FloatTensorData row = Objects.requireNonNull(data.slice(i), "slice() gave null");
        float[] copy = new float[Positions.count(row.totalSize())];
        if (copy.length > 0) {
            row.get(copy, new int[0]);
        }
        return copy;
    }

    /** Extends a row to at least this length, with zeros. */
    void extend(int row, int positions) {
        RowTable r = rows;
        int old = r.length(row);
        if (positions <= old) {
            return;
        }
        if (positions > r.capacity(row)) {
            reserveRow(row, positions, old);
        }
        FloatBlock block = arena;
        int base = r.start(row);
        for (int at = base + old * r.unit, end = base + positions * r.unit; at < end; at++) {
            if (block != null) {
                FloatElement.write(block.writable(), at, FloatElement.ZERO);
            } else {
                all.write(FloatElement.ZERO, at);
            }
        }
        r.resize(row, positions);
    }

    /** Writes elements of an array to a valid offset in a row. */
    void put(int row, int offset, float[] from, int at, int n) {
        write(rows.start(row) + offset, from, at, n);
    }

    private void write(int to, float[] from, int at, int n) {
        if (arena == null) {
            all.writeFirst(new Layout(to, new long[] {n}, new long[] {1}), n, from, at);
            return;
        }
        //#if buffer
        FloatBulk.put(arena.writable(), to, from, at, n);
        //#end
        //~boolean FloatBuffer b = arena.writable();
        //~boolean for (int i = 0; i < n; i++) {
        //~boolean     FloatElement.write(b, to + i, from[at + i]);
        //~boolean }
    }

    // ---- As a source -----------------------------------------------------------------------------------------------

    @Override
    public float read(long at) {
        return arena != null ? FloatElement.read(arena.readable(), resolve(at)) : all.read(resolve(at));
    }

    @Override
    public void write(float value, long at) {
        if (arena != null) {
            FloatElement.write(arena.writable(), resolve(at), value);
        } else {
            all.write(value, resolve(at));
        }
    }
}
