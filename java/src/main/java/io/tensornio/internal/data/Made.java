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
 * each read, and read-only. An {@link Assembly} finds the part that has an element; what each type adds is the read.
 */
abstract class Made implements Source {
    /** How many parts of parts are put side by side. */
    private static final int MOST_JOINED = 64;

    final long[] shape;
    /** What it reads: data of its own type. */
    final TensorData<?>[] parts;
    final Assembly assembly;
    /** Those of the parts. */
    final Source[] sources;
    private final Layout[] layouts;
    private final Conditions conditions;
    private final OpenCheck[] checks;
    /** What the caller asked for; null inside of another complex view. */
    private Composition composition;

    /**
     * Makes a view.
     *
     * @param sources those of the parts
     */
    Made(Assembly assembly, long[] shape, Source[] sources, TensorData<?>... parts) {
        this.assembly = assembly;
        this.shape = shape;
        this.parts = parts;
        this.sources = sources;
        checks = OpenCheck.checks((Object[]) assembly.read(parts));
        layouts = new Layout[parts.length];
        Conditions most = Conditions.NONE;
        for (int n = 0; n < parts.length; n++) {
            layouts[n] = ((SharedMemory) parts[n]).layout();
            most = most.or(conditions(sources[n]));
        }
        conditions = assembly.conditions().then(most);
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
            Made joined = sources[n] instanceof Made && ((Made) sources[n]).assembly.isJoined(axis) ? (Made) sources[n] : null;
            boolean isWhole = joined != null && ((SharedMemory) parts[n]).layout().isWhole(joined.shape);
            flat.addAll(isWhole ? Arrays.asList(joined.parts) : Collections.singletonList(parts[n]));
        }
        return flat.size() > MOST_JOINED ? parts : flat.toArray(new TensorData<?>[0]);
    }

    /** Sets the call that made the view, before this is published. */
    final void as(Composition asked) {
        composition = asked;
    }

    final Composition composition() {
        return composition;
    }

    /** Which part has the element at a place; -1 if none does, and it is the view's own value. */
    final int part(long place) {
        return assembly.part(place);
    }

    /** Where an element is in the source of its part. */
    final long position(int part, long place) {
        return assembly.position(layouts[part], part, place);
    }

    /** The value of an element that no part has, as an object of the carrier; the same for all, unless it is computed. */
    abstract Object fill();

    /** Whether all elements are the same value. */
    final boolean isConstant() {
        return assembly == Assembly.NONE && isKnown();
    }

    /** Whether {@link #parts} and what else it reads is all that the elements depend on. */
    boolean isKnown() {
        return true;
    }

    /** All data that it reads, of any type: the same array at each call. */
    final TensorData<?>[] read() {
        return assembly.read(parts);
    }

    @Override
    public final boolean isReadOnly() {
        return true;
    }

    @Override
    public final OpenCheck[] checks() {
        return checks;
    }

    @Override
    public final void checkOpen() {
        OpenCheck[] all = checks;
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
    public abstract DataType type();

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
