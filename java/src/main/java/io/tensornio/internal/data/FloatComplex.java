package io.tensornio.internal.data;

//#if !boolean
import io.tensornio.BooleanTensorData;
//#end
import io.tensornio.FloatTensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.layout.Axes;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Pieces;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.Views;
import io.tensornio.internal.ragged.RaggedShapes;
import io.tensornio.internal.ragged.RaggedViews;
import java.util.Arrays;
import java.util.Objects;
//~string import java.util.function.Function;
//~boolean import java.util.function.Predicate;
//#if floating
import java.util.function.ToDoubleFunction;
//#end
//~int,byte import java.util.function.ToIntFunction;
//~long import java.util.function.ToLongFunction;

/** Makes complex views of {@code float} data: read-only data whose elements come from several others, or from none. */
public final class FloatComplex {
    private FloatComplex() {
    }

    /** Data as a part: a source and a layout, which is not closed. */
    private static FloatData part(String call, FloatTensorData data) {
        FloatTensorData own = Objects.requireNonNull(data, "data").slice(new TensorIndex[0]);
        long[] shape = own.shape();
        if (RaggedShapes.isRagged(shape)) {
            throw RaggedViews.refused(call, shape);
        }
        return (FloatData) own;
    }

    private static FloatTensorData pieces(long[] shape, long[] before, long[] inner, int axis, float fill, FloatData... parts) {
        Layout[] layouts = new Layout[parts.length];
        for (int n = 0; n < parts.length; n++) {
            layouts[n] = parts[n].layout();
        }
        return FloatView.of(new FloatPieces(new Pieces(shape, before, inner, axis, layouts), fill, parts), shape);
    }

    /**
     * Data with a margin of what fresh memory holds.
     *
     * @param data the data
     * @param before how many positions in front of each axis
     * @param after how many behind it
     * @return the view
     */
    public static FloatTensorData pad(FloatTensorData data, long[] before, long[] after) {
        return pad(data, before, after, zero());
    }

    /**
     * Data with a margin.
     *
     * @param data the data
     * @param before how many positions in front of each axis
     * @param after how many behind it
     * @param value what is there
     * @return the view
     */
    public static FloatTensorData pad(FloatTensorData data, long[] before, long[] after, float value) {
        long[] front = Objects.requireNonNull(before, "before").clone();
        long[] back = Objects.requireNonNull(after, "after").clone();
        //~string Objects.requireNonNull(value, "value");
        FloatData part = part("pad", data);
        long[] inner = part.shape();
        long[] shape = inner.clone();
        if (front.length != inner.length || back.length != inner.length) {
            throw new IllegalArgumentException("pad: " + Arrays.toString(front) + " before and " + Arrays.toString(back) + " after for the shape "
                + Arrays.toString(inner) + ": each of its " + inner.length + " axes needs one of both");
        }
        for (int d = 0; d < shape.length; d++) {
            if (front[d] < 0 || back[d] < 0 || front[d] > Long.MAX_VALUE - back[d] || front[d] + back[d] > Long.MAX_VALUE - shape[d]) {
                throw new IllegalArgumentException("pad: " + front[d] + " before and " + back[d] + " after axis " + d + " of the shape "
                    + Arrays.toString(inner) + ": both must be 0 or more, and a long must count them all");
            }
            shape[d] += front[d] + back[d];
        }
        return pieces(Shapes.checkSparse(shape), front, inner, 0, value, part);
    }

    /**
     * Data side by side along an axis.
     *
     * @param axis which one
     * @param parts the data
     * @return the view
     */
    public static FloatTensorData concat(int axis, FloatTensorData... parts) {
        return join("concat", axis, parts("concat", parts));
    }

    private static FloatData[] parts(String call, FloatTensorData... data) {
        FloatTensorData[] given = Objects.requireNonNull(data, "parts").clone();
        if (given.length == 0) {
            throw new IllegalArgumentException(call + " needs at least one part");
        }
        FloatData[] parts = new FloatData[given.length];
        for (int n = 0; n < parts.length; n++) {
            parts[n] = part(call, given[n]);
        }
        return parts;
    }

    private static FloatTensorData join(String call, int axis, FloatData... parts) {
        long[] shape = parts[0].shape();
        int d = Axes.check(call, shape, axis);
        for (int n = 1; n < parts.length; n++) {
            long[] other = parts[n].shape();
            long size = other.length == shape.length ? other[d] : -1;
            if (size >= 0) {
                other[d] = shape[d];
            }
            if (!Arrays.equals(other, shape)) {
                throw new IllegalArgumentException(call + ": the shape " + Arrays.toString(parts[n].shape()) + " of part " + n
                    + " differs from " + Arrays.toString(parts[0].shape()) + " of part 0 on other axes than " + d);
            }
            if (size > Long.MAX_VALUE - shape[d]) {
                throw new IllegalArgumentException(call + ": axis " + d + " has more positions than a long can count");
            }
            shape[d] += size;
        }
        Shapes.checkSparse(shape);
        return pieces(shape, new long[shape.length], shape, d, zero(), parts);
    }

    private static float zero() {
        //#if numeric
        return 0;
        //#end
        //~boolean return false;
        //~string return "";
    }

