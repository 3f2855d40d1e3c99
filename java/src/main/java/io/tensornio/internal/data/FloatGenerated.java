package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.Source;
//~byte import io.tensornio.internal.element.UInt8Range;
import io.tensornio.internal.layout.Shapes;
import java.util.Objects;
//~boolean import java.util.function.Predicate;
//#if floating
import java.util.function.ToDoubleFunction;
//#end
//~int,byte import java.util.function.ToIntFunction;
//~long import java.util.function.ToLongFunction;

/** Elements that a caller's function computes from the indices at each read. */
public final class FloatGenerated extends FloatMade {
    //#if floating
    private final ToDoubleFunction<? super long[]> f;

    private FloatGenerated(ToDoubleFunction<? super long[]> f, long... shape) {
    //#end
    //~int,byte private final ToIntFunction<? super long[]> f;

    //~int,byte private FloatGenerated(ToIntFunction<? super long[]> f, long... shape) {
    //~long private final ToLongFunction<? super long[]> f;

    //~long private FloatGenerated(ToLongFunction<? super long[]> f, long... shape) {
    //~boolean private final Predicate<? super long[]> f;

    //~boolean private FloatGenerated(Predicate<? super long[]> f, long... shape) {

        super(FloatElement.TYPE, Assembly.NONE, FloatElement.ZERO, shape, new Source[0]);
        this.f = f;
    }

    //#if floating
    /**
     * The results of a function of the indices.
     *
     * @param f receives the indices in a new array
     * @param shape the sizes
     * @return the data
     */
    public static FloatTensorData of(ToDoubleFunction<? super long[]> f, long... shape) {
    //#end
    //~int,byte /** The results of a function of the indices. */
    //~int,byte public static FloatTensorData of(ToIntFunction<? super long[]> f, long... shape) {
    //~long /** The results of a function of the indices. */
    //~long public static FloatTensorData of(ToLongFunction<? super long[]> f, long... shape) {
    //~boolean /** The results of a function of the indices. */
    //~boolean public static FloatTensorData of(Predicate<? super long[]> f, long... shape) {
        Objects.requireNonNull(f, "f");
        long[] own = Shapes.checkSparse(shape);
        return Complex.view(FloatCarrier.FLOAT, new FloatGenerated(f, own), own, "generate", new long[0]);
    }

    @Override
    float value(long at) {
        //#if float
        return (float) f.applyAsDouble(Shapes.coordinates(shape, at));
        //#end
        //~double return f.applyAsDouble(Shapes.coordinates(shape, at));
        //~int return f.applyAsInt(Shapes.coordinates(shape, at));
        //~long return f.applyAsLong(Shapes.coordinates(shape, at));
        //~boolean return f.test(Shapes.coordinates(shape, at));
        //~byte return UInt8Range.checked(f.applyAsInt(Shapes.coordinates(shape, at)), "generate");
    }

    @Override
    boolean isKnown() {
        return false;
    }

    @Override
    public boolean mayShare(Object memory) {
        return true;
    }
}
