package io.tensornio.internal.op;

import io.tensornio.AnyTensor;
import java.util.Arrays;

/**
 * The axes of a reduction, of an operand whose loops are {@code i0}, {@code i1} and so on. {@code {all}} are all of
 * them, {@code {kept}} those that are not reduced, {@code {result}} the same with a 0 for each axis of size 1, {@code
 * {count}} is the number of elements reduced to one, and {@code {position}} the linear index of an element among these.
 *
 * <p>Those of a ragged operand {@code x} are counted by a statement {@code n}. What is reduced has the longest of several rows: where it is read
 * beside {@code x}, the rows of {@code x} are the ranges of the loops.
 */
public final class Reduction extends Form {
    private static final int MOST_AXES = 62;

    private final int rank;
    private final boolean keepDims;
    private final long reduced;
    private final long count;
    private final String position;
    private final double divisor;
    /** The ragged axes of the operand. */
    private final long ragged;

    /** {@code sizes} are those on which the position depends. */
    private Reduction(AnyTensor<?> x, boolean keepDims, long reduced, long count, String position, long... sizes) {
        this(x.rank(), ragged(x), keepDims, reduced, count, position, count, sizes);
    }

    private Reduction(int rank, long ragged, boolean keepDims, long reduced, long count, String position, double divisor, long... sizes) {
        super(key(rank, key(ragged, key(keepDims ? 1 : 0, key(reduced, key(count, key(Double.doubleToLongBits(divisor), sizes)))))));
        this.ragged = ragged;
        this.divisor = divisor;
        this.rank = rank;
        this.keepDims = keepDims;
        this.reduced = reduced;
        this.count = count;
        this.position = position;
    }

    private static long ragged(AnyTensor<?> x) {
        long mask = 0;
        for (int d = 0; d < x.rank(); d++) {
            mask |= x.size(d) < 0 ? 1L << d : 0;
        }
        return mask;
    }

    private static long mask(AnyTensor<?> x, int... axes) {
        int rank = x.rank();
        if (rank > MOST_AXES) {
            throw new IllegalArgumentException("the rank is " + rank + ": it can be " + MOST_AXES);
        }
        long mask = 0;
        for (int one : axes) {
            int axis = axis(one, rank);
            if ((mask >> axis & 1) != 0) {
                throw new IllegalArgumentException("axis " + axis + " is there twice: the axes are " + Arrays.toString(axes));
            }
            mask |= 1L << axis;
        }
        return axes.length == 0 ? (1L << rank) - 1 : mask;
    }

    /**
     * Some axes, or all if none are named.
     *
     * @throws IllegalArgumentException if one does not exist, or is named twice
     */
    public static Form of(AnyTensor<?> x, boolean keepDims, int... axes) {
        return new Reduction(x, keepDims, mask(x, axes), 0, null);
    }

    /** The same for an operation that has the word {@code {count}}. */
    public static Form counted(AnyTensor<?> x, boolean keepDims, int... axes) {
        return corrected(x, keepDims, 0, axes);
    }

    /** The same for one that has {@code {divisor}}, too: the count less a correction, 0 at least. */
    public static Form corrected(AnyTensor<?> x, boolean keepDims, double correction, int... axes) {
        if (Double.isNaN(correction)) {
            throw new IllegalArgumentException("correction is NaN");
        }
        long mask = mask(x, axes);
        long[] shape = x.shape();
        long count = 1;
        for (int d = 0; d < shape.length; d++) {
            count *= (mask >> d & 1) != 0 ? shape[d] : 1;
        }
        long ragged = ragged(x);
        return ragged == 0 ? new Reduction(shape.length, 0, keepDims, mask, count, null, Math.max(0, count - correction))
            : new Reduction(shape.length, ragged, keepDims, mask, 0, null, correction);
    }

    /** One axis, which is kept. */
    public static Form along(AnyTensor<?> x, int axis) {
        return new Reduction(x, false, 1L << axis(axis, x.rank()), 0, null);
    }

    /**
     * One axis, or all elements in row-major order if none is named, for an operation that has the word {@code {position}}.
     *
     * @throws IllegalArgumentException if the axis does not exist, several are named, or there are no elements
     */
    public static Form position(AnyTensor<?> x, boolean keepDims, int... axes) {
        if (axes.length > 1) {
            throw new IllegalArgumentException(axes.length + " axes are named, " + Arrays.toString(axes)
                + ": a position is on one axis, or without any in all elements");
        }
        long mask = mask(x, axes);
        if (ragged(x) != 0) {
            if (axes.length == 0) {
                throw new IllegalArgumentException("x is ragged, so that a position in all elements tells no place: name an axis");
            }
            return new Reduction(x, keepDims, mask, 0, "i" + axis(axes[0], x.rank()));
        }
        long[] shape = x.shape();
        long results = 1;
        long count = 1;
        StringBuilder position = new StringBuilder();
        for (int d = shape.length - 1; d >= 0; d--) {
            if ((mask >> d & 1) == 0) {
                results *= shape[d];
            } else {
                position.insert(0, "i" + d + "*" + count + (position.length() == 0 ? "" : " + "));
                count *= shape[d];
            }
        }
        if (count == 0 && results > 0) {
            throw new IllegalArgumentException("the operand of shape " + Arrays.toString(shape) + " has no element to find the position of");
        }
        return axes.length == 0
            ? new Reduction(x, keepDims, mask, 0, position.length() == 0 ? "0" : position.toString(), shape)
            : new Reduction(x, keepDims, mask, 0, "i" + axis(axes[0], shape.length));
    }

    @Override
    String word(String word) {
        switch (word) {
            case "all":
                return loops("i", 0, rank);
            case "kept":
                return kept(null);
            case "result":
                return kept(keepDims ? "0" : null);
            case "count":
                return ragged == 0 ? Long.toString(count) : "n[" + kept(null) + "]";
            case "divisor":
                return ragged == 0 ? text(divisor) : "max(0, n[" + kept(null) + "] - " + text(divisor) + ")";
            default:
                return position;
        }
    }

    @Override
    String template(String template) {
        if (ragged == 0) {
            return template;
        }
        long longest = ragged & ~reduced & -Long.lowestOneBit(reduced);         // axes as long as the longest of the rows that are reduced
        if (template.indexOf('\n') < 0) {
            return template;
        }
        String where = longest == 0 ? "" : ranges();
        StringBuilder text = new StringBuilder(template.contains("{count}")
            ? "k[{kept}] += long(x[{all}] == x[{all}] or x[{all}] != x[{all}])\nn[{kept}] = {T}(k[{kept}])\n" : "");
        for (String line : template.split("\n")) {
            text.append(line).append(line.contains("{all}") && line.lastIndexOf("{kept}") > line.indexOf('=') ? where : "").append('\n');
        }
        return text.toString();
    }

    /** The rows of the operand, for a statement that also reads what was reduced to the longest of several rows. */
    private String ranges() {
        StringBuilder where = new StringBuilder();
        for (int d = 0; d < rank; d++) {
            where.append(d == 0 ? " where i" : ", i").append(d).append(" in 0:")
                .append((ragged >> d & 1) == 0 ? "size(x, " + d + ")" : "len(x, " + loops("i", 0, d) + ")");
        }
        return where.toString();
    }

    private String kept(String other) {
        StringBuilder text = new StringBuilder();
        for (int d = 0; d < rank; d++) {
            String index = (reduced >> d & 1) == 0 ? "i" + d : other;
            if (index != null) {
                text.append(text.length() == 0 ? "" : ", ").append(index);
            }
        }
        return text.toString();
    }
}
