package io.tensornio.internal.graph;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Maps a sequence to another: a subgraph that is run for each item. */
final class Mapping implements SequenceStep {
    final Variable sequence;
    /** The item in the body. */
    final Variable item;
    /** The result of the body. */
    final Variable result;

    Mapping(Variable sequence, Variable item, Variable result) {
        this.sequence = sequence;
        this.item = item;
        this.result = result;
    }

    @Override
    public Object of(Values known) {
        Plan body = known.body(this);
        List<Tensor<?>> made = new ArrayList<>();
        DataType type = null;
        for (Tensor<?> tensor : known.items(sequence).tensors) {
            try (Values own = new Values(known)) {
                own.set(item, tensor);
                body.run(own);
                Tensor<?> one = own.tensor(result);
                own.give(one);
                made.add(one);
                type = one.dataType();
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("item " + made.size() + " of " + sequence + ", " + tensor.dataType() + " of shape "
                    + Arrays.toString(tensor.shape()) + ": " + e.getMessage(), e);
            }
        }
        return new Items(type, made);
    }
}
