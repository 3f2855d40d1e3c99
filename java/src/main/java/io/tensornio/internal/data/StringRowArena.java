package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.TensorClosedException;
import io.tensornio.internal.element.EncodedSource;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.Positions;
import io.tensornio.internal.ragged.RowArena;
import io.tensornio.internal.ragged.RowPosition;
import io.tensornio.internal.ragged.RowTable;
import io.tensornio.internal.ragged.RowsSnapshot;
import io.tensornio.internal.string.StagedStrings;
import io.tensornio.internal.string.StringBlock;
import io.tensornio.internal.string.StringHeap;
import io.tensornio.internal.string.StringPacked;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * The strings of a ragged tensor while it is filled: a store, whose elements are the arena. As a source it is what {@link FloatRowArena} is. What no
 * row has is always empty.
 */
public final class StringRowArena extends RowArena implements EncodedSource {
    private static final int FIRST = 8;

    /** What was collected; null once that is published or given up. */
    private StringHeap store = new StringHeap(0).named(tree.shape);
    /** The values, once they are published. */
    private StringBlock block;

    /** Takes a checked ragged shape, which this object keeps. */
    public StringRowArena(long... shape) {
        super(StringPacked.MOST, shape);
        reserve(FIRST);
    }

    @Override
    public void allocate(int elements) {
        StringHeap all = writable();
        try {
            all.resize(elements);
        } catch (OutOfMemoryError e) {
            throw noHeap(elements, e);
        }
    }

    private OutOfMemoryError noHeap(int elements, OutOfMemoryError cause) {
        OutOfMemoryError e = new OutOfMemoryError(elements + " elements of the ragged STRING tensor of shape " + Arrays.toString(tree.shape)
            + " need " + (Long.BYTES + Integer.BYTES) * (long) elements + " bytes of heap while it is filled");
        e.initCause(cause);
        return e;
    }

    /** A spare array for the elements in another order. */
    private StringHeap another(int elements) {
        try {
            return new StringHeap(elements);
        } catch (OutOfMemoryError e) {
            throw noHeap(elements, e);
        }
    }

    @Override
    public void compact(int elements, RowsSnapshot now, int... start) {
        StringHeap all = writable();
        StringHeap packed = another(elements);
        pack(now, all, packed, start);
        all.take(packed);
    }

    @Override
    public void mustBeWritable() {
        writable();
    }

    @Override
    public void stopWrites() {
        store = null;
    }

    @Override
    public void move(int from, int to, int kept, int n) {
        StringHeap s = writable();
        s.move(from, to, kept);
        s.clear(from + kept, n - kept);
    }

    private StringHeap writable() {
        StringHeap s = store;
        if (s == null) {
            StringBlock b = block;
            throw b == null ? closedException() : b.notWritableException();
        }
        return s;
    }

    private TensorClosedException closedException() {
        return new TensorClosedException(StringElement.TYPE, tree.shape);
    }

    // ---- Rows ------------------------------------------------------------------------------------------------------

    /** Writes an element in a row whose positions are single elements, if it has UTF-8, and the row has it or capacity for it at its end. */
    boolean putQuickly(int row, int place, String value) {
        StringHeap s = store;
        RowTable r = rows;
        int n = r.length(row);
        if (s == null || place < 0 || place > n || place >= r.capacity(row)) {
            return false;
        }
        byte[] bytes = StringElement.encode(value);
        if (bytes == null) {
            return false;
        }
        s.put(bytes, r.start(row) + place);
        if (place == n) {
            r.resize(row, n + 1);
        }
        return true;
    }

    /** Appends values, so that nothing can be wrong with them any more once rows grow for them. */
    public StagedStrings append(int n, Object[] from, IntFunction<String> where) {
        return StagedStrings.of(writable(), n, from, 0, where);
    }

    /** As above, the bytes of one element; returns where they begin. */
    long append(byte[] bytes) {
        return writable().append(bytes);
    }

    /** Sets a row: its positions are the first values. */
    public void set(int row, StagedStrings from, int positions) {
        RowTable r = rows;
        if (positions > r.capacity(row)) {
            reserveRow(row, positions, 0);
            r.resize(row, 0);
        }
        int n = positions * r.unit;
        int old = r.length(row) * r.unit;
        if (old > n) {
            writable().clear(r.start(row) + n, old - n);
        }
        r.resize(row, positions);
        put(row, 0, from, n);
    }

    /** Sets each row to as many positions of data with as many rows. */
    void set(StringTensorData data, long... lengths) {
        for (int i = 0; i < lengths.length; i++) {
            set(i, Positions.count(lengths[i]), row(data, i));
        }
    }

