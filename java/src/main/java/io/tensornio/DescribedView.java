package io.tensornio;

import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.PartialLayout;
import io.tensornio.internal.layout.Selection;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The description of a view made from one tensor. */
abstract class DescribedView extends TensorDescription {
    final TensorDescription base;
    private final TensorDescription root;
    /** Whether the caller requested a read-only view. */
    final boolean isLocked;

    DescribedView(TensorDescription base, PartialLayout where, boolean isLocked) {
        super(base.dataType(), where, isLocked || base.isReadOnly(), base);
        this.base = base;
        root = base.root();
        this.isLocked = isLocked;
    }

    /** The same view of another tensor. */
    abstract TensorDescription on(TensorDescription other, boolean asLocked);

    @Override
    public final Optional<TensorDescription> baseTensor() {
        return Optional.of(base);
    }

    @Override
    public final TensorDescription root() {
        return root;
    }

    @Override
    public final TensorDescription withLayout(TensorLayout layout) {
        Deque<DescribedView> steps = new ArrayDeque<>();
        TensorDescription below = this;
        while (below instanceof DescribedView) {
            steps.push((DescribedView) below);
            below = ((DescribedView) below).base;
        }
        TensorDescription made = below.withLayout(layout);
        for (DescribedView step : steps) {
            try {
                made = step.on(made, step.isLocked);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("withLayout: with the " + layout + " the step to " + step + " is no view: " + e.getMessage(), e);
            }
        }
        return made;
    }

    @Override
    final TensorDescription locked() {
        return on(base, true);
    }

    /** A simple view: elements of one tensor, in some order. */
    abstract static class Simple extends DescribedView {
        final UnaryOperator<Layout> translation;

        Simple(TensorDescription base, UnaryOperator<Layout> translation, boolean isLocked) {
            super(base, base.partial().view(translation), isLocked);
            this.translation = translation;
        }

        /** The arguments of the view, if the selection alone does not identify it. */
        abstract Object asked();

        @Override
        final List<Object> step() {
            return Arrays.asList(asked(), Selection.of(base.partial().shape(), translation));
        }
    }
}
