package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.ragged.RaggedSlicer;
import io.tensornio.internal.ragged.RaggedViews;
import java.util.Objects;

/**
 * The shape, the rows and the views of ragged {@code float} data: each view is the same source with a layout made by {@link RaggedSlicer} or
 * {@link RaggedViews}.
 */
abstract class FloatRaggedViewed extends FloatData implements RaggedRows.Tree {
    final FloatSource source;
    final RaggedLayout layout;

    FloatRaggedViewed(FloatSource source, RaggedLayout layout) {
        this.source = source;
        this.layout = layout;
    }

    @Override
    public final RaggedLayout tree() {
        return layout;
    }

    /** A layout that covers all elements, though not in their order. */
    @Override
    public Layout layout() {
        return layout.stretch();
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
        if (layout.isReadOnly()) {
            throw FloatLaidOut.notWritable(source, layout.shape());
        }
        source.checkWritable();
    }

    // ---- Properties ------------------------------------------------------------------------------------------------

    @Override
    public int rank() {
        return layout.rank();
    }

    @Override
    public long size(int axis) {
        return Shapes.size(layout.shape(), axis);
    }

    @Override
    public long totalSize() {
        return layout.totalSize();
    }

    @Override
    public long[] shape() {
        return layout.shape().clone();
    }

    @Override
    public boolean isReadOnly() {
        return layout.isReadOnly() || source.isReadOnly();
    }

    // ---- Slices and other views ------------------------------------------------------------------------------------

    @Override
    public FloatTensorData slice(int... indices) {
        int[] own = Objects.requireNonNull(indices, "indices").clone();
        checkOpen();
        return FloatRagged.of(source, layout.at(own));
    }

    @Override
    public FloatTensorData slice(TensorIndex... indices) {
        TensorIndex[] own = DataIndices.checked(indices);
        checkOpen();
        return FloatRagged.of(source, RaggedSlicer.slice(layout, own));
    }

    @Override
    public FloatTensorData transpose() {
        checkOpen();
        return FloatRagged.of(source, RaggedViews.transpose(layout));
    }

    @Override
    public FloatTensorData permute(int... axes) {
        Objects.requireNonNull(axes, "axes");
        checkOpen();
        return FloatRagged.of(source, RaggedViews.permute(layout, axes));
    }

    @Override
    public FloatTensorData broadcastTo(long... shape) {
        Objects.requireNonNull(shape, "shape");
        checkOpen();
        return FloatRagged.of(source, RaggedViews.broadcastTo(layout, shape));
    }

    @Override
    public FloatTensorData reshape(long... shape) {
        Objects.requireNonNull(shape, "shape");
        checkOpen();
        return FloatRagged.of(source, RaggedViews.reshape(layout, shape));
    }

    @Override
    public FloatTensorData flatten() {
        checkOpen();
        return FloatRagged.of(source, RaggedViews.flatten(layout, 0, -1));
    }

    @Override
    public FloatTensorData flatten(int first, int last) {
        checkOpen();
        return FloatRagged.of(source, RaggedViews.flatten(layout, first, last));
    }

    @Override
    public FloatTensorData unflatten(int axis, long... sizes) {
        Objects.requireNonNull(sizes, "sizes");
        checkOpen();
        return FloatRagged.of(source, RaggedViews.unflatten(layout, axis, sizes));
    }

    @Override
    public FloatTensorData expandDims(int axis) {
        checkOpen();
        return FloatRagged.of(source, RaggedViews.expandDims(layout, axis));
    }

    @Override
    public FloatTensorData squeeze(int... axes) {
        Objects.requireNonNull(axes, "axes");
        checkOpen();
        return FloatRagged.of(source, RaggedViews.squeeze(layout, axes));
    }

    @Override
    public FloatTensorData diagonal(int axis1, int axis2) {
        checkOpen();
        return FloatRagged.of(source, RaggedViews.diagonal(layout, axis1, axis2));
    }

    @Override
    public FloatTensorData flip(int... axes) {
        Objects.requireNonNull(axes, "axes");
        checkOpen();
        return FloatRagged.of(source, RaggedViews.flip(layout, axes));
    }

    @Override
    public FloatTensorData slidingWindow(int axis, long size, long step) {
        checkOpen();
        throw RaggedViews.refused("slidingWindow", layout.shape());
    }

    @Override
    public boolean isContiguous() {
        checkOpen();
        return layout.isContiguous();
    }

    @Override
    FloatData part(long from, long n) {
        return FloatRagged.of(source, layout.part(from, n));
    }

    // ---- Rows ------------------------------------------------------------------------------------------------------

    /** All elements as dense data of rank 1 if they are contiguous, else null. */
    final FloatData flat() {
        return layout.isContiguous() ? FloatView.data(source, layout.stretch()) : null;
    }

    /** The end of the rows of the tree. */
    final long end() {
        return layout.end(layout.depth());
    }

    final long firstRow(long end) {
        return layout.nextRow(layout.begin(layout.depth()), end);
    }

    /** The elements of one row of the tree. */
    FloatData row(long node) {
        return FloatView.data(source, layout.row(node));
    }
}
