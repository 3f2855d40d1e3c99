package io.tensornio;

import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.layout.Axes;
import io.tensornio.internal.layout.ComplexViews;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.PartialLayout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.Slicer;
import io.tensornio.internal.layout.Views;
import io.tensornio.internal.memory.MemoryIdentity;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The description of a tensor before it is allocated: its type and shape, its layout if that is known, and the tensor
 * of which it is a view. Immutable.
 *
 * <pre>{@code
 * TensorDescription image = TensorDescription.of(DataType.UINT8, 224, 224, 3);
 * TensorDescription channels = image.permute(2, 0, 1);
 * channels.shape();                                            // (3, 224, 224)
 * channels.root();                                             // the image, which has to be allocated
 * channels.withLayout(TensorLayout.rowMajor(224, 224, 3))      // ... once its layout is known,
 *     .layout().strides();                                     // (1, 672, 3): so is that of each view
 * }</pre>
 *
 * <p>Views are the same as those of data: the same names, parameters, shapes and errors, see {@link TensorData}. Without a layout a reshape checks
 * the number of elements only, and {@link #withLayout} checks whether it is a view. Padded, composed and index-list views have no layout.
 *
 * <p>{@link TensorData#description()} describes data, and {@link Tensors#denseFloat(TensorDescription, java.util.function.Consumer)} and its siblings
 * allocate.
 */
public abstract class TensorDescription extends DescriptionSteps {
    /** The kind of a description. */
    public enum Kind {
        /** A basic tensor, which is not a view. */
        BASIC,
        /** {@link Broadcast}. */
        BROADCAST,
        /** {@link Flatten}. */
        FLATTEN,
        /** {@link Permute}: also a transpose. */
        PERMUTE,
        /** {@link Slice}: also a flip. */
        SLICE,
        /** {@link Pad}. */
        PAD,
        /** {@link Reshape}: also diagonals, windows, and added or dropped axes of size 1. */
        RESHAPE,
        /** {@link Complex}: composed of several tensors, of none, or of repetitions of one. */
        COMPLEX
    }

    private final List<TensorDescription> inputs;
    private final int hash;

    TensorDescription(DataType type, PartialLayout where, boolean readOnly, TensorDescription... inputs) {
        super(type, where, readOnly);
        this.inputs = Collections.unmodifiableList(Arrays.asList(inputs));
        int all = 31 * (31 * type.hashCode() + Boolean.hashCode(isReadOnly())) + Arrays.hashCode(sizes());
        for (TensorDescription input : inputs) {
            all = 31 * all + input.hash;
        }
        hash = all;
    }

    @Override
    final List<TensorDescription> inputs() {
        return inputs;
    }

    /**
     * A tensor of rank 0, which has one element.
     *
     * @param type the type of the element
     * @return the description
     */
    public static TensorDescription of(DataType type) {
        return of(type, new long[0]);
    }

    /**
     * A tensor of a shape, whose layout is not known yet.
     *
     * @param type the type of the elements
     * @param shape the size of each axis; none for a scalar
     * @return the description
     * @throws IllegalArgumentException if a size is negative, or there are more elements than a {@code long} can count
     */
    public static TensorDescription of(DataType type, long... shape) {
        Objects.requireNonNull(type, "type");
        return new Basic(type, PartialLayout.of(Shapes.checkSparse(shape)), null, false, new MemoryIdentity());
    }

    /**
     * A tensor with named axes, whose layout is not known yet.
     *
     * @param type the type of the elements
     * @param axes the axes, whose lengths are the shape
     * @return the description
     * @throws IllegalArgumentException if an axis occurs twice, or there are more elements than a {@code long} can count
     */
    public static TensorDescription of(DataType type, Axis... axes) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(axes, "axes");
        long[] shape = new long[axes.length];
        List<Axis> own = new ArrayList<>();
        for (Axis axis : axes) {
            Objects.requireNonNull(axis, "axis");
            if (own.contains(axis)) {
                throw new IllegalArgumentException("axis " + axis + " is there twice: " + Arrays.toString(axes));
            }
            shape[own.size()] = axis.length();
            own.add(axis);
        }
        return new Basic(type, PartialLayout.of(Shapes.checkSparse(shape)), null, false, new MemoryIdentity(), Collections.unmodifiableList(own));
    }

    /**
     * A tensor with a layout.
     *
     * @param type the type of the elements
     * @param layout the shape and the position of each element
     * @return the description
     */
    public static TensorDescription of(DataType type, TensorLayout layout) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(layout, "layout");
        return new Basic(type, PartialLayout.of(layout.steps()), layout, false, new MemoryIdentity());
    }

    @Override
    final TensorDescription self() {
        return this;
    }

    /**
     * Returns this if a tensor of a type can be allocated by it.
     *
     * @throws IllegalArgumentException if it cannot; the message says why
     */
    final TensorDescription toAllocate(DataType wanted) {
        String why = AnyData.carrierType(dataType()) != wanted ? "this makes " + wanted
            : kind() != Kind.BASIC ? "it is a view; allocate its root, or its shape by of(type, shape)"
            : isReadOnly() ? "it is read-only; of(type, layout) describes one like it that is not" : null;
        if (why != null) {
            throw new IllegalArgumentException(this + " cannot be allocated: " + why);
        }
        return this;
    }

    // ---- Several tensors -----------------------------------------------------------------------------------------------

    /**
     * Tensors concatenated along an axis, see {@link FloatTensorData#concat} and its siblings.
     *
     * @param axis which one; -1 is the last
     * @param parts the tensors, of one type, one rank and equal sizes of the other axes; at least one
     * @return a view of kind COMPLEX
     * @throws IllegalArgumentException if there is no such axis or no part, or types or shapes differ
     */
    public static TensorDescription concat(int axis, TensorDescription... parts) {
        TensorDescription[] own = sameType("concat", parts);
        long[] shape = ComplexViews.concatenated("concat", axis, shapes(own));
        return new Complex(own[0].dataType(), "concat", new long[] {Axes.check("concat", shape, axis)}, shape, own);
    }

    /**
     * Tensors of one shape, stacked along a new axis, see {@link FloatTensorData#stack} and its siblings.
     *
     * @param axis its number in the view; -1 appends it
     * @param parts the tensors, of one type; at least one
     * @return a view of kind COMPLEX
     * @throws IllegalArgumentException if the axis is out of range, there is no part, or types or shapes differ
     */
    public static TensorDescription stack(int axis, TensorDescription... parts) {
        TensorDescription[] own = sameType("stack", parts);
        long[] shape = ComplexViews.stacked(axis, shapes(own));
        return new Complex(own[0].dataType(), "stack", new long[] {Axes.check("stack", shape, axis)}, shape, own);
    }

    /**
     * Elements of one tensor where a condition is true, else of another, see {@link FloatTensorData#where} and its siblings.
     *
     * @param condition the condition, of type BOOL
     * @param x the elements where it is true
     * @param y the elements where it is false, of the type of {@code x}
     * @return a view of kind COMPLEX, of the shape to which all three are broadcast
     * @throws IllegalArgumentException if the types are wrong, or the shapes cannot be broadcast
     */
    public static TensorDescription where(TensorDescription condition, TensorDescription x, TensorDescription y) {
        Objects.requireNonNull(condition, "condition");
        Objects.requireNonNull(x, "x");
        Objects.requireNonNull(y, "y");
        if (condition.dataType() != DataType.BOOL) {
            throw new IllegalArgumentException("where: the condition is " + condition + "; it must be BOOL");
        }
        sameType("where", x, y);
        long[] shape = Views.commonShape(condition.sizes(), x.sizes(), y.sizes());
        return new Complex(x.dataType(), "where", new long[0], shape, condition, x, y);
    }

    private static TensorDescription[] sameType(String call, TensorDescription... parts) {
        TensorDescription[] own = ComplexViews.parts(call, parts);
        for (int n = 1; n < own.length; n++) {
            if (own[n].dataType() != own[0].dataType()) {
                throw new IllegalArgumentException(call + ": part " + n + " is " + own[n].dataType() + ", part 0 is " + own[0].dataType()
                    + "; all must be of one type");
            }
        }
        return own;
    }

    private static long[][] shapes(TensorDescription... parts) {
        return Arrays.stream(parts).map(TensorDescription::sizes).toArray(long[][]::new);
    }

    // ---- Equality and text ---------------------------------------------------------------------------------------------

    /** What makes two descriptions of one kind, type, shape, layout and inputs different. */
    abstract List<Object> step();

    /**
     * Whether another description has the same kind, type, shape and layout, the same read-only flag, and an equal
     * base. The memory that it describes does not matter.
     *
     * @param other any object, or null
     * @return true if it is equal
     */
    @Override
    public final boolean equals(Object other) {
        if (!(other instanceof TensorDescription)) {
            return false;
        }
        Map<TensorDescription, Set<TensorDescription>> seen = new IdentityHashMap<>();
        Deque<TensorDescription> rest = new ArrayDeque<>();         // pairs
        rest.push(this);
        rest.push((TensorDescription) other);
        while (!rest.isEmpty()) {
            TensorDescription one = rest.pop();
            TensorDescription another = rest.pop();
            if (one == another || !seen.computeIfAbsent(one, key -> Collections.newSetFromMap(new IdentityHashMap<>())).add(another)) {
                continue;
            }
            if (!one.isStepLike(another)) {
                return false;
            }
            for (int n = 0; n < one.inputs.size(); n++) {
                rest.push(one.inputs.get(n));
                rest.push(another.inputs.get(n));
            }
        }
        return true;
    }

    /** Whether another one is equal if its inputs, of which it has as many, are. */
    private boolean isStepLike(TensorDescription that) {
        return hash == that.hash && inputs.size() == that.inputs.size() && kind() == that.kind() && dataType() == that.dataType()
            && isReadOnly() == that.isReadOnly() && Arrays.equals(sizes(), that.sizes())
            && hasLayout() == that.hasLayout() && (!hasLayout() || layout().equals(that.layout())) && step().equals(that.step())
            && axes().equals(that.axes());
    }

    @Override
    public final int hashCode() {
        return hash;
    }

    /**
     * The type, the shape and the kind of each step, from the last to the root; of what is made of parts, those of the parts, and how many parts
     * these have.
     *
     * @return the string
     */
    @Override
    public final String toString() {
        return appendSteps(new StringBuilder(), true).toString();
    }

    final StringBuilder appendSteps(StringBuilder text, boolean withParts) {
        for (TensorDescription step = this; step != null; step = step.baseTensor().orElse(null)) {
            text.append(step == this ? "" : " of ").append(step.dataType()).append(' ').append(step.partial())
                .append(step.isReadOnly() ? " read-only " : " ").append(step.kind());
        }
        root().appendParts(text, withParts);
        return text;
    }

    /** Appends what a tensor is made of that is no view. */
    void appendParts(StringBuilder text, boolean withParts) {
        // One of its own is made of nothing else.
    }

    private static List<Long> list(long... numbers) {
        List<Long> list = new ArrayList<>();
        for (long number : numbers) {
            list.add(number);
        }
        return list;
    }

    // ---- The kinds -----------------------------------------------------------------------------------------------------

    /** A basic tensor, which is not a view. */
    public static final class Basic extends TensorDescription {
        private final TensorLayout layout;
        private final MemoryIdentity memory;
        private final List<Axis> axes;

        Basic(DataType type, PartialLayout where, TensorLayout layout, boolean readOnly, MemoryIdentity memory) {
            this(type, where, layout, readOnly, memory, Collections.emptyList());
        }

        Basic(DataType type, PartialLayout where, TensorLayout layout, boolean readOnly, MemoryIdentity memory, List<Axis> axes) {
            super(type, where, readOnly);
            this.layout = layout;
            this.memory = memory;
            this.axes = axes;
        }

        @Override
        public List<Axis> axes() {
            return axes;
        }

        @Override
        public Kind kind() {
            return Kind.BASIC;
        }

        @Override
        public TensorLayout layout() {
            return layout == null ? super.layout() : layout;
        }

        @Override
        public TensorDescription withLayout(TensorLayout asked) {
            if (!Arrays.equals(Objects.requireNonNull(asked, "layout").steps().sizes(), partial().shape())) {
                throw new IllegalArgumentException("withLayout: the " + asked + " for " + this + ", which has another shape");
            }
            return new Basic(dataType(), PartialLayout.of(asked.steps()), asked, isReadOnly(), memory, axes);
        }

        @Override
        TensorDescription locked() {
            return new Basic(dataType(), partial(), layout, true, memory, axes);
        }

        @Override
        MemoryIdentity memory() {
            return memory;
        }

        @Override
        List<Object> step() {
            return Collections.emptyList();
        }
    }

    /** A tensor broadcast to a shape, so that several indices share an element. */
    public static final class Broadcast extends DescribedView.Simple {
        Broadcast(TensorDescription base, UnaryOperator<Layout> translation, boolean isLocked) {
            super(base, translation, isLocked);
        }

        @Override
        public Kind kind() {
            return Kind.BROADCAST;
        }

        /**
         * The shape of this view, with 1 for each axis that was expanded or added.
         *
         * @return a new array
         */
        public long[] broadcastShape() {
            long[] from = base.sizes();
            long[] to = shape();
            int added = to.length - from.length;
            for (int d = 0; d < to.length; d++) {
                to[d] = d < added || from[d - added] != to[d] ? 1 : to[d];
            }
            return to;
        }

        @Override
        TensorDescription on(TensorDescription other, boolean asLocked) {
            return new Broadcast(other, translation, asLocked);
        }

        @Override
        Object asked() {
            return list(broadcastShape());
        }
    }

    /** Adjacent axes merged into one. */
    public static final class Flatten extends DescribedView.Simple {
        private final int first;
        private final int last;

        Flatten(TensorDescription base, int first, int last, UnaryOperator<Layout> translation, boolean isLocked) {
            super(base, translation, isLocked);
            this.first = first;
            this.last = last;
        }

        @Override
        public Kind kind() {
            return Kind.FLATTEN;
        }

        /**
         * For each axis of this view the sizes of the merged axes: ((32, 32), (128)) if the first two of (32, 32, 128) are merged.
         *
         * @return new arrays
         */
        public long[][] groups() {
            long[] from = base.sizes();
            long[][] groups = new long[rank()][];
            for (int k = 0; k < groups.length; k++) {
                int begin = k <= first ? k : k + last - first;
                groups[k] = Arrays.copyOfRange(from, begin, k == first ? last + 1 : begin + 1);
            }
            return groups;
        }

        @Override
        TensorDescription on(TensorDescription other, boolean asLocked) {
            return new Flatten(other, first, last, translation, asLocked);
        }

        @Override
        Object asked() {
            return list(first, last);
        }
    }

    /** The axes permuted. */
    public static final class Permute extends DescribedView.Simple {
        private final int[] order;
        private final List<Axis> axes;

        Permute(TensorDescription base, int[] order, UnaryOperator<Layout> translation, boolean isLocked) {
            super(base, translation, isLocked);
            this.order = order;
            List<Axis> from = base.axes();
            List<Axis> permuted = new ArrayList<>();
            for (int axis : from.isEmpty() ? new int[0] : order) {
                permuted.add(from.get(axis));
            }
            axes = Collections.unmodifiableList(permuted);
        }

        @Override
        public Kind kind() {
            return Kind.PERMUTE;
        }

        /**
         * For each axis of this view the axis of the base tensor.
         *
         * @return a new array
         */
        public int[] permutation() {
            return order.clone();
        }

        @Override
        public List<Axis> axes() {
            return axes;
        }

        @Override
        TensorDescription on(TensorDescription other, boolean asLocked) {
            return new Permute(other, order, translation, asLocked);
        }

        @Override
        Object asked() {
            return list(Arrays.stream(order).asLongStream().toArray());
        }
    }

    /** Selected positions on each axis. Slices are equal if they select the same ones. */
    public static final class Slice extends DescribedView.Simple {
        private final List<TensorIndex> indices;

        /** Keeps indices that no longer depend on data: one for each axis, and new axes. */
        Slice(TensorDescription base, TensorIndex[] indices, boolean isLocked) {
            super(base, layout -> Slicer.slice(layout, indices), isLocked);
            this.indices = Collections.unmodifiableList(Arrays.asList(indices));
        }

        @Override
        public Kind kind() {
            return Kind.SLICE;
        }

        /**
         * One index for each axis of the base tensor, and for each new one; also for a flip.
         *
         * @return an unmodifiable list
         */
        public List<TensorIndex> indices() {
            return indices;
        }

        @Override
        TensorDescription on(TensorDescription other, boolean asLocked) {
            return new Slice(other, indices.toArray(new TensorIndex[0]), asLocked);
        }

        @Override
        Object asked() {
            return Collections.emptyList();
        }
    }

    /** A padded tensor. */
    public static final class Pad extends DescribedView {
        private final long[] before;
        private final long[] after;

        Pad(TensorDescription base, long[] before, long[] after, boolean isLocked) {
            super(base, PartialLayout.of(ComplexViews.padded(base.sizes(), before, after)), true);
            this.before = before;
            this.after = after;
        }

        @Override
        public Kind kind() {
            return Kind.PAD;
        }

        /**
         * The width of the padding before each axis.
         *
         * @return a new array
         */
        public long[] prePadding() {
            return before.clone();
        }

        /**
         * The width of the padding after each axis.
         *
         * @return a new array
         */
        public long[] postPadding() {
            return after.clone();
        }

        @Override
        TensorDescription on(TensorDescription other, boolean asLocked) {
            return new Pad(other, before, after, asLocked);
        }

        @Override
        List<Object> step() {
            return Arrays.asList(list(before), list(after));
        }
    }

    /** The elements of a tensor in another shape. */
    public static final class Reshape extends DescribedView.Simple {
        Reshape(TensorDescription base, UnaryOperator<Layout> translation, boolean isLocked) {
            super(base, translation, isLocked);
        }

        @Override
        public Kind kind() {
            return Kind.RESHAPE;
        }

        @Override
        TensorDescription on(TensorDescription other, boolean asLocked) {
            return new Reshape(other, translation, asLocked);
        }

        @Override
        Object asked() {
            return Collections.emptyList();
        }
    }

    /** A composition of several tensors, of repetitions of one, or of none. */
    public static final class Complex extends TensorDescription {
        private final String call;
        private final long[] numbers;

        Complex(DataType type, String call, long[] numbers, long[] shape, TensorDescription... parts) {
            super(type, PartialLayout.of(shape), true, parts);
            this.call = call;
            this.numbers = numbers;
        }

        @Override
        public Kind kind() {
            return Kind.COMPLEX;
        }

        /**
         * The tensors of which this is composed; for a choice the condition, then both alternatives.
         *
         * @return an unmodifiable list
         */
        public List<TensorDescription> parts() {
            return inputs();
        }

        @Override
        public TensorDescription withLayout(TensorLayout layout) {
            Objects.requireNonNull(layout, "layout");
            throw new IllegalArgumentException("withLayout: " + this + " is made of " + inputs().size() + " parts by " + call
                + ", which have the layouts; it has none");
        }

        @Override
        TensorDescription locked() {
            return this;
        }

        @Override
        List<Object> step() {
            return Arrays.asList(call, list(numbers));
        }

        @Override
        void appendParts(StringBuilder text, boolean withParts) {
            text.append(" by ").append(call);
            if (!withParts) {
                text.append(" of ").append(inputs().size()).append(inputs().size() == 1 ? " part" : " parts");
                return;
            }
            String separator = " [";
            for (TensorDescription part : inputs()) {
                part.appendSteps(text.append(separator), false);
                separator = ", ";
            }
            text.append(inputs().isEmpty() ? " []" : "]");
        }
    }
}
