package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.Slicer;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import java.util.Objects;

/** The properties and slices of {@code float} data that is a layout over a source: all of {@link FloatView} but the access to elements. */
abstract class FloatLaidOut extends FloatData {
    final FloatSource source;
    final Layout layout;
    final int rank;

    FloatLaidOut(FloatSource source, Layout layout) {
        this.source = source;
        this.layout = layout;
        rank = layout.rank();
    }

    @Override
    public Layout layout() {
        return layout;
    }

    @Override
    FloatSource source() {
        return source;
    }

    @Override
    public void checkOpen() {
        source.checkOpen();
    }

    @Override
    void checkWritable() {
        checkWritable(source, layout);
    }

    /** Throws if the source is closed or read-only, or the layout is read-only. */
    static void checkWritable(FloatSource source, Layout layout) {
        if (layout.isReadOnly()) {
            throw notWritable(source, layout.sizes());
        }
        source.checkWritable();
    }

    /** The exception for a write through a read-only layout. */
    static ReadOnlyTensorException notWritable(FloatSource source, long[] shape) {
        source.checkOpen();
        return new ReadOnlyTensorException(FloatElement.TYPE, shape, "is a view that may have one element at many indices");
    }

    // ---- Properties ------------------------------------------------------------------------------------------------

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public long size(int axis) {
        return Shapes.size(layout.sizes(), axis);
    }

    @Override
    public long totalSize() {
        return layout.totalSize();
    }

    @Override
    public long[] shape() {
        return layout.sizes().clone();
    }

    @Override
    public boolean isReadOnly() {
        return layout.isReadOnly() || source.isReadOnly();
    }

    // ---- Slices ----------------------------------------------------------------------------------------------------

    @Override
    public FloatTensorData slice(int... indices) {
        Objects.requireNonNull(indices, "indices");
        checkOpen();
        return FloatView.of(source, layout.at(indices));
    }

    @Override
    public FloatTensorData slice(TensorIndex... indices) {
        TensorIndex[] own = DataIndices.checked(indices);
        checkOpen();
        return FloatView.of(source, Slicer.slice(layout, source.longestList(), own));
    }

    @Override
    FloatData part(long from, long n) {
        return FloatView.data(source, layout.part(from, n));
    }
}
