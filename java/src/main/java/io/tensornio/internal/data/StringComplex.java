package io.tensornio.internal.data;

import io.tensornio.BooleanTensorData;
import io.tensornio.StringTensorData;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.layout.Axes;
import io.tensornio.internal.layout.ComplexViews;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Pieces;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.Views;
import io.tensornio.internal.ragged.RaggedShapes;
import io.tensornio.internal.ragged.RaggedViews;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;

/** Makes complex views of {@code String} data: read-only data whose elements come from several other data, or are computed. */
public final class StringComplex {
    private StringComplex() {
    }

    /** Checks that data is open, and returns it as the library's own class. */
    private static StringData part(String call, StringTensorData data) {
        StringTensorData own = Objects.requireNonNull(data, "data").slice(new TensorIndex[0]);
        long[] shape = own.shape();
        if (RaggedShapes.isRagged(shape)) {
            throw RaggedViews.refused(call, shape);
        }
        return own instanceof StringRagged ? StringView.of(new StringChosen((StringRagged) own), shape) : (StringData) own;
    }

    private static StringMade pieces(long[] shape, long[] before, long[] inner, int axis, String fill, StringData... parts) {
        Layout[] layouts = new Layout[parts.length];
        for (int n = 0; n < parts.length; n++) {
            layouts[n] = parts[n].layout();
        }
        return new StringPieces(new Pieces(shape, before, inner, axis, layouts), fill, parts);
    }

    /** The view returned to the caller. */
    private static StringTensorData view(StringMade made, long[] shape, String call, long[] numbers, TensorData<?>... parts) {
        return StringView.of(made.as(new Composition(call, numbers, shape, parts)), shape);
    }

    /**
     * Data with a margin of what fresh memory holds.
     *
     * @param data the data
     * @param before the width of the padding before each axis
     * @param after the width of the padding after each axis
     * @return the view
     */
    public static StringTensorData pad(StringTensorData data, long[] before, long[] after) {
        return pad(data, before, after, zero());
    }

    /**
     * Data padded with a value.
     *
     * @param data the data
     * @param before the width of the padding before each axis
     * @param after the width of the padding after each axis
     * @param value the padding value
     * @return the view
     */
    public static StringTensorData pad(StringTensorData data, long[] before, long[] after, String value) {
        long[] front = Objects.requireNonNull(before, "before").clone();
        long[] back = Objects.requireNonNull(after, "after").clone();
        Objects.requireNonNull(value, "value");
        StringData part = part("pad", data);
        long[] inner = part.shape();
        long[] shape = ComplexViews.padded(inner, front, back);
        long[] margins = Arrays.copyOf(front, 2 * front.length);
        System.arraycopy(back, 0, margins, front.length, back.length);
        return view(pieces(shape, front, inner, 0, value, part), shape, "pad", margins, part);
    }

    /**
     * Concatenates data along an axis.
     *
     * @param axis which one
     * @param parts the data
     * @return the view
     */
    public static StringTensorData concat(int axis, StringTensorData... parts) {
        StringData[] own = parts("concat", parts);
        return join("concat", axis, own, own);
    }

    private static StringData[] parts(String call, StringTensorData... data) {
        StringTensorData[] given = ComplexViews.parts(call, data);
        StringData[] parts = new StringData[given.length];
        for (int n = 0; n < parts.length; n++) {
            parts[n] = part(call, given[n]);
        }
        return parts;
    }

    /** Concatenates parts made from the arguments {@code given}. */
    private static StringTensorData join(String call, int axis, StringData[] parts, StringData... given) {
        long[] shape = ComplexViews.concatenated(call, axis, shapes(parts));
        int d = Axes.check(call, shape, axis);
        StringMade joined = pieces(shape, new long[shape.length], shape, d, zero(), StringPieces.flat(d, parts));
        return view(joined, shape, call, new long[] {d}, given);
    }

    private static long[][] shapes(StringData... parts) {
        long[][] shapes = new long[parts.length][];
        for (int n = 0; n < parts.length; n++) {
            shapes[n] = parts[n].shape();
        }
        return shapes;
    }

