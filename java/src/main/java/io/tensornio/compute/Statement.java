package io.tensornio.compute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A statement of a comprehension built in Java, which defines one tensor, or a {@link Scan}, which defines several. Immutable; made by
 * {@link Access#assign} and its siblings, and {@link #scan}.
 */
public class Statement extends Term {
    private final Access left;
    private final String operator;
    private final Expr right;
    private final List<Term> items;
    private final boolean sparse;

    Statement(Access left, String operator, Expr right) {
        this(left, operator, Objects.requireNonNull(right, "value"), new ArrayList<>(), false);
    }

    private Statement(Access left, String operator, Expr right, List<Term> items, boolean sparse) {
        this.left = left;
        this.operator = operator;
        this.right = right;
        this.items = items;
        this.sparse = sparse;
    }

    /** A statement that is written in its own way. */
    Statement() {
        this(null, "", null, new ArrayList<>(), false);
    }

    /**
     * Statements that run step by step, and may read what the step before has defined.
     *
     * @param step the loop over the steps
     * @param statements one statement or more
     * @return the recurrence
     */
    public static Scan scan(LoopIndex step, Statement... statements) {
        return new Scan(step, Objects.requireNonNull(statements, "statements"));
    }

    Statement with(Term item) {
        List<Term> more = new ArrayList<>(items);
        more.add(item);
        return new Statement(left, operator, right, more, sparse);
    }

    /**
     * The statement with a given range of a loop.
     *
     * @param loop the loop
     * @param length the length of the range: the loop runs from 0 to {@code length - 1}
     * @return a new statement
     * @throws IllegalArgumentException if the length is negative
     */
    public Statement where(LoopIndex loop, long length) {
        return where(loop, Bound.of(length));
    }

    /**
     * The statement with a given range of a loop.
     *
     * @param loop the loop
     * @param length the length of the range: the loop runs from 0 to {@code length - 1}
     * @return a new statement
     */
    public Statement where(LoopIndex loop, Bound length) {
        return with(new Terms(Objects.requireNonNull(loop, "loop"), " in 0:", Objects.requireNonNull(length, "length")));
    }

    /**
     * The statement with a sparse result: {@code sparse} before it. It stores every position that is written.
     *
     * @return a new statement
     */
    public Statement sparse() {
        return new Statement(left, operator, right, items, true);
    }

    /**
     * The statement at the stored elements of a sparse tensor alone: {@code where stored(access)}.
     *
     * @param access an element of a sparse tensor
     * @return a new statement
     */
    public Statement whereStored(Access access) {
        return with(new Terms("stored(", Objects.requireNonNull(access, "access"), ")"));
    }

    /**
     * The statement with the shape of its target.
     *
     * @param shape the length of each axis
     * @return a new statement
     * @throws IllegalArgumentException if a length is negative
     */
    public Statement shape(long... shape) {
        return shape(Bound.of(Objects.requireNonNull(shape, "shape")));
    }

    /**
     * The statement with the shape of its target.
     *
     * @param shape the length of each axis
     * @return a new statement
     */
    public Statement shape(Bound... shape) {
        Bound[] own = Arrays.copyOf(Objects.requireNonNull(shape, "shape"), shape.length, Bound[].class);
        for (int axis = 0; axis < own.length; axis++) {
            int n = axis;
            Objects.requireNonNull(own[axis], () -> "length " + n);
        }
        return with(new Terms(left.tensor(), Terms.list("[", "]", (Object[]) own)));
    }

    @Override
    Object[] parts() {
        Term where = items.isEmpty() ? new Terms() : Terms.list(" where ", "", items.toArray());
        return new Object[] {sparse ? "sparse " : "", left, " " + operator + " ", right, where};
    }
}
