package io.tensornio.internal.data;

import io.tensornio.TensorData;
import io.tensornio.internal.element.BooleanSource;
import io.tensornio.internal.layout.Layout;

/** Elements chosen from two data by a condition; all three have the same shape. */
final class FloatChoice extends FloatMade {
    private final BooleanSource chooser;
    private final Layout choice;
    private final TensorData<?>[] read;

    FloatChoice(BooleanData condition, FloatData x, FloatData y, long... shape) {
        super(depth(condition), shape, x, y);
        chooser = condition.source();
        choice = condition.layout();
        read = new TensorData<?>[] {condition, x, y};
    }

    private static int depth(BooleanData condition) {
        int depth = 1 + BooleanMade.depth(condition.source());
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("where: the condition depends on another one, and so on, more than " + DEEPEST
                + " deep; copy() it, and use the copy");
        }
        return depth;
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
