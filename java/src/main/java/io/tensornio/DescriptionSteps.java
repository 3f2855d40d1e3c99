package io.tensornio;

import io.tensornio.internal.data.DataIndices;
import io.tensornio.internal.layout.Axes;
import io.tensornio.internal.layout.ComplexViews;
import io.tensornio.internal.layout.PartialLayout;
import io.tensornio.internal.layout.Reshape;
import io.tensornio.internal.layout.Slicer;
import io.tensornio.internal.layout.Views;
import java.util.Arrays;
import java.util.Objects;

/** The views of a {@link TensorDescription}, which inherits them: those of {@link Views} and related classes, each as an object of its kind. */
abstract class DescriptionSteps extends DescriptionFacts {
    /** Only {@link TensorDescription} extends this. */
    DescriptionSteps(DataType type, PartialLayout where, boolean readOnly) {
        super(type, where, readOnly);
    }

    // ---- Simple views --------------------------------------------------------------------------------------------------

    /**
     * Reverses the axes, see {@link TensorData#transpose()}.
     *
     * @return a view of kind PERMUTE
     */
    public final TensorDescription transpose() {
        return permute(Views.reversed(sizes().length));
    }

    /**
     * Permutes the axes, see {@link TensorData#permute}.
     *
     * @param axes each axis once; -1 is the last
     * @return a view of kind PERMUTE
     * @throws IllegalArgumentException if an axis is missing, named twice or does not exist
     */
    public final TensorDescription permute(int... axes) {
        int[] order = Axes.checkPermutation(sizes(), axes);
        return new TensorDescription.Permute(self(), order, layout -> Views.permute(layout, order), false);
    }

    /**
     * A read-only view in a larger shape, see {@link TensorData#broadcastTo}.
     *
     * @param shape the shape of the view
     * @return a view of kind BROADCAST
     * @throws IllegalArgumentException if the shapes do not fit
     */
    public final TensorDescription broadcastTo(long... shape) {
        long[] to = Views.broadcastShape(sizes(), shape);
        return new TensorDescription.Broadcast(self(), layout -> Views.broadcastTo(layout, to), false);
    }

    /**
     * The same elements in another shape, see {@link TensorData#reshape}.
     *
     * @param shape the shape of the view, of which one size may be -1 and is computed
     * @return a view of kind RESHAPE
     * @throws IllegalArgumentException if the number of elements differs, or the layout is known and there is no such view
     */
    public final TensorDescription reshape(long... shape) {
        long[] to = Reshape.shape(sizes(), shape);
        return new TensorDescription.Reshape(self(), layout -> Reshape.reshape(layout, to), false);
    }

    /**
     * Merges all axes into one, see {@link TensorData#flatten()}.
     *
     * @return a view of kind FLATTEN and rank 1
     * @throws IllegalArgumentException as {@link #reshape} does
     */
    public final TensorDescription flatten() {
        return new TensorDescription.Flatten(self(), 0, sizes().length - 1, Reshape::flatten, false);
    }

    /**
     * Merges adjacent axes into one, see {@link TensorData#flatten(int, int)}.
     *
     * @param first the first axis; -1 is the last of all
     * @param last the last one, which is included
     * @return a view of kind FLATTEN
     * @throws IllegalArgumentException if there is no such axis, {@code first} is after {@code last}, or as {@link #reshape} does
     */
    public final TensorDescription flatten(int first, int last) {
        Reshape.flattened(sizes(), first, last);
        int from = Axes.check("flatten", sizes(), first);
        int to = Axes.check("flatten", sizes(), last);
        return new TensorDescription.Flatten(self(), from, to, layout -> Reshape.flatten(layout, from, to), false);
    }

    /**
     * Splits an axis into several, see {@link TensorData#unflatten}.
     *
     * @param axis which one; -1 is the last
     * @param sizes the sizes in its place, of which one may be -1 and is computed
     * @return a view of kind RESHAPE
     * @throws IllegalArgumentException if there is no such axis, the sizes have another product, or the axis is a list of positions
     */
    public final TensorDescription unflatten(int axis, long... sizes) {
        long[] own = Objects.requireNonNull(sizes, "sizes").clone();
        return new TensorDescription.Reshape(self(), layout -> Reshape.unflatten(layout, axis, own), false);
    }

    /**
     * Inserts an axis of size 1, see {@link TensorData#expandDims}.
     *
     * @param axis its number in the view; -1 appends it
     * @return a view of kind RESHAPE
     * @throws IllegalArgumentException if the number is out of range
     */
    public final TensorDescription expandDims(int axis) {
        return new TensorDescription.Reshape(self(), layout -> Views.expandDims(layout, axis), false);
    }

