package io.tensornio.internal.graph;

import io.tensornio.AnyTensor;
import io.tensornio.Axis;
import io.tensornio.TensorData;
import io.tensornio.internal.data.AnyData;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The lengths of varying axes in each example: those of one axis are equal in all inputs that have it, and everywhere in each. */
final class Lengths {
    private static final int UNKNOWN = -1;

    /** For each varying axis its length in each example, and the input that gave it. */
    private final Map<Axis, long[]> lengths = new HashMap<>();
    private final Map<Axis, Variable> givers = new HashMap<>();
    private final int count;

    private Lengths(int count) {
        this.count = count;
    }

    /**
     * Checks a batch.
     *
     * @param inputs the inputs
     * @param batches for each input its examples, data or a tensor, or null
     * @throws IllegalArgumentException if an axis has several lengths in an example
     */
    static void check(List<Variable> inputs, Object[] batches, int count) {
        Lengths known = null;               // a step of dense examples makes no object
        for (int n = 0; n < batches.length; n++) {
            Variable input = inputs.get(n);
            if (batches[n] != null && input.isVarying()) {
                known = known == null ? new Lengths(count) : known;
                known.add(input, data(batches[n]));
            }
        }
    }

    /** The lengths of a batch, which was checked. */
    static Lengths of(Variable[] inputs, Object[] batches, int count) {
        Lengths known = new Lengths(count);
        for (int n = 0; n < inputs.length; n++) {
            if (inputs[n].isVarying()) {
                known.add(inputs[n], data(batches[n]));
            }
        }
        return known;
    }

    /** The length of an axis in an example; 0 if no input says it there, since there is nothing along it. */
    long at(Axis axis, int example) {
        long[] own = lengths.get(axis);
        return !axis.isVarying() ? axis.length() : own == null ? 0 : Math.max(own[example], 0);
    }

    /** Checks the inputs of one example, which are dense. */
    static void checkOne(Map<Variable, ?> inputs) {
        Lengths known = new Lengths(1);
        inputs.forEach((input, given) -> {
            if (input.isVarying()) {
                known.one(input, 0, 0, data(given));
            }
        });
    }

    /** Whether a shape is that of ragged data. */
    static boolean isRagged(long... shape) {
        return Arrays.stream(shape).anyMatch(size -> size < 0);
    }

    private static TensorData<?> data(Object of) {
        return of instanceof AnyTensor ? AnyData.of((AnyTensor<?>) of) : (TensorData<?>) of;
    }

    private void add(Variable input, TensorData<?> batch) {
        for (int row = 0; row < count; row++) {
            one(input, 0, row, batch.slice(row));
        }
    }

    /** The lengths of some axes of an example, from one on. */
    private void one(Variable input, int axis, int example, TensorData<?> data) {
        long size = data.size(0);
        Axis of = input.axes[axis];
        if (of.isVarying()) {
            long[] known = lengths.computeIfAbsent(of, made -> {
                long[] none = new long[count];
                Arrays.fill(none, UNKNOWN);
                return none;
            });
            if (known[example] == UNKNOWN) {
                known[example] = size;
                givers.putIfAbsent(of, input);
            } else if (known[example] != size) {
                Variable other = givers.get(of);
                throw new IllegalArgumentException("input " + input + " has length " + size + " along " + of + " in example " + example + ", "
                    + (other == input ? "and also " : "input " + other + " has ") + known[example]
                    + (other == input ? ": an axis has one length in each example" : ": inputs with that axis have equal rows"));
            }
        }
        boolean isMore = false;
        for (int next = axis + 1; next < input.rank(); next++) {
            isMore |= input.axes[next].isVarying();
        }
        if (!isMore) {
            return;
        }
        if (!isRagged(data.shape())) {
            if (size > 0) {
                one(input, axis + 1, example, data.slice(0));
            }
            return;
        }
        for (int row = 0; row < size; row++) {
            one(input, axis + 1, example, data.slice(row));
        }
    }
}
