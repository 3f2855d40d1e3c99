package io.tensornio.internal.data;

//#if !boolean
import io.tensornio.BooleanTensorData;
//#end
import io.tensornio.FloatTensorData;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.element.FloatElement;
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

/** Makes complex views of {@code float} data: read-only data whose elements come from several other data, or are computed. */
public final class FloatComplex {
    private FloatComplex() {
    }

    /** Checks that data is open, and returns it as the library's own class. */
    private static FloatData part(String call, FloatTensorData data) {
        FloatTensorData own = Objects.requireNonNull(data, "data").slice(new TensorIndex[0]);
        long[] shape = own.shape();
        if (RaggedShapes.isRagged(shape)) {
            throw RaggedViews.refused(call, shape);
        }
        return own instanceof FloatRagged ? FloatView.of(new FloatChosen((FloatRagged) own), shape) : (FloatData) own;
    }

    private static FloatMade pieces(long[] shape, long[] before, long[] inner, int axis, float fill, FloatData... parts) {
        Layout[] layouts = new Layout[parts.length];
        for (int n = 0; n < parts.length; n++) {
            layouts[n] = parts[n].layout();
        }
        return new FloatPieces(new Pieces(shape, before, inner, axis, layouts), fill, parts);
    }

    /** The view returned to the caller. */
    static FloatTensorData view(FloatMade made, long[] shape, String call, long[] numbers, TensorData<?>... parts) {
        made.as(new Composition(call, numbers, shape, parts));
        return FloatView.of(made, shape);
    }

    /**
     * Data padded with what fresh memory holds: zeros, or empty strings.
     *
     * @param data the data
     * @param before the width of the padding before each axis
     * @param after the width of the padding after each axis
     * @return the view
     */
    public static FloatTensorData pad(FloatTensorData data, long[] before, long[] after) {
        return pad(data, before, after, FloatElement.ZERO);
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
    public static FloatTensorData pad(FloatTensorData data, long[] before, long[] after, float value) {
        long[] front = Objects.requireNonNull(before, "before").clone();
        long[] back = Objects.requireNonNull(after, "after").clone();
        FloatData part = part("pad", data);
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
    public static FloatTensorData concat(int axis, FloatTensorData... parts) {
        FloatData[] own = parts("concat", parts);
        return join("concat", axis, own, own);
    }

    private static FloatData[] parts(String call, FloatTensorData... data) {
        FloatTensorData[] given = ComplexViews.parts(call, data);
        FloatData[] parts = new FloatData[given.length];
        for (int n = 0; n < parts.length; n++) {
            parts[n] = part(call, given[n]);
            checkType(call, n, parts[n], parts[0]);
        }
        return parts;
    }

    /** Checks that elements of a part are stored as those of the first. */
    private static void checkType(String call, int n, FloatData part, FloatData first) {
        if (part.dataType() != first.dataType()) {
            throw new IllegalArgumentException(call + ": part " + n + " is " + part.dataType() + ", part 0 is " + first.dataType()
                + "; Tensors.convert makes them alike");
        }
    }

    /** Concatenates parts made from the arguments {@code given}. */
    private static FloatTensorData join(String call, int axis, FloatData[] parts, FloatData... given) {
        long[] shape = ComplexViews.concatenated(call, axis, shapes(parts));
        int d = Axes.check(call, shape, axis);
        FloatMade joined = pieces(shape, new long[shape.length], shape, d, FloatElement.ZERO, FloatPieces.flat(d, parts));
        return view(joined, shape, call, new long[] {d}, given);
    }

    private static long[][] shapes(FloatData... parts) {
        long[][] shapes = new long[parts.length][];
        for (int n = 0; n < parts.length; n++) {
            shapes[n] = parts[n].shape();
        }
        return shapes;
    }

    /**
     * Stacks data of one shape along a new axis.
     *
     * @param axis its number in the view
     * @param parts the data
     * @return the view
     */
    public static FloatTensorData stack(int axis, FloatTensorData... parts) {
        FloatData[] own = parts("stack", parts);
        ComplexViews.stacked(axis, shapes(own));
        int d = Axes.checkNew("stack", own[0].shape(), axis);
        FloatData[] expanded = new FloatData[own.length];
        for (int n = 0; n < own.length; n++) {
            expanded[n] = FloatView.data(own[n].source(), Views.expandDims(own[n].layout(), d));
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
    public static FloatTensorData tile(FloatTensorData data, long... repeats) {
        long[] times = Objects.requireNonNull(repeats, "repeats").clone();
        FloatData part = part("tile", data);
        int rank = part.rank();
        ComplexViews.tiled(part.shape(), times);
        FloatMade tiled = rank == 0 ? pieces(new long[0], new long[0], new long[0], 0, FloatElement.ZERO, part) : null;
        FloatData one = part;
        long[] shape = part.shape();
        for (int d = 0; d < rank; d++) {
            if (times[d] != 1 || d == rank - 1) {
                shape = shape.clone();
                shape[d] *= times[d];
                tiled = pieces(shape, new long[rank], shape, d, FloatElement.ZERO, one);
                one = FloatView.of(tiled, shape);
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
    public static FloatTensorData repeat(FloatTensorData data, int axis, long times) {
        FloatData part = part("repeat", data);
        long[] shape = ComplexViews.repeated(part.shape(), axis, times);
        int d = Axes.check("repeat", shape, axis);
        Layout inserted = Views.expandDims(part.layout(), d + 1);
        long[] wide = inserted.sizes().clone();
        wide[d + 1] = times;
        FloatData repeated = FloatView.data(part.source(), Views.broadcastTo(inserted, wide));
        FloatMade made = new FloatPieces(new Pieces(wide, new long[wide.length], wide, 0, repeated.layout()), FloatElement.ZERO, repeated);
        return view(made, shape, "repeat", new long[] {d, times}, part);
    }

    /**
     * One value at every index.
     *
     * @param value the value
     * @param shape the sizes
     * @return the data
     */
    public static FloatTensorData constant(float value, long... shape) {
        long[] own = Shapes.checkSparse(shape);
        return view(new FloatConstant(value, own), own, "constant", new long[0]);
    }

    //~byte /** The byte of a number from 0 to 255, which is checked. */
    //~byte public static byte unsigned(int value, String call) {
    //~byte     if ((value & ~0xff) != 0) {
    //~byte         throw new IllegalArgumentException(call + ": " + value + " is no UINT8, which is 0 to 255");
    //~byte     }
    //~byte     return (byte) value;
    //~byte }

    /**
     * Elements of one data where a condition is true, else of another.
     *
     * @param condition the condition
     * @param x the elements where it is true
     * @param y the elements where it is false
     * @return the data, of the shape to which all three are broadcast
     */
    public static FloatTensorData where(BooleanTensorData condition, FloatTensorData x, FloatTensorData y) {
        Objects.requireNonNull(condition, "condition");
        FloatData first = part("where", x);
        FloatData second = part("where", y);
        checkType("where", 1, second, first);
        BooleanTensorData choice = condition.slice(new TensorIndex[0]);
        if (RaggedShapes.isRagged(choice.shape())) {
            throw RaggedViews.refused("where", choice.shape());
        }
        long[] shape = Views.commonShape(choice.shape(), first.shape(), second.shape());
        FloatMade made = new FloatChoice((BooleanData) choice.broadcastTo(shape), (FloatData) first.broadcastTo(shape),
            (FloatData) second.broadcastTo(shape), shape);
        return view(made, shape, "where", new long[0], choice, first, second);
    }
}
