package io.tensornio;

import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.PartialLayout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.MemoryIdentity;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The part of {@link TensorDescription} that is common to all kinds: the type, the shape, and the layout. */
abstract class DescriptionFacts {
    private final DataType type;
    private final PartialLayout where;
    private final boolean readOnly;

    /** Only {@link DescriptionSteps} extends this. */
    DescriptionFacts(DataType type, PartialLayout where, boolean readOnly) {
        this.type = type;
        this.where = where;
        this.readOnly = readOnly;
    }

    abstract TensorDescription self();

    /** The shape itself: not to be changed or handed out. */
    final long[] sizes() {
        return where.shape();
    }

    final PartialLayout partial() {
        return where;
    }

    // ---- Properties --------------------------------------------------------------------------------------------------

    /**
     * The type of the elements.
     *
     * @return the element type
     */
    public final DataType dataType() {
        return type;
    }

    /**
     * The number of axes.
     *
     * @return the rank; 0 for a scalar
     */
    public final int rank() {
        return where.shape().length;
    }

    /**
     * The sizes of all axes.
     *
     * @return a new array
     */
    public final long[] shape() {
        return where.shape().clone();
    }

    /**
     * The size of one axis.
     *
     * @param axis which axis, 0 to {@code rank() - 1}
     * @return its size
     * @throws IllegalArgumentException if there is no such axis
     */
    public final long size(int axis) {
        return Shapes.size(where.shape(), axis);
    }

    /**
     * The number of elements.
     *
     * @return the product of the shape
     */
    public final long numElements() {
        return Shapes.product(where.shape());
    }

    /**
     * Whether the elements are read-only: an r-tensor, in the terms of compilers.
     *
     * @return true if it is read-only itself, or a view of something that is
     */
    public final boolean isReadOnly() {
        return readOnly || where.isReadOnly();
    }

    /**
     * The named axes. They follow {@link TensorDescription#permute} and {@link TensorDescription#transpose}; after any other step there are none.
     *
     * @return an unmodifiable list, empty unless this was made with axes
     */
    public List<Axis> axes() {
        return Collections.emptyList();
    }

    /**
     * The same tensor, read-only.
     *
     * @return this, if it is read-only already
     */
    public final TensorDescription asReadOnly() {
        return isReadOnly() ? self() : locked();
    }

    /** The same, read-only. */
    abstract TensorDescription locked();

    /**
     * The kind of this description.
     *
     * @return one constant for each nested class
     */
    public abstract TensorDescription.Kind kind();

    /**
     * The tensor of which this is directly a view.
     *
     * @return empty for a basic tensor, and for one made of several
     */
    public Optional<TensorDescription> baseTensor() {
        return Optional.empty();
    }

    /**
     * The tensor that has to be allocated.
     *
     * @return this, for a basic tensor, and for one made of several; else the root of the base tensor
     */
    public TensorDescription root() {
        return self();
    }

    /** What identifies the memory of a tensor of its own; null of others, whose elements are in the memories of their {@link #inputs}. */
    MemoryIdentity memory() {
        return null;
    }

    /** The tensors that this is made of, one step down. */
    List<TensorDescription> inputs() {
        return Collections.emptyList();
    }

    private Set<MemoryIdentity> memories() {
        Set<MemoryIdentity> memories = new HashSet<>();
        Set<DescriptionFacts> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<DescriptionFacts> rest = new ArrayDeque<>();
        rest.push(this);
        while (!rest.isEmpty()) {
            DescriptionFacts next = rest.pop().root();
            if (seen.add(next)) {
                memories.add(next.memory());
                next.inputs().forEach(rest::push);
            }
        }
        memories.remove(null);
        return memories;
    }

    /**
     * Whether an element of this tensor could be an element of another. The elements that a view selects are not
     * considered: rows 0 and 1 of one matrix share memory.
     *
     * @param other another description, of any type
     * @return true if both have the same root, or parts that do
     */
    public final boolean sharesMemoryWith(TensorDescription other) {
        Objects.requireNonNull(other, "other");
        return !Collections.disjoint(memories(), ((DescriptionFacts) other).memories());
    }

    // ---- Layout ------------------------------------------------------------------------------------------------------

    /**
     * Whether the layout is known.
     *
     * @return true if {@link #layout()} returns it
     */
    public final boolean hasLayout() {
        return where.strided() != null;
    }

    /**
     * The layout of the elements in the memory of the root.
     *
     * @return the layout; that of a view is a strided one
     * @throws IllegalStateException if it is not known; the message says what is missing
     */
    public TensorLayout layout() {
        Layout strided = where.strided();
        if (strided == null) {
            throw new IllegalStateException("no layout of " + this + ": " + missing());
        }
        return TensorLayout.of(strided);
    }

    private String missing() {
        int list = where.list();
        if (list >= 0) {
            return "axis " + list + " is a list of positions, which has no stride";
        }
        TensorDescription root = root();
        return root.kind() == TensorDescription.Kind.COMPLEX || root.hasLayout() ? "its elements do not lie in one tensor with a stride for each axis"
            : "that of " + (root == this ? "a tensor of its own" : root) + " is not known yet: withLayout(...) sets it";
    }

    /**
     * The same description with a layout of the root; views are made again, now with strides.
     *
     * @param layout the layout, of the root's shape
     * @return the description
     * @throws IllegalArgumentException if the shape differs, a view is impossible with this layout, or the root is made of several tensors
     */
    public abstract TensorDescription withLayout(TensorLayout layout);

    /**
     * Whether the elements are contiguous in memory, in row-major order.
     *
     * @return true if they are; false if the layout is not known
     */
    public final boolean isContiguous() {
        return hasLayout() && where.strided().isContiguous();
    }

    /**
     * Whether {@link TensorDescription#reshape} makes a view of a shape; without a layout, whether the number of elements is right.
     *
     * @param shape the shape, of which one size may be -1
     * @return true if it does
     */
    public final boolean canReshapeTo(long... shape) {
        Objects.requireNonNull(shape, "shape");
        try {
            self().reshape(shape);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
