package io.tensornio.compute;

import io.tensornio.internal.compute.Term;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A recurrence built in Java: statements that all run for one step before any runs for the next, and that may read what the step before has defined.
 * Each of them has the loop over the steps, alone, as one index of its left side; the names that they define are read at {@code [t]} and at
 * {@code [t-1]}, or {@code [t+1]} if the steps go down. Immutable; made by {@link Statement#scan}.
 *
 * <pre>{@code
 * Statement.scan(t, y.at(t).assign(y.at(t.minus(1)).plus(x.at(t)))).init(y, 1)
 * }</pre>
 */
public final class Scan extends Statement {
    private final LoopIndex step;
    private final boolean isDown;
    private final Bound range;
    private final List<Term> parts;

    private Scan(LoopIndex step, boolean isDown, Bound range, List<Term> parts) {
        this.step = step;
        this.isDown = isDown;
        this.range = range;
        this.parts = parts;
    }

    Scan(LoopIndex step, Statement... statements) {
        this(Objects.requireNonNull(step, "loop"), false, null, new ArrayList<>());
        for (int n = 0; n < statements.length; n++) {
            int which = n;
            parts.add(Objects.requireNonNull(statements[n], () -> "statement " + which).term());
        }
    }

    /**
     * The scan from the last step to the first.
     *
     * @return a new scan
     */
    public Scan down() {
        return new Scan(step, true, range, parts);
    }

    /**
     * The scan with a given number of steps, which otherwise reads of tensors from outside give.
     *
     * @param steps the number of steps: they run from 0 to {@code steps - 1}
     * @return a new scan
     * @throws IllegalArgumentException if the number is negative
     */
    public Scan in(long steps) {
        return in(Bound.of(steps));
    }

    /**
     * The scan with a given number of steps, which otherwise reads of tensors from outside give.
     *
     * @param steps the number of steps
     * @return a new scan
     */
    public Scan in(Bound steps) {
        return new Scan(step, isDown, Objects.requireNonNull(steps, "steps"), parts);
    }

    /**
     * The scan with a number that a tensor is before the first step; without one it is 0.
     *
     * @param name a tensor that the scan defines
     * @param value the number, of the tensor's type
     * @return a new scan
     */
    public Scan init(TensorName name, long value) {
        return first(name, Expr.of(value).term);
    }

    /**
     * The scan with a number that a tensor is before the first step; without one it is 0.
     *
     * @param name a tensor that the scan defines
     * @param value the number, of the tensor's type; infinities and NaN are allowed
     * @return a new scan
     */
    public Scan init(TensorName name, double value) {
        return first(name, Expr.of(value).term);
    }

    /**
     * The scan with what a tensor is before the first step.
     *
     * @param name a tensor that the scan defines
     * @param value a tensor that is known before the scan, of the same type, and of rank 0 or with the other axes
     * @return a new scan
     */
    public Scan init(TensorName name, TensorName value) {
        return first(name, Objects.requireNonNull(value, "value").name);
    }

    private Scan first(TensorName name, Object value) {
        List<Term> more = new ArrayList<>(parts);
        more.add(Term.of("init ", Objects.requireNonNull(name, "name").name, " = ", value));
        return new Scan(step, isDown, range, more);
    }

    @Override
    Statement with(Term item) {
        throw new IllegalStateException("a scan has no `where`; its statements have, and `in` gives the number of its steps");
    }

    /**
     * Refused: statements of a scan may be sparse, not the scan.
     *
     * @throws IllegalStateException always
     */
    @Override
    public Statement sparse() {
        throw new IllegalStateException("a scan is not sparse");
    }

    @Override
    Term term() {
        List<Object> all = new ArrayList<>(Arrays.asList("scan ", step.name, isDown ? " down" : ""));
        if (range != null) {
            all.addAll(Arrays.asList(" in 0:", range.term));
        }
        for (Term part : parts) {
            all.addAll(Arrays.asList("\n  ", part));
        }
        all.add("\nend");
        return Term.of(all.toArray());
    }
}
