package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.Shapes;
import java.util.Objects;
import java.util.function.Function;

/** Elements that a caller's function computes from the indices at each read. */
public final class StringGenerated extends StringMade {
    private final Function<? super long[], String> f;

    private StringGenerated(Function<? super long[], String> f, long... shape) {
        super(Assembly.NONE, StringElement.ZERO, shape, new Source[0]);
        this.f = f;
    }

    /**
     * The results of a function of the indices.
     *
     * @param f receives the indices in a new array
     * @param shape the sizes
     * @return the data
     */
    public static StringTensorData of(Function<? super long[], String> f, long... shape) {
        Objects.requireNonNull(f, "f");
        long[] own = Shapes.checkSparse(shape);
        return Complex.view(StringCarrier.STRING, new StringGenerated(f, own), own, "generate", new long[0]);
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
