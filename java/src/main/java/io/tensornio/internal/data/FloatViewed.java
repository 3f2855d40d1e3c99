package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.TensorData;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Reshape;
import io.tensornio.internal.layout.Views;
import io.tensornio.internal.memory.SharedMemory;
import java.util.Objects;

/** The simple views of {@code float} data, other than slices: each is the same source with a layout made by {@link Views} or {@link Reshape}. */
abstract class FloatViewed extends FloatIndexed implements OpenCheck, SharedMemory {
    /** The source of the elements. */
    abstract FloatSource source();

    /** Data with another layout over the same source. */
    private FloatTensorData view(Layout layout) {
        return FloatView.of(source(), layout);
    }

    @Override
    public final OpenCheck[] checks() {
        return source().checks();
    }

    /** The layout, if the data is open; throws if it is closed. */
    private Layout open() {
        checkOpen();
        return layout();
    }

    @Override
    public FloatTensorData transpose() {
        return view(Views.transpose(open()));
    }

    @Override
    public FloatTensorData permute(int... axes) {
        Objects.requireNonNull(axes, "axes");
        return view(Views.permute(open(), axes));
    }

    @Override
    public FloatTensorData broadcastTo(long... shape) {
        Objects.requireNonNull(shape, "shape");
        return view(Views.broadcastTo(open(), shape));
    }

    @Override
    public FloatTensorData reshape(long... shape) {
        Objects.requireNonNull(shape, "shape");
        return view(Reshape.reshape(open(), shape));
    }

    @Override
    public FloatTensorData flatten() {
        return view(Reshape.flatten(open()));
    }

    @Override
    public FloatTensorData flatten(int first, int last) {
        return view(Reshape.flatten(open(), first, last));
    }

    @Override
    public FloatTensorData unflatten(int axis, long... sizes) {
        Objects.requireNonNull(sizes, "sizes");
        return view(Reshape.unflatten(open(), axis, sizes));
    }

    @Override
    public FloatTensorData expandDims(int axis) {
        return view(Views.expandDims(open(), axis));
    }

    @Override
    public FloatTensorData squeeze(int... axes) {
        Objects.requireNonNull(axes, "axes");
        return view(Views.squeeze(open(), axes));
    }

    @Override
    public FloatTensorData diagonal(int axis1, int axis2) {
        return view(Views.diagonal(open(), axis1, axis2));
    }

    @Override
    public FloatTensorData flip(int... axes) {
        Objects.requireNonNull(axes, "axes");
        return view(Views.flip(open(), axes));
    }

    @Override
    public FloatTensorData slidingWindow(int axis, long size, long step) {
        return view(Views.slidingWindow(open(), axis, size, step));
    }

    @Override
    public boolean isContiguous() {
        return open().isContiguous();
    }

    @Override
    public boolean sharesMemoryWith(TensorData<?> other) {
        return SharedMemory.isShared(this, other);
    }
}
