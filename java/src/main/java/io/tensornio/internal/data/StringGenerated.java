package io.tensornio.internal.data;

import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.Shapes;
import java.util.function.Function;

/** What a function of the caller's returns for each index, whenever it is read. */
final class StringGenerated extends StringMade {
    private final Function<? super long[], String> f;

    StringGenerated(Function<? super long[], String> f, long... shape) {
        super(shape);
        this.f = f;
    }

    @Override
    String value(long at) {
        return StringElement.present(f.apply(Shapes.coordinates(shape, at)), "the function gave", this, at);
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
