package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.internal.element.FloatBlock;
//#if buffer
import io.tensornio.internal.element.FloatBulk;
//#end
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Positions;
import io.tensornio.internal.ragged.RowArena;
import io.tensornio.internal.ragged.RowTable;
import io.tensornio.internal.ragged.RowsSnapshot;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * The elements of a {@code float} ragged tensor under construction: rows in a growing arena of native memory. As a source it addresses elements by
 * {@code RowPosition}, so that views stay valid when rows move. After publication it reads the tensor's values.
 */
final class FloatRowArena extends RowArena implements FloatSource {
    /** The capacity of the first arena. */
    private static final int FIRST = 64 / FloatElement.BYTES;

    /** The arena; the tensor's values once published. */
    private FloatBlock arena;

    /** Keeps a checked ragged shape. */
    FloatRowArena(long... shape) {
        super(FloatElement.MASK - 8, shape);
        reserve(FIRST);
    }

    @Override
    public void allocate(int elements) {
        FloatBlock old = arena;
        FloatBlock more = new FloatBlock(new long[] {elements});
        more.name(tree.shape);
        if (old != null) {
            try {
                FloatCopies.copy(old, 0, more, 0, rows.used());
            } catch (Throwable e) {
                more.close();
                throw e;
            }
        }
        arena = more;
        if (old != null) {
            old.close();
        }
    }

    @Override
    public void compact(int elements, RowsSnapshot now, int... start) {
        FloatBlock old = arena;
        FloatBlock packed = new FloatBlock(new long[] {elements});
        packed.name(tree.shape);
        pack(now, old, packed, start);
        arena = packed;
        old.close();
    }

    @Override
    public void mustBeWritable() {
        if (arena != null) {                // null before the first allocation
            arena.checkWritable();
        }
    }

    @Override
    public void stopWrites() {
        arena.publish();
    }

    @Override
    public void move(int from, int to, int kept, int n) {
        if (kept > 0) {
            FloatCopies.copy(arena, from, arena, to, kept);
        }
    }

    // ---- Rows ------------------------------------------------------------------------------------------------------

    /** Writes an element of a row, or appends it within the row's capacity; returns whether it did. Positions are single elements. */
    boolean putQuickly(int row, int offset, float value) {
        FloatBuffer b = arena.wr;
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
        FloatBuffer b = arena.writable();
        int base = r.start(row);
        for (int at = base + old * r.unit, end = base + positions * r.unit; at < end; at++) {
            FloatElement.write(b, at, FloatElement.ZERO);
        }
        r.resize(row, positions);
    }

    /** Writes elements of an array to a valid offset in a row. */
    void put(int row, int offset, float[] from, int at, int n) {
        write(rows.start(row) + offset, from, at, n);
    }

    private void write(int to, float[] from, int at, int n) {
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
        return FloatElement.read(arena.readable(), resolve(at));
    }

    @Override
    public void write(float value, long at) {
        FloatElement.write(arena.writable(), resolve(at), value);
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

    /** Rows may have been shortened since the view was made. */
    @Override
    public void checkReadable(Layout layout) {
        checkCapacity(layout, layout.totalSize());
    }

    @Override
    public void checkCapacity(Layout layout, long count) {
        if (count == 0 || layout.isStrided() && areInOneRow(layout.lowest(), layout.highest())) {
            return;
        }
        FloatViewScalars places = new FloatViewScalars(this, layout);
        for (long n = 0; n < count; n++) {
            resolve(places.skip());
        }
    }

    @Override
    public Object memory() {
        return this;
    }

    // ---- Publication -----------------------------------------------------------------------------------------------

    /** The values of all rows, contiguous in row-major order: the arena itself if its rows are so, else a copy. Ends all writes. */
    FloatBlock publish() {
        finish();
        RowTable r = rows;
        RowsSnapshot now = tree.snapshot(0, 0);
        long total = now.positions(tree.last) * r.unit;
        long[] shape = Arrays.copyOfRange(tree.shape, tree.last, tree.shape.length);
        shape[0] = now.positions(tree.last);
        int[] start = new int[r.numbers()];
        FloatBlock from = arena;
        FloatBlock values;
        if (isInOrder(now, start) && total >= capacity() / 2) {
            checkRow(0, total);
            values = new FloatBlock(from, shape);
        } else {
            values = FloatBlock.uncleared(shape);
            pack(now, from, values, start);
        }
        values.name(tree.shape);
        values.publish();
        tree.publish(now, start);
        arena = values;
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
    private void pack(RowsSnapshot now, FloatBlock from, FloatBlock to, int... start) {
        try {
            RowTable r = rows;
            int at = 0;
            for (int n = 0; n < now.rows.length; n++) {
                int row = now.rows[n];
                int some = now.length(tree.last, n) * r.unit;
                checkRow(r.start(row), (long) now.length(tree.last, n) * r.unit);
                start[row] = at;
                if (some > 0) {
                    FloatCopies.copy(from, r.start(row), to, at, some);
                    at += some;
                }
            }
        } catch (Throwable e) {
            to.close();
            throw e;
        }
    }

    void close() {
        finish();
        arena.close();
    }
}
