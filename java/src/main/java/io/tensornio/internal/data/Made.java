package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.internal.element.Source;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.memory.Inputs;
import io.tensornio.internal.memory.ReadOnlyTensorException;
import io.tensornio.internal.memory.SharedMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The elements of a complex view of any type, addressed by linear index in its own shape: those of other data, or computed. They are evaluated at
 * each read, and read-only. What each type adds is the read.
 */
abstract class Made implements Source {
    /** How many parts of parts are put side by side. */
    private static final int MOST_JOINED = 64;

    final long[] shape;
    /** What it reads: data of its own type. */
    final TensorData<?>[] parts;
    private final Layout[] layouts;
    private final Conditions conditions;
    private final OpenCheck[] checks;
    /** What the caller asked for; null inside of another complex view. */
    private Composition composition;

    /**
     * Makes a view.
     *
     * @param first conditions that are evaluated before a part is read
     * @param sources those of the parts
     */
    Made(Conditions first, long[] shape, Source[] sources, TensorData<?>... parts) {
        this.shape = shape;
        this.parts = parts;
        checks = OpenCheck.checks((Object[]) parts);
        layouts = new Layout[parts.length];
        Conditions most = Conditions.NONE;
        for (int n = 0; n < parts.length; n++) {
            layouts[n] = ((SharedMemory) parts[n]).layout();
            most = most.or(conditions(sources[n]));
        }
        conditions = first.then(most);
    }

    /** The conditions that reading an element of a source evaluates. */
    static Conditions conditions(Source source) {
        return source instanceof Made ? ((Made) source).conditions : Conditions.NONE;
    }

    /**
     * Parts side by side, with the parts of those that are joined along the same axis themselves: so a view that is made in a loop, part by part,
     * stays flat. If that were too many, the parts are joined as they are.
     */
    static TensorData<?>[] flat(int axis, Source[] sources, TensorData<?>... parts) {
        List<TensorData<?>> flat = new ArrayList<>();
        for (int n = 0; n < parts.length; n++) {
            Made joined = sources[n] instanceof Made && ((Made) sources[n]).isJoined(axis) ? (Made) sources[n] : null;
            boolean isWhole = joined != null && ((SharedMemory) parts[n]).layout().isWhole(joined.shape);
            flat.addAll(isWhole ? Arrays.asList(joined.parts) : Collections.singletonList(parts[n]));
        }
        return flat.size() > MOST_JOINED ? parts : flat.toArray(new TensorData<?>[0]);
    }

    /** Whether this is its parts side by side along an axis. */
    boolean isJoined(int axis) {
        return false;
    }

    /** Sets the call that made the view, before this is published. */
    final void as(Composition asked) {
        composition = asked;
    }

    final Composition composition() {
        return composition;
    }

    /**
     * The position, in a layout of the same shape, of the element with a linear index. Allocates nothing, so that
     * reading an element costs only divisions.
     */
    final long position(Layout layout, long linear) {
        long at = layout.offset();
        long rest = linear;
        for (int d = shape.length - 1; d >= 0; d--) {
            long size = shape[d];
            long left = d == 0 ? 0 : rest / size;
            at += layout.distance(d, rest - left * size);
            rest = left;
        }
        return at;
    }

    /** Which part has the element at a place; -1 if none does, and it is the view's own value. */
    int part(long place) {
        return -1;
    }

    /** Where an element is in the source of its part. */
    long position(int part, long place) {
        return position(layouts[part], place);
    }

    /** Whether {@link #parts} and what else it reads is all that the elements depend on. */
    boolean isKnown() {
        return true;
    }

    /** All data that it reads, of any type: the same array at each call. */
    TensorData<?>[] read() {
        return parts;
    }

    @Override
    public final boolean isReadOnly() {
        return true;
    }

    @Override
    public OpenCheck[] checks() {
        return checks;
    }

    @Override
    public final void checkOpen() {
        OpenCheck[] all = checks();
        if (all != null) {
            for (OpenCheck check : all) {
                check.checkOpen();
            }
            return;
        }
        Inputs.any(read(), part -> true, part -> {
            OpenCheck.check(part);
            return false;
        });
    }

    /** The type of the elements. */
    abstract DataType type();

    @Override
    public final void checkWritable() {
        checkOpen();
        throw new ReadOnlyTensorException(type(), shape, "is a complex view");
    }

    @Override
    public final Object memory() {
        return null;
    }

    @Override
    public boolean mayShare(Object memory) {
        return Inputs.any(read(), part -> true, part -> !(part instanceof SharedMemory) || ((SharedMemory) part).mayShare(memory));
    }
}