    /**
     * Drops axes of size 1, see {@link TensorData#squeeze}.
     *
     * @param axes which ones; none for all of them
     * @return a view of kind RESHAPE
     * @throws IllegalArgumentException if there is no such axis, it is named twice, or its size is not 1
     */
    public final TensorDescription squeeze(int... axes) {
        int[] own = Objects.requireNonNull(axes, "axes").clone();
        return new TensorDescription.Reshape(self(), layout -> Views.squeeze(layout, own), false);
    }

    /**
     * The elements whose indices on two axes are equal, see {@link TensorData#diagonal}.
     *
     * @param axis1 one axis; -1 is the last
     * @param axis2 the other
     * @return a view of kind RESHAPE
     * @throws IllegalArgumentException if there is no such axis, or both are the same
     */
    public final TensorDescription diagonal(int axis1, int axis2) {
        return new TensorDescription.Reshape(self(), layout -> Views.diagonal(layout, axis1, axis2), false);
    }

    /**
     * Reverses axes, see {@link TensorData#flip}.
     *
     * @param axes which ones; -1 is the last; none for all of them
     * @return a view of kind SLICE
     * @throws IllegalArgumentException if there is no such axis, or it is named twice
     */
    public final TensorDescription flip(int... axes) {
        TensorIndex[] indices = new TensorIndex[sizes().length];
        Arrays.fill(indices, TensorIndex.all());
        for (int axis : Views.flipped(sizes(), axes)) {
            indices[axis] = TensorIndex.flip();
        }
        return new TensorDescription.Slice(self(), indices, false);
    }

    /**
     * A read-only view of all windows along an axis, see {@link TensorData#slidingWindow}.
     *
     * @param axis which one; -1 is the last
     * @param size the length of a window, 1 to the size of the axis
     * @param step the distance between the starts of consecutive windows, at least 1
     * @return a view of kind RESHAPE
     * @throws IllegalArgumentException if there is no such axis, size or step, or the axis is a list of positions
     */
    public final TensorDescription slidingWindow(int axis, long size, long step) {
        return new TensorDescription.Reshape(self(), layout -> Views.slidingWindow(layout, axis, size, step), false);
    }

    /**
     * Selects positions on each axis, see {@link TensorData#slice(TensorIndex...)}. Data among the indices is read once, now.
     *
     * @param indices one index for each leading axis, see {@link TensorIndex}
     * @return a view of kind SLICE
     * @throws IndexOutOfBoundsException if an index is out of bounds for its axis, or there are more indices than axes
     * @throws IllegalArgumentException as for data
     * @throws TensorClosedException if the tensor of data used as an index is closed
     */
    public final TensorDescription slice(TensorIndex... indices) {
        return new TensorDescription.Slice(self(), Slicer.settled(sizes(), DataIndices.checked(indices)), false);
    }

    // ---- Complex views -------------------------------------------------------------------------------------------------

    /**
     * Pads the tensor, see {@link FloatTensorData#pad(long[], long[])} and its siblings.
     *
     * @param before the width of the padding before each axis
     * @param after the width of the padding after each axis
     * @return a view of kind PAD, which is read-only
     * @throws IllegalArgumentException if a number is negative, or there is not one of each for each axis
     */
    public final TensorDescription pad(long[] before, long[] after) {
        return new TensorDescription.Pad(self(), Objects.requireNonNull(before, "before").clone(),
            Objects.requireNonNull(after, "after").clone(), false);
    }

    /**
     * Repeats the tensor along each axis, see {@link TensorData#tile}.
     *
     * @param repeats the number of repetitions for each axis, 0 or more
     * @return a view of kind COMPLEX with one part
     * @throws IllegalArgumentException if there are more or fewer numbers than axes, or one is negative
     */
    public final TensorDescription tile(long... repeats) {
        long[] times = Objects.requireNonNull(repeats, "repeats").clone();
        return new TensorDescription.Complex(self().dataType(), "tile", times, ComplexViews.tiled(sizes(), times), self());
    }

    /**
     * Repeats each position of an axis, see {@link TensorData#repeat}.
     *
     * @param axis which one; -1 is the last
     * @param times the number of repetitions, 0 or more
     * @return a view of kind COMPLEX with one part
     * @throws IllegalArgumentException if there is no such axis, or the number is negative
     */
    public final TensorDescription repeat(int axis, long times) {
        long[] shape = ComplexViews.repeated(sizes(), axis, times);
        return new TensorDescription.Complex(self().dataType(), "repeat", new long[] {Axes.check("repeat", shape, axis), times}, shape, self());
    }
}
