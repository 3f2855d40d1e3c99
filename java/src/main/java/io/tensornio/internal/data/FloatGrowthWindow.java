package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatSource;
//~string import io.tensornio.internal.element.RawString;
import io.tensornio.internal.layout.BadIndexException;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.rows.GrowingRows;
import java.util.Arrays;
import java.util.Objects;

/**
 * A {@code float} ragged tensor that is filled, behind some leading indices: its shape, and its elements one by one. {@link FloatGrowing}, the only
 * subclass, has rows as a whole.
 */
abstract class FloatGrowthWindow extends FloatData {
    final FloatGrowth growth;
    final GrowingRows rows;
    /** The axes before this data, and its node behind them. */
    final int depth;
    final int node;

    FloatGrowthWindow(FloatGrowth growth, int depth, int node) {
        this.growth = growth;
        rows = growth.rows;
        this.depth = depth;
        this.node = node;
    }

    /** The same elements, in the shape that they have now. */
    final FloatData view() {
        return FloatRagged.of(growth, rows.layout(depth, node));
    }

    @Override
    final Layout layout() {
        return view().layout();
    }

    @Override
    final FloatSource source() {
        return growth;
    }

    @Override
    public final void checkOpen() {
        growth.checkOpen();
    }

    @Override
    final void checkWritable() {
        growth.checkWritable();
    }

    // ---- What it is ------------------------------------------------------------------------------------------------

    @Override
    public final DataType dataType() {
        return FloatElement.TYPE;
    }

    @Override
    public final int rank() {
        return rows.shape.length - depth;
    }

    @Override
    public final long size(int dimension) {
        return Shapes.size(shape(), dimension);
    }

    @Override
    public final long totalSize() {
        if (depth == rows.last) {
            return (long) rows.length[node] * rows.unit;
        }
        return depth == 0 ? rows.elements() : view().totalSize();
    }

    @Override
    public final long[] shape() {
        long[] shape = Arrays.copyOfRange(rows.shape, depth, rows.shape.length);
        shape[0] = rows.size(depth, node);
        return shape;
    }

    @Override
    public final boolean isReadOnly() {
        return growth.isReadOnly();
    }

    // ---- One element -----------------------------------------------------------------------------------------------

    final BadIndexException wrongCount(int... indices) {
        return new BadIndexException(shape(), indices);
    }

    /** The place in its row of the position on the last ragged axis and behind it that indices have from {@code k} on. */
    final int place(int k, int... indices) {
        int place = 0;
        for (int n = k; n < indices.length; n++) {
            int d = depth + n;
            if (d > rows.last) {
                rows.check(d, n, 0, false, indices);
            }
            place = d == rows.last ? indices[n] : place * (int) rows.shape[d] + indices[n];
        }
        for (int d = depth + indices.length; d < rows.shape.length; d++) {
            place *= (int) rows.shape[d];
        }
        return place;
    }

    /** The position, as the source has it, of the element at indices. */
    private long position(int... own) {
        growth.checkOpen();
        if (own.length != rank()) {
            throw wrongCount(own);
        }
        int before = rows.last - depth;
        int row = rows.find(depth, node, before, false, own);
        rows.check(rows.last, before, row, false, own);
        return (long) row << 32 | place(before, own);
    }

    @Override
    final float getOwn(int... own) {
        return growth.read(position(own));
    }

    @Override
    public final float get(int... indices) {
        return getOwn(Objects.requireNonNull(indices, "indices").clone());
    }

    //~string @Override
    //~string final void putOwn(String value, int... own) {
    //~string     write(value, own);
    //~string }

    //#if primitive
    @Override
    final void putOwn(float value, int... own) {
    //#end
    //~string /** Writes a {@code String}, or a {@link RawString}. */
    //~string private void write(Object value, int... own) {
    //~string     Objects.requireNonNull(value, "value");
        growth.checkWritable();
        if (own.length != rank()) {
            throw wrongCount(own);
        }
        int before = rows.last - depth;
        int row = rows.find(depth, node, before, true, own);
        rows.check(rows.last, before, row, true, own);
        int place = place(before, own);
        int positions = own[before] + 1;
        growth.checkRoom(positions & 0xffffffffL);
        //~string byte[] bytes = value instanceof RawString ? ((RawString) value).bytes : StringElement.encode((String) value);
        //~string if (bytes == null) {
        //~string     throw StringElement.unpaired((String) value, rows.where(depth, node, 0, own));
        //~string }
        //~string long start = growth.append(bytes);            // there may be no heap for them, and then no row is to have grown
        if (row < 0) {
            growth.prepare(positions);
            row = rows.grow(depth, node, before, own);
        }
        growth.extend(row, positions);
        //#if primitive
        growth.write(value, (long) row << 32 | place);
        //#end
        //~string growth.put(row, place, start, bytes.length);
    }

    @Override
    public final void put(float value, int i, int j) {
        //~string Objects.requireNonNull(value, "value");
        if (rows.flat && rows.shape.length == 2 && depth == 0 && i >= 0 && i < rows.start.length && growth.putQuickly(i, j, value)) {
            return;
        }
        putOwn(value, new int[] {i, j});
    }

    @Override
    public final void put(float value, int... indices) {
        //~string Objects.requireNonNull(value, "value");
        putOwn(value, Objects.requireNonNull(indices, "indices").clone());
    }

    //~string @Override
    //~string public final byte[] getBytes(int... indices) {
    //~string     return growth.readBytes(position(Objects.requireNonNull(indices, "indices").clone()));
    //~string }

    //~string @Override
    //~string public final void putBytes(byte[] bytes, int... indices) {
    //~string     Objects.requireNonNull(bytes, "bytes");
    //~string     write(new RawString(bytes), Objects.requireNonNull(indices, "indices").clone());
    //~string }
}