    private static String zero() {
        return "";
    }

    /**
     * Stacks data of one shape along a new axis.
     *
     * @param axis its number in the view
     * @param parts the data
     * @return the view
     */
    public static StringTensorData stack(int axis, StringTensorData... parts) {
        StringData[] own = parts("stack", parts);
        ComplexViews.stacked(axis, shapes(own));
        int d = Axes.checkNew("stack", own[0].shape(), axis);
        StringData[] expanded = new StringData[own.length];
        for (int n = 0; n < own.length; n++) {
            expanded[n] = StringView.data(own[n].source(), Views.expandDims(own[n].layout(), d));
        }
        return join("stack", d, expanded, own);
    }

    /**
     * Repeats data along each axis.
     *
     * @param data the data
     * @param repeats how often
     * @return the view
     */
    public static StringTensorData tile(StringTensorData data, long... repeats) {
        long[] times = Objects.requireNonNull(repeats, "repeats").clone();
        StringData part = part("tile", data);
        int rank = part.rank();
        ComplexViews.tiled(part.shape(), times);
        StringMade tiled = rank == 0 ? pieces(new long[0], new long[0], new long[0], 0, zero(), part) : null;
        StringData one = part;
        long[] shape = part.shape();
        for (int d = 0; d < rank; d++) {
            if (times[d] != 1 || d == rank - 1) {
                shape = shape.clone();
                shape[d] *= times[d];
                tiled = pieces(shape, new long[rank], shape, d, zero(), one);
                one = StringView.of(tiled, shape);
            }
        }
        return view(tiled, shape, "tile", times, part);
    }

    /**
     * Repeats each position of an axis.
     *
     * @param data the data
     * @param axis which one
     * @param times how often
     * @return the view
     */
    public static StringTensorData repeat(StringTensorData data, int axis, long times) {
        StringData part = part("repeat", data);
        long[] shape = ComplexViews.repeated(part.shape(), axis, times);
        int d = Axes.check("repeat", shape, axis);
        Layout inserted = Views.expandDims(part.layout(), d + 1);
        long[] wide = inserted.sizes().clone();
        wide[d + 1] = times;
        StringData repeated = StringView.data(part.source(), Views.broadcastTo(inserted, wide));
        StringMade made = new StringPieces(new Pieces(wide, new long[wide.length], wide, 0, repeated.layout()), zero(), repeated);
        return view(made, shape, "repeat", new long[] {d, times}, part);
    }

    /**
     * One value at every index.
     *
     * @param value the value
     * @param shape the sizes
     * @return the data
     */
    public static StringTensorData constant(String value, long... shape) {
        Objects.requireNonNull(value, "value");
        long[] own = Shapes.checkSparse(shape);
        return view(new StringConstant(value, own), own, "constant", new long[0]);
    }

    /** What a function returns for each index. */
    public static StringTensorData generate(Function<? super long[], String> f, long... shape) {
        Objects.requireNonNull(f, "f");
        long[] own = Shapes.checkSparse(shape);
        return view(new StringGenerated(f, own), own, "generate", new long[0]);
    }

    /**
     * Elements of one data where a condition is true, else of another.
     *
     * @param condition the condition
     * @param x the elements where it is true
     * @param y the elements where it is false
     * @return the data, of the shape to which all three are broadcast
     */
    public static StringTensorData where(BooleanTensorData condition, StringTensorData x, StringTensorData y) {
        Objects.requireNonNull(condition, "condition");
        StringData first = part("where", x);
        StringData second = part("where", y);
        BooleanTensorData choice = condition.slice(new TensorIndex[0]);
        if (RaggedShapes.isRagged(choice.shape())) {
            throw RaggedViews.refused("where", choice.shape());
        }
        long[] shape = Views.commonShape(choice.shape(), first.shape(), second.shape());
        StringMade made = new StringChoice((BooleanData) choice.broadcastTo(shape), (StringData) first.broadcastTo(shape),
            (StringData) second.broadcastTo(shape), shape);
        return view(made, shape, "where", new long[0], choice, first, second);
    }
}
