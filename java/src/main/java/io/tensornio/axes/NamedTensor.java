package io.tensornio.axes;

import io.tensornio.AnyTensor;
import io.tensornio.Axis;
import io.tensornio.BooleanTensorData;
import io.tensornio.ByteTensorData;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.TensorDescription;
import io.tensornio.TensorIndex;
import io.tensornio.UInt8;
import io.tensornio.compute.Comprehension;
import io.tensornio.internal.axes.Along;
import io.tensornio.internal.axes.AxisLists;
import io.tensornio.internal.axes.Elementwise;
import io.tensornio.internal.axes.Evaluation;
import io.tensornio.internal.axes.Formula;
import io.tensornio.internal.axes.LazyData;
import io.tensornio.internal.axes.Moves;
import io.tensornio.internal.axes.Node;
import io.tensornio.internal.axes.Products;
import io.tensornio.internal.axes.Reductions;
import io.tensornio.internal.compute.Algorithm;
import io.tensornio.internal.compute.Inputs;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * A tensor whose axes are named, or an expression of such tensors. Operations match axes by identity or class, not by
 * position, and broadcast along the others.
 *
 * <pre>{@code
 * Axis c = Axis.of("C", 3);
 * Axis h = Axis.of("H", 480);
 * Axis w = Axis.of("W", 640);
 * NamedTensor image = NamedTensor.of(pixels, h, w, c);
 * NamedTensor centred = image.minus(image.mean(h, w));        // (H, W, C) minus (C)
 * try (Tensor<Float> result = centred.floatTensor()) { ... }
 * }</pre>
 *
 * <p><b>Matching.</b> Axes of two operands match if they are equal; of the rest, those of equal class, length and offset match, if there is only one
 * candidate. A matched pair becomes the left operand's axis in the result. If both have the same axes, the result has the left one's order; if one
 * has all axes of the other, it has that one's order; else the left one's, followed by the additional ones of the right one.
 *
 * <p><b>Laziness.</b> An expression computes nothing and allocates nothing until it is materialised: by {@link #materialize()}, a typed tensor such
 * as {@link #floatTensor()}, {@link #into}, or the first element that is read through {@link #floatData()}. It is computed once, as one
 * {@link io.tensornio.compute.Comprehension}, in which a chain of operations is one loop, and what is used twice is computed once. The result is
 * cached; further expressions read it. Inputs are read when the expression is materialised; a failed computation may be retried. Errors of axes are
 * reported when an expression is built, errors of types then, or when it is materialised. Running sums, orders and quantiles along an axis are no
 * comprehensions: each is computed as a whole before the expression that reads it, again for each one unless it is materialised itself.
 *
 * <p>Immutable except for the cached result, and thread-safe: it is computed once. The code that materialises an
 * expression closes it, or the tensor; a bound tensor stays its owner's.
 */
public final class NamedTensor extends NamedElements implements AutoCloseable {
    static {
        Inputs.accept(NamedTensor.class, given -> ((NamedTensor) given).ready());
    }

    private final Node node;

    NamedTensor(Node node) {
        this.node = node;
    }

    @Override
    Node node() {
        return node;
    }

    /**
     * Binds a tensor, without a copy.
     *
     * @param tensor a dense tensor of any type but STRING
     * @param axes an axis for each of its axes, of the same length
     * @return the tensor with its axes
     * @throws IllegalArgumentException if the number of axes or a length differs, or one occurs twice; or if the tensor is of strings,
     *     sparse or ragged
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    public static NamedTensor of(AnyTensor<?> tensor, Axis... axes) {
        return new NamedTensor(Node.of(tensor, axes));
    }

    /**
     * Binds data, without a copy: it is read whenever an expression with it is materialised.
     *
     * @param data data of any type but STRING
     * @param axes an axis for each of its axes, of the same length
     * @return the data with its axes
     * @throws IllegalArgumentException if the number of axes or a length differs, or one occurs twice; or if the data is of strings or
     *     ragged
     */
    public static NamedTensor of(TensorData<?> data, Axis... axes) {
        return new NamedTensor(Node.of(data, axes));
    }

    //#each primitive
    /**
     //#if numeric
     * A number of type FLOAT, without axes.
     //#end
     //~boolean * A truth value of type BOOL, without axes.
     *
     //#if !byte
     * @param value the element
     //#end
     //~byte * @param value the element, as its byte: -1 is 255
     * @return the element as a tensor
     */
    public static NamedTensor scalar(float value) {
        return of(FloatTensorData.constant(value));
    }

    //#end each
    /**
     * The elements brought within bounds: {@code min(max(this, low), high)}.
     *
     * @param low the lower bounds, of the same type
     * @param high the upper bounds, which win, of the same type
     * @return the elements within the bounds
     * @throws IllegalArgumentException if axes are ambiguous, or the types differ or cannot be computed with so
     */
    public NamedTensor clip(NamedTensor low, NamedTensor high) {
        return max(low).min(high);
    }

    /**
     * The elements brought within bounds that are numbers: {@code min(max(this, low), high)}.
     *
     * @param low the lower bound
     * @param high the upper bound, which wins
     * @return the elements within the bounds
     * @throws IllegalArgumentException if this is BOOL, or of integers and a bound is none
     */
    public NamedTensor clip(double low, double high) {
        return max(low).min(high);
    }

    /**
     * Elements of one operand where this is true, else of the other. The axes of this BOOL tensor are matched with those of {@code a}, then
     * those of both with {@code b}.
     *
     * @param a the values where this is true
     * @param b the values where this is false, of the same type
     * @return the choice
     * @throws IllegalArgumentException if this is not BOOL, axes are ambiguous, or the types of a and b differ
     */
    public NamedTensor select(NamedTensor a, NamedTensor b) {
        return new NamedTensor(Elementwise.select(node, Objects.requireNonNull(a, "a").node, Objects.requireNonNull(b, "b").node));
    }

    /**
     * The elements cast to another type. Integers wrap; floating-point numbers are truncated towards 0 and saturate; anything but 0 is true.
     *
     * @param type any type but STRING
     * @return the elements in that type
     * @throws IllegalArgumentException if the type is STRING
     */
    public NamedTensor cast(DataType type) {
        return new NamedTensor(Elementwise.cast(node, type));
    }

    /**
     * The sum, along axes.
     *
     * @param axes which axes are reduced; none means all
     * @return the result, on the other axes in order
     * @throws IllegalArgumentException if this is BOOL, or does not have each of the axes exactly once
     */
    public NamedTensor sum(Axis... axes) {
        return new NamedTensor(Reductions.reduce("sum", node, axes));
    }

    /**
     * The product, along axes.
     *
     * @param axes which axes are reduced; none means all
     * @return the result, on the other axes in order
     * @throws IllegalArgumentException if this is BOOL, or does not have each of the axes exactly once
     */
    public NamedTensor prod(Axis... axes) {
        return new NamedTensor(Reductions.reduce("prod", node, axes));
    }

    /**
     * The maximum along axes; for BOOL, whether any is true.
     *
     * @param axes which axes are reduced; none means all
     * @return the result, on the other axes in order
     * @throws IllegalArgumentException if this does not have each of the axes exactly once
     */
    public NamedTensor max(Axis... axes) {
        return new NamedTensor(Reductions.reduce("max", node, axes));
    }

    /**
     * The minimum along axes; for BOOL, whether all are true.
     *
     * @param axes which axes are reduced; none means all
     * @return the result, on the other axes in order
     * @throws IllegalArgumentException if this does not have each of the axes exactly once
     */
    public NamedTensor min(Axis... axes) {
        return new NamedTensor(Reductions.reduce("min", node, axes));
    }

    /**
     * The mean along axes; NaN of no elements.
     *
     * @param axes which axes are reduced; none means all
     * @return the result, on the other axes in order
     * @throws IllegalArgumentException if this is neither FLOAT nor DOUBLE, or does not have each of the axes exactly once
     */
    public NamedTensor mean(Axis... axes) {
        return new NamedTensor(Reductions.mean(node, axes));
    }

    /**
     * Running sums along an axis: each element is the sum of those up to it. Integers wrap.
     *
     * @param axis which axis
     * @return the sums, on the same axes
     * @throws IllegalArgumentException if this is BOOL, or does not have the axis exactly once
     */
    public NamedTensor cumsum(Axis axis) {
        return new NamedTensor(Along.of("cumsum", Algorithm.CUM_SUM, node, axis, 0, 0));
    }

    /**
     * Running products along an axis: each element is the product of those up to it. Integers wrap.
     *
     * @param axis which axis
     * @return the products, on the same axes
     * @throws IllegalArgumentException if this is BOOL, or does not have the axis exactly once
     */
    public NamedTensor cumprod(Axis axis) {
        return new NamedTensor(Along.of("cumprod", Algorithm.CUM_PROD, node, axis, 0, 0));
    }

    /**
     * Running maxima along an axis: each element is the largest of those up to it; NaN from the first NaN on.
     *
     * @param axis which axis
     * @return the maxima, on the same axes
     * @throws IllegalArgumentException if this is BOOL, or does not have the axis exactly once
     */
    public NamedTensor cummax(Axis axis) {
        return new NamedTensor(Along.of("cummax", Algorithm.CUM_MAX, node, axis, 0, 0));
    }

    /**
     * The elements sorted along an axis, ascending: -0 equals 0, and NaN is last.
     *
     * @param axis which axis
     * @return the elements in order, on the same axes
     * @throws IllegalArgumentException if this is BOOL, or does not have the axis exactly once
     */
    public NamedTensor sort(Axis axis) {
        return sort(axis, false);
    }

    /**
     * The elements sorted along an axis: -0 equals 0, and NaN is last in both directions.
     *
     * @param axis which axis
     * @param descending whether the largest is first
     * @return the elements in order, on the same axes
     * @throws IllegalArgumentException if this is BOOL, or does not have the axis exactly once
     */
    public NamedTensor sort(Axis axis, boolean descending) {
        return new NamedTensor(Along.of("sort", Algorithm.SORT, node, axis, descending ? 1 : 0));
    }

    /**
     * The positions of the elements in their order along an axis, ascending and stably: -0 equals 0, and NaN is last.
     *
     * @param axis which axis
     * @return INT64 positions, on the same axes
     * @throws IllegalArgumentException if this is BOOL, or does not have the axis exactly once
     */
    public NamedTensor argsort(Axis axis) {
        return new NamedTensor(Along.of("argsort", Algorithm.ARG_SORT, node, axis, 0));
    }

    /**
     * The quantile along an axis: in sorted order the element at {@code q * (n - 1)}, between two of them on a line; NaN if an element is, and of
     * nothing.
     *
     * @param q which one, 0 for the smallest to 1 for the largest
     * @param axis which axis
     * @return the quantiles, on the other axes in order
     * @throws IllegalArgumentException if this is neither FLOAT nor DOUBLE, or does not have the axis exactly once; or if q is not 0 to 1
     */
    public NamedTensor quantile(double q, Axis axis) {
        return new NamedTensor(Along.quantile("quantile", node, q, axis));
    }

    /**
     * The median along an axis: the quantile of 0.5.
     *
     * @param axis which axis
     * @return the medians, on the other axes in order
     * @throws IllegalArgumentException if this is neither FLOAT nor DOUBLE, or does not have the axis exactly once
     */
    public NamedTensor median(Axis axis) {
        return new NamedTensor(Along.quantile("median", node, .5, axis));
    }

    /**
     * The tensor product, summed along pairs of axes: each axis of this is contracted with the right one's whose offset is higher by one, and which
     * derives from the same axis, or else has the same class and length. So a matrix {@code (C, D-1)} and a vector {@code (D)} give {@code (C)}, and
     * operands without common axes an outer product. {@code x.t().dot(x)} is the sum of the squares where all offsets are 0.
     *
     * @param right the other operand, of the same type
     * @return a tensor with the remaining axes of this, then those of the right one
     * @throws IllegalArgumentException if an axis is left over on both sides, or could be contracted with several; or if the types differ, or are
     *     BOOL
     */
    public NamedTensor dot(NamedTensor right) {
        return new NamedTensor(Products.dot(node, Objects.requireNonNull(right, "right").node));
    }

    /**
     * The transpose: the axes in reverse order, each offset {@code n} as {@code -1 - n}. So {@code x.dot(y)} is {@code y.t().dot(x.t()).t()}.
     *
     * @return the same elements
     */
    public NamedTensor t() {
        return new NamedTensor(Moves.transposed(node));
    }

    /**
     * Convolution (without a flip of the filter: correlation). The filter moves along pairs of axes; other axes that both have are reduced. The
     * length of each pair in the result is {@code (n + 2 * padding - k) / stride + 1}.
     *
     * @param filter the filter, of the same type
     * @param over the pairs of axes, with strides and padding
     * @return the axes of this in order, those of pairs replaced and the shared ones dropped; then the filter's others
     * @throws IllegalArgumentException if an axis of a pair is missing, the filter is longer than the padded input, an output axis has another
     *     length, axes are ambiguous; or if the types differ, or are BOOL
     */
    public NamedTensor conv(NamedTensor filter, ConvAxes over) {
        Node by = Objects.requireNonNull(filter, "filter").node;
        return new NamedTensor(Objects.requireNonNull(over, "over").convolved(node, by));
    }

    /**
     * The axes.
     *
     * @return an unmodifiable list, in order
     */
    public List<Axis> axes() {
        return Collections.unmodifiableList(Arrays.asList(node.axes()));
    }

    /**
     * The axis with a name.
     *
     * @param name the name
     * @return the axis
     * @throws IllegalArgumentException if no axis has that name, or more than one
     */
    public Axis axis(String name) {
        Objects.requireNonNull(name, "name");
        Axis found = null;
        for (Axis axis : node.axes()) {
            if (axis.name().equals(name)) {
                if (found != null) {
                    throw new IllegalArgumentException("more than one axis of " + AxisLists.text(node.axes()) + " is named " + name);
                }
                found = axis;
            }
        }
        if (found == null) {
            throw new IllegalArgumentException("no axis of " + AxisLists.text(node.axes()) + " is named " + name);
        }
        return found;
    }

    /**
     * The type of the elements, which is known before they are computed.
     *
     * @return the type
     */
    public DataType dataType() {
        return node.type();
    }

    /**
     * The type, axes and, for elements in memory, the layout. Computes nothing; an expression is read-only, and has no
     * layout until it is materialised.
     *
     * @return a description of kind BASIC
     * @throws io.tensornio.TensorClosedException if this is closed
     */
    public TensorDescription description() {
        return node.description();
    }

    /**
     * The same elements on other axes.
     *
     * @param axes a new axis for each axis, of the same length
     * @return the elements on these axes
     * @throws IllegalArgumentException if the lengths differ, or an axis occurs twice
     */
    public NamedTensor withAxes(Axis... axes) {
        return new NamedTensor(Moves.withAxes(node, axes));
    }

    /**
     * Permutes the axes.
     *
     * @param axes each axis once
     * @return the elements on the axes in that order
     * @throws IllegalArgumentException if an axis is missing, occurs twice, or is not one of this
     */
    public NamedTensor order(Axis... axes) {
        return new NamedTensor(Moves.order(node, axes));
    }

    /**
     * Selects a part of an axis. The result has a new axis of the same name and class; {@link TensorIndex#all()} keeps the axis, and
     * {@link TensorIndex#at(long)} drops it.
     *
     * @param axis an axis of this
     * @param index the positions on that axis
     * @return the selected elements
     * @throws IllegalArgumentException if this has no such axis, or the index is {@code newAxis()}, {@code ellipsis()} or for several axes
     * @throws IndexOutOfBoundsException if a position is outside of the axis
     */
    public NamedTensor slice(Axis axis, TensorIndex index) {
        return new NamedTensor(Moves.slice(node, axis, index));
    }

    /**
     * Pads an axis with zeros, or false. The result has a new axis of the same name and class.
     *
     * @param axis an axis of this
     * @param before the width of the padding before the first position
     * @param after the width of the padding after the last one
     * @return the padded tensor
     * @throws IllegalArgumentException if this has no such axis, or a count is negative
     */
    public NamedTensor pad(Axis axis, long before, long after) {
        return new NamedTensor(Moves.pad(node, axis, before, after));
    }

    /**
     * Merges several axes into one, in row-major order. It replaces the first of them.
     *
     * @param flat the new axis, as long as the product of the others
     * @param parts axes of this, at least one
     * @return the same elements
     * @throws IllegalArgumentException if this does not have each of the parts exactly once, or the length differs
     */
    public NamedTensor flatten(Axis flat, Axis... parts) {
        return new NamedTensor(Moves.flatten(node, flat, parts));
    }

    /**
     * Splits an axis into several, in row-major order, which replace it.
     *
     * @param flat an axis of this
     * @param parts the new axes, at least one; the product of their lengths is its length
     * @return the same elements
     * @throws IllegalArgumentException if this has no such axis, the lengths do not fit, or an axis would occur twice
     */
    public NamedTensor unflatten(Axis flat, Axis... parts) {
        return new NamedTensor(Moves.unflatten(node, flat, parts));
    }

    /**
     * Broadcasts along additional axes.
     *
     * @param axes all axes of the result, in order
     * @return the broadcast tensor
     * @throws IllegalArgumentException if an axis of this is not among them, or could match several of them
     */
    public NamedTensor broadcast(Axis... axes) {
        return new NamedTensor(Moves.broadcast(node, axes));
    }

    /**
     * Concatenates parts. Each has one axis of the class of the new one; their other axes match.
     *
     * @param axis the axis of the result, as long as all parts together; its position is that of the first part's axis
     * @param parts one part or more, of one type
     * @return the concatenation
     * @throws IllegalArgumentException if there is no part, one does not have exactly one axis of the class, the
     *     lengths do not add up, or the other axes or the types differ
     */
    public static NamedTensor concat(Axis axis, NamedTensor... parts) {
        Node[] nodes = new Node[Objects.requireNonNull(parts, "parts").length];
        for (int n = 0; n < nodes.length; n++) {
            int which = n;
            nodes[n] = Objects.requireNonNull(parts[n], () -> "part " + which).node;
        }
        return new NamedTensor(Moves.concat(axis, nodes));
    }

    /**
     * Computes the elements, unless they were computed already. A bound tensor is its own result; bound data is copied.
     *
     * @return the tensor, always the same
     * @throws IllegalArgumentException if the types do not fit, or an integer maximum or minimum has no elements
     * @throws ArithmeticException if an integer is divided by 0, or has a negative exponent
     * @throws io.tensornio.TensorClosedException if the tensor, or one that it needs, is closed
     * @throws OutOfMemoryError if it exceeds the memory budget
     */
    public Tensor<?> materialize() {
        return node.materialize();
    }

    /**
     * Computes the elements into existing data, which may overlap the inputs. The result is not cached.
     *
     * @param target writable data of this type and shape: {@link FloatTensorData} or a sibling
     * @throws IllegalArgumentException if the target has another type or shape; or as {@link #materialize()}
     * @throws java.nio.ReadOnlyBufferException if the target cannot be written
     * @throws ArithmeticException as {@link #materialize()}
     * @throws io.tensornio.TensorClosedException as {@link #materialize()}
     * @throws OutOfMemoryError as {@link #materialize()}
     */
    public void into(TensorData<?> target) {
        node.into(target);
    }

    /** The tensor that is there: a comprehension does not decide when something is computed. */
    private Tensor<?> ready() {
        if (!isMaterialized()) {
            throw new IllegalArgumentException("a tensor of named axes that is not computed yet: call materialize() first");
        }
        return materialize();
    }

    /**
     * Whether {@link #materialize()} has nothing to compute.
     *
     * @return true for a bound tensor, and once an expression, or bound data, has been materialised
     */
    public boolean isMaterialized() {
        return node.isMaterialized();
    }

    /**
     * Closes the computed result; from then on, this cannot be read. A bound tensor is not closed.
     */
    @Override
    public void close() {
        node.close();
    }

    /**
     * Type, axes and formula. Computes nothing.
     *
     * @return a text such as {@code FLOAT (C=3) = sum((a - b), H) of a (C=3, H=2), b (C=3)}
     */
    @Override
    public String toString() {
        return Formula.of(node);
    }

    /** The comprehension that computes this now. */
    Comprehension program() {
        return Comprehension.of(Evaluation.of(node).text());
    }

    private void check(DataType wanted) {
        if (node.type() != wanted) {
            throw new IllegalStateException("the elements of " + AxisLists.text(node.axes()) + " are " + node.type() + ", not " + wanted);
        }
    }

    @SuppressWarnings("unchecked")          // the type of the elements is the type parameter
    private <T> Tensor<T> tensor(DataType wanted) {
        check(wanted);
        return (Tensor<T>) node.materialize();
    }

    //#each primitive
    /**
     * The FLOAT tensor of {@link #materialize()}.
     *
     * @return the tensor
     * @throws IllegalStateException if the elements are of another type
     */
    //#if !byte
    public Tensor<Float> floatTensor() {
    //#end
    //~byte public Tensor<UInt8> uInt8Tensor() {
        return tensor(DataType.FLOAT);
    }

    /**
     * The elements as FLOAT data, read-only unless this is bound. Those of an expression are computed when the first is read; type, shape and slices
     * compute nothing.
     *
     * @return the data
     * @throws IllegalStateException if the elements are of another type
     */
    public FloatTensorData floatData() {
        check(DataType.FLOAT);
        return LazyData.floatData(node);
    }
    //#end each
}
