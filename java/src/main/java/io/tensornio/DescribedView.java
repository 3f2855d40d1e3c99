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

/** The description of what one step makes of one tensor. */
abstract class DescribedView extends TensorDescription {
    final TensorDescription base;
    /** The caller said that this view is read-only. */
    final boolean isLocked;

    DescribedView(TensorDescription base, PartialLayout where, boolean isLocked) {
        super(base.dataType(), where, isLocked || base.isReadOnly());
        this.base = base;
        this.isLocked = isLocked;
    }

    /** The same step of another tensor. */
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

    /** A step of one tensor whose elements it has, in some order. */
    abstract static class Simple extends DescribedView {
        final UnaryOperator<Layout> translation;

        Simple(TensorDescription base, UnaryOperator<Layout> translation, boolean isLocked) {
            super(base, base.partial().view(translation), isLocked);
            this.translation = translation;
        }

        /** The step as it was asked for, where what it selects is not all. */
        abstract Object asked();

        @Override
        final List<Object> step() {
            return Arrays.asList(base, asked(), Selection.of(base.partial().shape(), translation));
        }
    }
}
