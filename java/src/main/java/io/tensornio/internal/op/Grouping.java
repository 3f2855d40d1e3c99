package io.tensornio.internal.op;

import io.tensornio.Tensor;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Indices that are sums of two loops: of a group and of a channel in it, or of two matrices. The words are texts that the operands' sizes say. */
public final class Grouping extends Form {
    /** Each component is chosen by its number: the operands are read at constants. */
    private static final Operation CROSS = Operation.of("cross", Types.NUMBER, "a, b",
        "u[...] = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]\n"
            + "v[...] = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]\n"
            + "w[...] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]\n"
            + "y[..., k] = select(k == 0, u[...], select(k == 1, v[...], w[...])) where k in 0:3");

    private final Map<String, String> words;

    private Grouping(Map<String, String> words, long... key) {
        super(key);
        this.words = words;
    }

    @Override
    String word(String word) {
        return words.get(word);
    }

    /**
     * Channels in groups.
     *
     * @throws IllegalArgumentException if x has no batch or channels, or the groups do not divide these
     */
    public static Form of(Tensor<?> x, int groups, double epsilon) {
        int rank = x.rank();
        if (rank < 2) {
            throw new IllegalArgumentException("x has rank " + rank + ": its first axis is the batch, and its last the channels");
        }
        long channels = x.size(rank - 1);
        if (groups < 1 || channels % groups != 0) {
            throw new IllegalArgumentException("groups is " + groups + ": it must divide the " + channels + " channels");
        }
        if (!(epsilon >= 0)) {
            throw new IllegalArgumentException("epsilon is " + epsilon + ": it must be 0 or more");
        }
        long size = channels / groups;
        long count = size;
        StringBuilder shape = new StringBuilder().append(x.size(0));
        for (int d = 1; d < rank; d++) {
            count *= d < rank - 1 ? x.size(d) : 1;
            shape.append(", ").append(x.size(d));
        }
        Map<String, String> words = new HashMap<>();
        words.put("spatial", loops("s", 1, rank - 1) + (rank > 2 ? ", " : ""));
        words.put("size", Long.toString(size));
        words.put("count", Long.toString(count));
        words.put("epsilon", text(epsilon));
        words.put("where", "where g in 0:" + groups + ", c in 0:" + size);
        words.put("shape", shape.toString());
        return new Grouping(words, key(groups, key(Double.doubleToLongBits(epsilon), x.shape())));
    }

    /**
     * The Kronecker product of two matrices.
     *
     * @throws IllegalArgumentException if one is none
     */
    public static Form kron(Tensor<?> a, Tensor<?> b) {
        for (Tensor<?> one : new Tensor<?>[] {a, b}) {
            if (one.rank() != 2) {
                throw new IllegalArgumentException((one == a ? "a" : "b") + " has rank " + one.rank() + ": it must be a matrix");
            }
        }
        Map<String, String> words = new HashMap<>();
        words.put("rows", Long.toString(b.size(0)));
        words.put("columns", Long.toString(b.size(1)));
        words.put("shape", a.size(0) * b.size(0) + ", " + a.size(1) * b.size(1));
        return new Grouping(words, a.size(0), a.size(1), b.size(0), b.size(1));
    }

    /**
     * The cross product along the last axis.
     *
     * @throws IllegalArgumentException if that has another size than 3
     */
    public static Tensor<?> cross(Tensor<?> a, Tensor<?> b) {
        for (Tensor<?> one : new Tensor<?>[] {a, b}) {
            if (one.rank() == 0 || one.size(one.rank() - 1) != 3) {
                throw new IllegalArgumentException((one == a ? "a" : "b") + " has shape " + Arrays.toString(one.shape())
                    + ": its last axis must have 3 elements");
            }
        }
        return (Tensor<?>) CROSS.run(NONE, a, b);
    }
}
