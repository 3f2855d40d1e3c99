package io.tensornio.internal.data;

import io.tensornio.BooleanTensorData;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Axes;
import io.tensornio.internal.layout.ComplexViews;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Pieces;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.Views;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.ragged.RaggedShapes;
import io.tensornio.internal.ragged.RaggedViews;
import java.util.Arrays;
import java.util.Objects;

/** Makes complex views: read-only data whose elements come from several other data, or are computed. */
public final class Complex {
    private Complex() {
    }

    /** The carrier of the type of data; any, for data that is null. */
    private static <D extends TensorData<D>, A> Carrier<D, A> of(Carrier<D, A> any, D data) {
        return data == null ? any : any.of(data.dataType());
    }

    /** Checks that elements of a part are stored as those of the first. */
    private static void checkType(String call, int n, OwnData<?, ?> part, OwnData<?, ?> first) {
        if (part.dataType() != first.dataType()) {
            throw new IllegalArgumentException(call + ": part " + n + " is " + part.dataType() + ", part 0 is " + first.dataType()
                + "; Tensors.convert makes them alike");
        }
    }

    /** Checks that data is open, and returns it as the library's own class. */
    private static <D extends TensorData<D>, A> OwnData<D, A> part(Carrier<D, A> carrier, String call, D data) {
        OwnData<D, A> own = OwnData.own(Objects.requireNonNull(data, "data").slice(new TensorIndex[0]));
        long[] shape = own.shape();
        if (RaggedShapes.isRagged(shape)) {
            throw RaggedViews.refused(call, shape);
        }
        RaggedLayout tree = own.tree();
        return tree == null ? own : whole(carrier, made(carrier, new Assembly.Chosen(tree, shape), carrier.zero(), shape, own), shape);
    }

    /** The elements of a view of parts. */
    private static <D extends TensorData<D>, A> Made made(Carrier<D, A> carrier, Assembly assembly, Object fill, long[] shape,
            OwnData<?, ?>... parts) {
        return carrier.made(assembly, fill, shape, sources(parts), parts);
    }

    private static <D extends TensorData<D>, A> OwnData<D, A> whole(Carrier<D, A> carrier, Made made, long... shape) {
        return carrier.view(made, Layout.rowMajor(shape));
    }

    private static Source[] sources(OwnData<?, ?>... parts) {
        Source[] sources = new Source[parts.length];
        for (int n = 0; n < parts.length; n++) {
            sources[n] = parts[n].source();
        }
        return sources;
    }

    private static <D extends TensorData<D>, A> Made pieces(Carrier<D, A> carrier, long[] shape, long[] before, long[] inner, int axis, Object fill,
            OwnData<?, ?>... parts) {
        Layout[] layouts = new Layout[parts.length];
        for (int n = 0; n < parts.length; n++) {
            layouts[n] = parts[n].layout();
        }
        return made(carrier, new Assembly.Joined(new Pieces(shape, before, inner, axis, layouts)), fill, shape, parts);
    }

    /** The view returned to the caller. */
    static <D extends TensorData<D>, A> D view(Carrier<D, A> carrier, Made made, long[] shape, String call, long[] numbers, TensorData<?>... parts) {
        made.as(new Composition(call, numbers, shape, parts));
        return whole(carrier, made, shape).self();
    }

    /**
     * Data padded with what fresh memory holds: zeros, or empty strings.
     *
     * @param carrier that of the elements
     * @param data the data
     * @param before the width of the padding before each axis
     * @param after the width of the padding after each axis
     * @return the view
     */
    public static <D extends TensorData<D>, A> D pad(Carrier<D, A> carrier, D data, long[] before, long[] after) {
        return pad(carrier, data, before, after, carrier.zero());
    }

    /**
     * Data padded with a value.
     *
     * @param any a carrier of its class
     * @param data the data
     * @param before the width of the padding before each axis
     * @param after the width of the padding after each axis
     * @param value the padding value
     * @return the view
     */
    public static <D extends TensorData<D>, A> D pad(Carrier<D, A> any, D data, long[] before, long[] after, Object value) {
        Carrier<D, A> carrier = of(any, data);
        long[] front = Objects.requireNonNull(before, "before").clone();
        long[] back = Objects.requireNonNull(after, "after").clone();
        OwnData<D, A> part = part(carrier, "pad", data);
        long[] inner = part.shape();
        long[] shape = ComplexViews.padded(inner, front, back);
        long[] margins = Arrays.copyOf(front, 2 * front.length);
        System.arraycopy(back, 0, margins, front.length, back.length);
        return view(carrier, pieces(carrier, shape, front, inner, 0, carrier.stored(value), part), shape, "pad", margins, part);
    }

    /**
     * Concatenates data along an axis.
     *
     * @param carrier that of the elements
     * @param axis which one
     * @param parts the data
     * @return the view
     */
    public static <D extends TensorData<D>, A> D concat(Carrier<D, A> carrier, int axis, D[] parts) {
        OwnData<D, A>[] own = parts(carrier, "concat", parts);
        return join(carrier, "concat", axis, own, own);
    }

    private static <D extends TensorData<D>, A> OwnData<D, A>[] parts(Carrier<D, A> carrier, String call, D[] data) {
        D[] given = ComplexViews.parts(call, data);
        OwnData<D, A>[] parts = array(given.length);
        for (int n = 0; n < parts.length; n++) {
            parts[n] = part(of(carrier, given[n]), call, given[n]);
            checkType(call, n, parts[n], parts[0]);
        }
        return parts;
    }

    @SuppressWarnings("unchecked")
    private static <D extends TensorData<D>, A> OwnData<D, A>[] array(int n) {
        return (OwnData<D, A>[]) new OwnData<?, ?>[n];
    }

