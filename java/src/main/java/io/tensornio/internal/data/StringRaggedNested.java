package io.tensornio.internal.data;

import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.ragged.RaggedParts;
import io.tensornio.internal.string.StagedStrings;
import io.tensornio.internal.string.StringHeap;
import io.tensornio.internal.string.StringPacked;
import java.util.Objects;

/** Makes ragged {@code String} tensors from nested arrays. */
public final class StringRaggedNested extends NestedRows {
    private StringHeap values;

    private StringRaggedNested(int rank) {
        super(rank, StringElement.TYPE, StringElement.BYTES);
    }

    /**
     * A ragged tensor from nested arrays.
     *
     * @param nested arrays at least two deep
     * @return the parts, published
     * @throws NullPointerException if a row or an element is null
     * @throws IllegalArgumentException if the length of a row changed meanwhile, or an element has an unpaired surrogate
     */
    public static RaggedParts of(Object nested) {
        Objects.requireNonNull(nested, "nested");
        StringRaggedNested walk = new StringRaggedNested(StringCarrier.STRING.rank(nested));
        long[] total = {walk.count(nested)};
        long[] shape = walk.shape(nested);
        walk.values = new StringHeap(StringPacked.checkCount(total)).named(shape);
        walk.copy(nested);
        return RaggedTensors.parts(StringCarrier.STRING, shape, StringPacked.of(total, walk.values), walk.splits);
    }

    @Override
    void copy(Object nested, int at) {
        String[] row = (String[]) nested;
        for (int i = 0; i < row.length; i++) {
            if (row[i] == null) {
                indices[indices.length - 1] = i;
                throw Nested.isNull(indices.length, indices);
            }
        }
        StagedStrings all = StagedStrings.of(values, row.length, row, 0, i -> Nested.where(i, indices));
        for (int i = 0; i < row.length; i++) {
            all.set(at + i, i);
        }
    }
}