    /**
     * Data of one shape along a new axis.
     *
     * @param axis its number in the view
     * @param parts the data
     * @return the view
     */
    public static FloatTensorData stack(int axis, FloatTensorData... parts) {
        FloatData[] own = parts("stack", parts);
        long[] shape = own[0].shape();
        int d = Axes.checkNew("stack", shape, axis);
        FloatData[] expanded = new FloatData[own.length];
        for (int n = 0; n < own.length; n++) {
            if (!Arrays.equals(own[n].shape(), shape)) {
                throw new IllegalArgumentException("stack: the shape " + Arrays.toString(own[n].shape()) + " of part " + n + " is not "
                    + Arrays.toString(shape) + ", that of part 0");
            }
            expanded[n] = FloatView.data(own[n].source(), Views.expandDims(own[n].layout(), d));
        }
        return join("stack", d, expanded);
    }

    /**
     * Data several times along each axis.
     *
     * @param data the data
     * @param repeats how often
     * @return the view
     */
    public static FloatTensorData tile(FloatTensorData data, long... repeats) {
        long[] times = Objects.requireNonNull(repeats, "repeats").clone();
        FloatData part = part("tile", data);
        int rank = part.rank();
        if (times.length != rank) {
            throw new IllegalArgumentException("tile: " + times.length + " repeats " + Arrays.toString(times) + " for the shape "
                + Arrays.toString(part.shape()) + " of rank " + rank + ": there must be one for each axis");
        }
        FloatTensorData tiled = rank == 0 ? pieces(new long[0], new long[0], new long[0], 0, zero(), part) : data;
        for (int d = 0; d < rank; d++) {
            if (times[d] != 1 || d == rank - 1) {
                FloatData one = part("tile", tiled);
                long[] shape = one.shape();
                shape[d] = times("tile", shape, d, times[d]);
                tiled = pieces(shape, new long[rank], shape, d, zero(), one);
            }
        }
        return tiled;
    }

    private static long times(String call, long[] shape, int d, long times) {
        if (times < 0 || times > 0 && shape[d] > Long.MAX_VALUE / times) {
            throw new IllegalArgumentException(call + ": axis " + d + " of the shape " + Arrays.toString(shape) + " repeated " + times
                + " times: that must be 0 or more, and a long must count the positions");
        }
        long[] more = shape.clone();
        more[d] *= times;
        return Shapes.checkSparse(more)[d];
    }

    /**
     * Each position of an axis several times.
     *
     * @param data the data
     * @param axis which one
     * @param times how often
     * @return the view
     */
    public static FloatTensorData repeat(FloatTensorData data, int axis, long times) {
        FloatData part = part("repeat", data);
        long[] shape = part.shape();
        int d = Axes.check("repeat", shape, axis);
        shape[d] = times("repeat", shape, d, times);
        Layout inserted = Views.expandDims(part.layout(), d + 1);
        long[] wide = inserted.sizes().clone();
        wide[d + 1] = times;
        FloatData repeated = FloatView.data(part.source(), Views.broadcastTo(inserted, wide));
        FloatMade made = new FloatPieces(new Pieces(wide, new long[wide.length], wide, 0, repeated.layout()), zero(), repeated);
        return FloatView.of(made, shape);
    }

    /**
     * One value at every index.
     *
     * @param value the value
     * @param shape the sizes
     * @return the data
     */
    public static FloatTensorData constant(float value, long... shape) {
        //~string Objects.requireNonNull(value, "value");
        long[] own = Shapes.checkSparse(shape);
        return FloatView.of(new FloatConstant(value, own), own);
    }

    //#if floating
    /**
     * What a function returns for each index.
     *
     * @param f gets the indices in a new array
     * @param shape the sizes
     * @return the data
     */
    public static FloatTensorData generate(ToDoubleFunction<? super long[]> f, long... shape) {
    //#end
    //~int,byte /** What a function returns for each index. */
    //~int,byte public static FloatTensorData generate(ToIntFunction<? super long[]> f, long... shape) {
    //~long /** What a function returns for each index. */
    //~long public static FloatTensorData generate(ToLongFunction<? super long[]> f, long... shape) {
    //~boolean /** What a function returns for each index. */
    //~boolean public static FloatTensorData generate(Predicate<? super long[]> f, long... shape) {
    //~string /** What a function returns for each index. */
    //~string public static FloatTensorData generate(Function<? super long[], String> f, long... shape) {
        Objects.requireNonNull(f, "f");
        long[] own = Shapes.checkSparse(shape);
        return FloatView.of(new FloatGenerated(f, own), own);
    }

    //~byte /** The byte of a number from 0 to 255, which is checked. */
    //~byte public static byte unsigned(int value, String call) {
    //~byte     if ((value & ~0xff) != 0) {
    //~byte         throw new IllegalArgumentException(call + ": " + value + " is no UINT8, which is 0 to 255");
    //~byte     }
    //~byte     return (byte) value;
    //~byte }

    /**
     * Elements of one data where a condition is true, and of another where it is not.
     *
     * @param condition the condition
     * @param x where it is true
     * @param y where it is false
     * @return the data, of the shape to which all three are broadcast
     */
    public static FloatTensorData where(BooleanTensorData condition, FloatTensorData x, FloatTensorData y) {
        Objects.requireNonNull(condition, "condition");
        FloatData first = part("where", x);
        FloatData second = part("where", y);
        BooleanTensorData choice = condition.slice(new TensorIndex[0]);
        if (RaggedShapes.isRagged(choice.shape())) {
            throw RaggedViews.refused("where", choice.shape());
        }
        long[] shape = Views.commonShape(choice.shape(), first.shape(), second.shape());
        return FloatView.of(new FloatChoice((BooleanData) choice.broadcastTo(shape), (FloatData) first.broadcastTo(shape),
            (FloatData) second.broadcastTo(shape), shape), shape);
    }
}
