package io.tensornio.internal.op;

import io.tensornio.Tensor;

/**
 * A look-up on one axis of {@code table} by {@code indices}: {@code {source}} are the indices of an element in the
 * table, {@code {result}} those in the result.
 */
public final class Gathering extends Form {
    private final int rank;
    private final int axis;
    private final int looked;

    private Gathering(int rank, int axis, int looked) {
        super(rank, axis, looked);
        this.rank = rank;
        this.axis = axis;
        this.looked = looked;
    }

    /**
     * Makes the form.
     *
     * @param axis -1 for the last of the table
     * @throws IllegalArgumentException if there is no such axis, or the indices are not integers
     */
    public static Form of(Tensor<?> table, Tensor<?> indices, int axis) {
        Labels.checkIntegers("indices", indices);
        return new Gathering(table.rank(), axis(axis, table.rank()), indices.rank());
    }

    @Override
    String word(String word) {
        String at = loops("j", 0, looked);
        return joined(joined(loops("i", 0, axis), "source".equals(word) ? "indices[" + at + "]" : at), loops("i", axis + 1, rank));
    }

    private static String joined(String first, String second) {
        return first + (first.isEmpty() || second.isEmpty() ? "" : ", ") + second;
    }
}
