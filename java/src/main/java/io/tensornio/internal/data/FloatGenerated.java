package io.tensornio.internal.data;

import io.tensornio.internal.layout.Shapes;
//~boolean import java.util.function.Predicate;
//#if floating
import java.util.function.ToDoubleFunction;
//#end
//~int,byte import java.util.function.ToIntFunction;
//~long import java.util.function.ToLongFunction;

/** Elements that a caller's function computes from the indices at each read. */
final class FloatGenerated extends FloatMade {
    //#if floating
    private final ToDoubleFunction<? super long[]> f;

    FloatGenerated(ToDoubleFunction<? super long[]> f, long... shape) {
    //#end
    //~int,byte private final ToIntFunction<? super long[]> f;

    //~int,byte FloatGenerated(ToIntFunction<? super long[]> f, long... shape) {
    //~long private final ToLongFunction<? super long[]> f;

    //~long FloatGenerated(ToLongFunction<? super long[]> f, long... shape) {
    //~boolean private final Predicate<? super long[]> f;

    //~boolean FloatGenerated(Predicate<? super long[]> f, long... shape) {

        super(shape);
        this.f = f;
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
        //~byte return FloatComplex.unsigned(f.applyAsInt(Shapes.coordinates(shape, at)), "generate");
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
