package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.element.BooleanSource;
import io.tensornio.internal.layout.Layout;

/** Elements chosen from two data by a condition; all three have the same shape. */
final class FloatChoice extends FloatMade {
    private final BooleanData condition;
    private final BooleanSource chooser;
    private final Layout choice;
    private final Layout first;
    private final Layout second;

    FloatChoice(BooleanData condition, FloatData x, FloatData y, long... shape) {
        super(shape, x, y);
        this.condition = condition;
        chooser = condition.source();
        choice = condition.layout();
        first = x.layout();
        second = y.layout();
    }

    @Override
    TensorData<?>[] read() {
        return new TensorData<?>[] {condition, parts[0], parts[1]};
    }

    @Override
    public void checkOpen() {
        condition.checkOpen();
        super.checkOpen();
    }

    @Override
    public boolean mayShare(Object memory) {
        return chooser.mayShare(memory) || super.mayShare(memory);
    }

    @Override
    public float read(long at) {
        return chooser.read(position(choice, at)) ? parts[0].source().read(position(first, at)) : parts[1].source().read(position(second, at));
    }
}