    /** Sets each row to that of data with as many rows, without the padding at its end. */
    void setTrimmed(StringTensorData data, String padding) {
        StringElement.checkPadding(padding);
        int unit = rows.unit;
        for (int i = 0; i < tree.shape[0]; i++) {
            Object[] row = row(data, i);
            int n = row.length;
            while (n > 0 && padding.equals(row[n - 1])) {
                n--;
            }
            // With inner axes of size 0 there are no elements to compare with the padding.
            set(i, unit == 0 ? Positions.count(data.size(1)) : (n + unit - 1) / unit, row);
        }
    }

    private static Object[] row(StringTensorData data, int i) {
        return StringCopies.values(Objects.requireNonNull(data.slice(i), "slice() gave null"));
    }

    private void set(int row, int positions, Object... values) {
        set(row, append(positions * rows.unit, values, k -> tree.where(tree.last, row, k)), positions);
    }

    /** Makes a row at least as long as this, with empty strings. */
    void extend(int row, int positions) {
        RowTable r = rows;
        int old = r.length(row);
        if (positions > old) {
            if (positions > r.capacity(row)) {
                reserveRow(row, positions, old);
            }
            r.resize(row, positions);
        }
    }

    /** Writes the first values to a place in a row, which has it. */
    void put(int row, int place, StagedStrings from, int n) {
        int base = rows.start(row) + place;
        for (int i = 0; i < n; i++) {
            from.set(base + i, i);
        }
        writable().tidy();
    }

    /** Assigns appended bytes to an element of a row. */
    void put(int row, int place, long start, int n) {
        StringHeap s = writable();
        s.set(resolve(RowPosition.of(row, place)), start, n);
        s.tidy();
    }

    // ---- As a source -----------------------------------------------------------------------------------------------

    @Override
    public String where(long at) {
        return tree.where(tree.last, RowPosition.row(at), RowPosition.offset(at));
    }

    @Override
    public byte[] readBytes(long at) {
        StringHeap s = store;
        if (s != null) {
            return s.bytes(resolve(at));
        }
        StringBlock b = block;
        if (b == null) {
            throw closedException();
        }
        return b.readBytes(resolve(at));
    }

    @Override
    public void check(String value, long at) {
        resolve(at);
        StringElement.encode(value, this, at);
    }

    @Override
    public void checkBytes(byte[] bytes, long at) {
        resolve(at);
    }

    @Override
    public void write(String value, long at) {
        checkWritable();
        writeBytes(StringElement.encode(value, this, at), at);
    }

    @Override
    public void writeBytes(byte[] bytes, long at) {
        writable().put(bytes, resolve(at));
    }

    @Override
    public boolean isReadOnly() {
        return store == null;
    }

    @Override
    public void checkOpen() {
        if (store == null) {
            StringBlock b = block;
            if (b == null) {
                throw closedException();
            }
            b.checkOpen();
        }
    }

    @Override
    public void checkWritable() {
        writable();
    }

    @Override
    public Object memory() {
        return this;
    }

    // ---- In the end ------------------------------------------------------------------------------------------------

    /** The values of all rows in row-major order, packed. Nothing can be written after this. */
    @Override
    public StringBlock publish() {
        StringHeap all = writable();
        finish();
        RowTable r = rows;
        RowsSnapshot now = tree.snapshot(0, 0);
        long[] shape = Arrays.copyOfRange(tree.shape, tree.last, tree.shape.length);
        shape[0] = now.positions(tree.last);
        StringHeap sorted = another(StringPacked.checkCount(shape));
        int[] start = new int[r.numbers()];
        pack(now, all, sorted, start);
        StringBlock values = StringPacked.of(shape, sorted);
        values.name(tree.shape);
        values.publish();
        tree.publish(now, start);
        block = values;
        return values;
    }

    /** Gives rows to another store, one after the other, and tells where they are there. */
    private void pack(RowsSnapshot now, StringHeap from, StringHeap to, int... start) {
        RowTable r = rows;
        int at = 0;
        for (int n = 0; n < now.rows.length; n++) {
            int row = now.rows[n];
            int some = now.length(tree.last, n) * r.unit;
            checkRow(r.start(row), (long) now.length(tree.last, n) * r.unit);
            start[row] = at;
            from.share(r.start(row), to, at, some);
            at += some;
        }
    }

    public void close() {
        finish();
        if (block != null) {
            block.close();
        }
    }
}
