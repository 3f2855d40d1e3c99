package io.tensornio;

import io.tensornio.internal.data.Composition;
import io.tensornio.internal.data.Described;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.PartialLayout;
import io.tensornio.internal.memory.MemoryIdentity;
import io.tensornio.internal.ragged.RaggedShapes;
import io.tensornio.internal.ragged.RaggedViews;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;

/** Makes the {@link TensorDescription} of data. */
final class DescribedData {
    private DescribedData() {
    }

    static TensorDescription describe(TensorData<?> data) {
        OpenCheck.check(data);
        long[] shape = data.shape();
        if (RaggedShapes.isRagged(shape)) {
            throw RaggedViews.refused("description", shape);
        }
        if (!(data instanceof Described)) {
            return new TensorDescription.Basic(data.dataType(), PartialLayout.of(shape), null, data.isReadOnly(), new MemoryIdentity());
        }
        Described own = (Described) data;
        if (own.composition() != null) {
            return describeComplex(data);
        }
        Layout layout = own.layout();
        MemoryIdentity memory = MemoryIdentity.of(own.identity());
        boolean isStrided = layout.isStrided() && Arrays.equals(layout.sizes(), shape);     // a selection from ragged rows counts as a list, too
        if (own.origin() == Layout.NOWHERE || !isStrided) {
            return new TensorDescription.Basic(data.dataType(), PartialLayout.of(shape), null, data.isReadOnly(), memory);
        }
        // An empty view has no first element: its offset is arbitrary.
        long offset = layout.totalSize() == 0 ? 0 : layout.offset() - own.origin();
        Layout counted = new Layout(offset, layout.sizes(), layout.strides());
        return new TensorDescription.Basic(data.dataType(), PartialLayout.of(counted), TensorLayout.of(counted), data.isReadOnly(), memory);
    }

    /** Parts first, and each once: however deep complex views are, and however often they have the same parts, this takes no more stack. */
    private static TensorDescription describeComplex(TensorData<?> data) {
        Map<Composition, TensorDescription> done = new IdentityHashMap<>();
        Deque<TensorData<?>> open = new ArrayDeque<>();
        open.push(data);
        while (!open.isEmpty()) {
            TensorData<?> next = open.element();
            int before = open.size();
            for (TensorData<?> part : composition(next).parts()) {
                if (composition(part) != null && !done.containsKey(composition(part))) {
                    open.push(part);
                }
            }
            if (open.size() == before) {
                open.pop();
                done.computeIfAbsent(composition(next), made -> describe(next, made, done));
            }
        }
        return done.get(composition(data));
    }

    private static Composition composition(TensorData<?> data) {
        return data instanceof Described ? ((Described) data).composition() : null;
    }

    /** Describes what is made of parts, of which those that are complex views have been described. */
    private static TensorDescription describe(TensorData<?> data, Composition made, Map<Composition, TensorDescription> done) {
        TensorDescription[] parts = new TensorDescription[made.parts().length];
        for (int n = 0; n < parts.length; n++) {
            TensorData<?> part = made.parts()[n];
            parts[n] = composition(part) != null ? done.get(composition(part)) : describe(part);
        }
        long[] shape = data.shape();
        long[] numbers = made.numbers();
        if (made.call().equals("pad")) {
            int rank = shape.length;
            return new TensorDescription.Pad(parts[0], Arrays.copyOf(numbers, rank), Arrays.copyOfRange(numbers, rank, 2 * rank), false);
        }
        return new TensorDescription.Complex(data.dataType(), made.call(), numbers, shape, parts);
    }
}
