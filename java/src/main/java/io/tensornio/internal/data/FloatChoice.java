package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.element.BooleanSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;

/** Elements chosen from two data by a condition; all three have the same shape. */
final class FloatChoice extends FloatMade {
    private final BooleanSource chooser;
    private final Layout choice;
    private final TensorData<?>[] read;
    private final OpenCheck[] checks;

    FloatChoice(BooleanData condition, FloatData x, FloatData y, long... shape) {
        super(BooleanMade.conditions(condition.source()).andItself(), shape, x, y);
        chooser = condition.source();
        choice = condition.layout();
        read = new TensorData<?>[] {condition, x, y};
        checks = OpenCheck.checks((Object[]) read);
    }

    @Override
    public OpenCheck[] checks() {
        return checks;
    }

    @Override
    TensorData<?>[] read() {
        return read;
    }

    @Override
    int part(long place) {
        return chooser.read(position(choice, place)) ? 0 : 1;
    }
}
