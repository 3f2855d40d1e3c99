package io.tensornio.internal.data;

import io.tensornio.internal.memory.Block;
import io.tensornio.internal.ragged.RaggedParts;
import java.util.Objects;

/** Makes ragged tensors from nested arrays. */
final class RaggedNested<A> extends NestedRows {
    private final PrimitiveCarrier<?, A> carrier;
    private Block values;

    private RaggedNested(PrimitiveCarrier<?, A> carrier, int rank) {
        super(rank, carrier.type, carrier.bytes);
        this.carrier = carrier;
    }

    /**
     * The parts, published, of a ragged tensor of arrays that are nested at least two deep.
     *
     * @throws NullPointerException if a row is null
     * @throws IllegalArgumentException if the length of a row changed meanwhile
     */
    static <A> RaggedParts of(PrimitiveCarrier<?, A> carrier, Object nested) {
        Objects.requireNonNull(nested, "nested");
        RaggedNested<A> walk = new RaggedNested<>(carrier, carrier.rank(nested));
        walk.values = carrier.uncleared(walk.count(nested));
        try {
            walk.copy(nested);
            return RaggedTensors.parts(carrier, walk.shape(nested), walk.values, walk.splits);
        } catch (Throwable e) {
            walk.values.close();
            throw e;
        }
    }

    @Override
    void copy(Object nested, int at) {
        carrier.put(values, at, carrier.asArray(nested));
    }
}