    /** Concatenates parts made from the arguments {@code given}. */
    private static <D extends TensorData<D>, A> D join(Carrier<D, A> any, String call, int axis, OwnData<D, A>[] parts, OwnData<?, ?>... given) {
        Carrier<D, A> carrier = any.of(parts[0].dataType());
        long[] shape = ComplexViews.concatenated(call, axis, shapes(parts));
        int d = Axes.check(call, shape, axis);
        TensorData<?>[] flat = Made.flat(d, sources(parts), parts);
        Made joined = pieces(carrier, shape, new long[shape.length], shape, d, carrier.zero(), Arrays.copyOf(flat, flat.length, OwnData[].class));
        return view(carrier, joined, shape, call, new long[] {d}, given);
    }

    private static long[][] shapes(OwnData<?, ?>... parts) {
        long[][] shapes = new long[parts.length][];
        for (int n = 0; n < parts.length; n++) {
            shapes[n] = parts[n].shape();
        }
        return shapes;
    }

    /**
     * Stacks data of one shape along a new axis.
     *
     * @param carrier that of the elements
     * @param axis its number in the view
     * @param parts the data
     * @return the view
     */
    public static <D extends TensorData<D>, A> D stack(Carrier<D, A> carrier, int axis, D[] parts) {
        OwnData<D, A>[] own = parts(carrier, "stack", parts);
        ComplexViews.stacked(axis, shapes(own));
        int d = Axes.checkNew("stack", own[0].shape(), axis);
        OwnData<D, A>[] expanded = array(own.length);
        for (int n = 0; n < own.length; n++) {
            expanded[n] = carrier.view(own[n].source(), Views.expandDims(own[n].layout(), d));
        }
        return join(carrier, "stack", d, expanded, own);
    }

    /**
     * Repeats data along each axis.
     *
     * @param any a carrier of its class
     * @param data the data
     * @param repeats how often
     * @return the view
     */
    public static <D extends TensorData<D>, A> D tile(Carrier<D, A> any, D data, long... repeats) {
        Carrier<D, A> carrier = of(any, data);
        long[] times = Objects.requireNonNull(repeats, "repeats").clone();
        OwnData<D, A> part = part(carrier, "tile", data);
        int rank = part.rank();
        ComplexViews.tiled(part.shape(), times);
        Made tiled = rank == 0 ? pieces(carrier, new long[0], new long[0], new long[0], 0, carrier.zero(), part) : null;
        OwnData<D, A> one = part;
        long[] shape = part.shape();
        for (int d = 0; d < rank; d++) {
            if (times[d] != 1 || d == rank - 1) {
                shape = shape.clone();
                shape[d] *= times[d];
                tiled = pieces(carrier, shape, new long[rank], shape, d, carrier.zero(), one);
                one = whole(carrier, tiled, shape);
            }
        }
        return view(carrier, tiled, shape, "tile", times, part);
    }

    /**
     * Repeats each position of an axis.
     *
     * @param any a carrier of its class
     * @param data the data
     * @param axis which one
     * @param times how often
     * @return the view
     */
    public static <D extends TensorData<D>, A> D repeat(Carrier<D, A> any, D data, int axis, long times) {
        Carrier<D, A> carrier = of(any, data);
        OwnData<D, A> part = part(carrier, "repeat", data);
        long[] shape = ComplexViews.repeated(part.shape(), axis, times);
        int d = Axes.check("repeat", shape, axis);
        Layout inserted = Views.expandDims(part.layout(), d + 1);
        long[] wide = inserted.sizes().clone();
        wide[d + 1] = times;
        OwnData<D, A> repeated = carrier.view(part.source(), Views.broadcastTo(inserted, wide));
        Made made = pieces(carrier, wide, new long[wide.length], wide, 0, carrier.zero(), repeated);
        return view(carrier, made, shape, "repeat", new long[] {d, times}, part);
    }

    /**
     * One value at every index.
     *
     * @param carrier that of the elements
     * @param value the value
     * @param shape the sizes
     * @return the data
     */
    public static <D extends TensorData<D>, A> D constant(Carrier<D, A> carrier, Object value, long... shape) {
        long[] own = Shapes.checkSparse(shape);
        return view(carrier, made(carrier, Assembly.NONE, value, own), own, "constant", new long[0]);
    }

    /**
     * Elements of one data where a condition is true, else of another.
     *
     * @param any a carrier of the class of x
     * @param condition the condition
     * @param x the elements where it is true
     * @param y the elements where it is false
     * @return the data, of the shape to which all three are broadcast
     */
    public static <D extends TensorData<D>, A> D where(Carrier<D, A> any, BooleanTensorData condition, D x, D y) {
        Objects.requireNonNull(condition, "condition");
        Carrier<D, A> carrier = of(any, x);
        OwnData<D, A> first = part(carrier, "where", x);
        OwnData<D, A> second = part(of(any, y), "where", y);
        checkType("where", 1, second, first);
        BooleanTensorData choice = condition.slice(new TensorIndex[0]);
        if (RaggedShapes.isRagged(choice.shape())) {
            throw RaggedViews.refused("where", choice.shape());
        }
        long[] shape = Views.commonShape(choice.shape(), first.shape(), second.shape());
        OwnData<D, A> one = OwnData.own(first.broadcastTo(shape));
        OwnData<D, A> other = OwnData.own(second.broadcastTo(shape));
        Assembly assembly = new Assembly.Choice((BooleanData) choice.broadcastTo(shape), one, other, shape);
        return view(carrier, made(carrier, assembly, carrier.zero(), shape, one, other), shape, "where", new long[0], choice, first, second);
    }
}
