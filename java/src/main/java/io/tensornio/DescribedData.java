package io.tensornio;

import io.tensornio.internal.data.Composition;
import io.tensornio.internal.data.Described;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.PartialLayout;
import io.tensornio.internal.memory.MemoryIdentity;
import io.tensornio.internal.ragged.RaggedShapes;
import io.tensornio.internal.ragged.RaggedViews;
import java.util.Arrays;

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
        Composition made = own.composition();
        if (made != null) {
            return describe(data, made, shape);
        }
        Layout layout = own.layout();
        MemoryIdentity memory = MemoryIdentity.of(own.identity());
        boolean isStrided = layout.isStrided() && Arrays.equals(layout.sizes(), shape);     // a selection from ragged rows counts as a list, too
        if (own.origin() < 0 || !isStrided) {
            return new TensorDescription.Basic(data.dataType(), PartialLayout.of(shape), null, data.isReadOnly(), memory);
        }
        // An empty view has no first element: its offset is arbitrary.
        long offset = layout.totalSize() == 0 ? 0 : layout.offset() - own.origin();
        Layout counted = new Layout(offset, layout.sizes(), layout.strides());
        return new TensorDescription.Basic(data.dataType(), PartialLayout.of(counted), TensorLayout.of(counted), data.isReadOnly(), memory);
    }

    private static TensorDescription describe(TensorData<?> data, Composition made, long... shape) {
        TensorData<?>[] read = made.parts();
        TensorDescription[] parts = new TensorDescription[read.length];
        for (int n = 0; n < parts.length; n++) {
            parts[n] = describe(read[n]);
        }
        long[] numbers = made.numbers();
        if (made.call().equals("pad")) {
            int rank = shape.length;
            return new TensorDescription.Pad(parts[0], Arrays.copyOf(numbers, rank), Arrays.copyOfRange(numbers, rank, 2 * rank), false);
        }
        return new TensorDescription.Complex(data.dataType(), made.call(), numbers, shape, parts);
    }
}
