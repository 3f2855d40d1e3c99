package io.tensornio;

import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.PartialLayout;
import io.tensornio.internal.layout.Selection;
import io.tensornio.internal.memory.MemoryIdentity;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The description of a view made from one tensor. */
abstract class DescribedView extends TensorDescription {
    final TensorDescription base;
    /** Whether the caller requested a read-only view. */
    final boolean isLocked;

    DescribedView(TensorDescription base, PartialLayout where, boolean isLocked) {
        super(base.dataType(), where, isLocked || base.isReadOnly());
        this.base = base;
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
        return base.root();
    }

    @Override
    public final TensorDescription withLayout(TensorLayout layout) {
        TensorDescription below = base.withLayout(layout);
        try {
            return on(below, isLocked);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("withLayout: with the " + layout + " the step to " + this + " is no view: " + e.getMessage(), e);
        }
    }

    @Override
    final TensorDescription locked() {
        return on(base, true);
    }

    @Override
    final void addMemories(Set<MemoryIdentity> memories) {
        base.addMemories(memories);
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
            return Arrays.asList(base, asked(), Selection.of(base.partial().shape(), translation));
        }
    }
}
