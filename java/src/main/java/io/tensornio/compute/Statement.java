package io.tensornio.compute;

import io.tensornio.internal.compute.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A statement of a comprehension built in Java, which defines one tensor, or a {@link Scan}, which defines several. Immutable; made by
 * {@link Access#assign} and its siblings, and {@link #scan}.
 */
public class Statement {
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
        return with(Term.of(Objects.requireNonNull(loop, "loop").name, " in 0:", Objects.requireNonNull(length, "length").term));
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
        return with(Term.of("stored(", Objects.requireNonNull(access, "access").term, ")"));
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
        Term[] lengths = new Term[Objects.requireNonNull(shape, "shape").length];
        for (int axis = 0; axis < lengths.length; axis++) {
            int n = axis;
            lengths[axis] = Objects.requireNonNull(shape[axis], () -> "length " + n).term;
        }
        return with(Term.of(left.tensor, Term.list("[", "]", lengths)));
    }

    /** The statement as it is written. */
    Term term() {
        Term where = items.isEmpty() ? Term.of() : Term.list(" where ", "", items.toArray(new Term[0]));
        return Term.of(sparse ? "sparse " : "", left.term, " " + operator + " ", right.term, where);
    }

    /**
     * The text in the language of {@link Comprehension}, with the original names of tensors and loops.
     *
     * @return the text
     */
    @Override
    public final String toString() {
        return term().toString();
    }
}
