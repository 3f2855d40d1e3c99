package io.tensornio.compute;

import io.tensornio.internal.compute.Name;
import io.tensornio.internal.compute.Term;
import java.util.Objects;

/**
 * An element of a tensor for each setting of the loops in its indices: {@code A[i, k]}. Made by {@link TensorName#at(Index...)}. On the right side of
 * a statement it is an expression, a read; a statement begins with one, which is written:
 *
 * <pre>{@code
 * Statement product = c.at(i, j).assignSum(a.at(i, k).times(b.at(k, j)));      // C[i, j] += A[i, k] * B[k, j]
 * }</pre>
 */
public final class Access extends Expr {
    final Name tensor;

    Access(Name tensor, Index... indices) {
        super(ALONE, tensor, brackets(tensor, indices));
        this.tensor = tensor;
    }

    private static Term brackets(Name tensor, Index... indices) {
        Term[] terms = new Term[indices.length];
        for (int axis = 0; axis < indices.length; axis++) {
            int n = axis;
            terms[axis] = Objects.requireNonNull(indices[axis], () -> "index " + n + " of " + tensor).term();
        }
        return Term.list("[", "]", terms);
    }

    /**
     * The statement with {@code =}: every loop of the right side is on the left, as the only index of an axis.
     *
     * @param value the value of each element
     * @return the statement
     */
    public Statement assign(Expr value) {
        return new Statement(this, "=", value);
    }

    /**
     * The statement with {@code +=}: the sum over all loops that are only on the right.
     *
     * @param value the summands
     * @return the statement
     */
    public Statement assignSum(Expr value) {
        return new Statement(this, "+=", value);
    }

    /**
     * The statement with {@code *=}: the product over all loops that are only on the right.
     *
     * @param value the factors
     * @return the statement
     */
    public Statement assignProd(Expr value) {
        return new Statement(this, "*=", value);
    }

    /**
     * The statement with {@code max=}: the maximum over all loops that are only on the right; for BOOL, whether any is true.
     *
     * @param value the values
     * @return the statement
     */
    public Statement assignMax(Expr value) {
        return new Statement(this, "max=", value);
    }

    /**
     * The statement with {@code min=}: the minimum over all loops that are only on the right; for BOOL, whether all are true.
     *
     * @param value the values
     * @return the statement
     */
    public Statement assignMin(Expr value) {
        return new Statement(this, "min=", value);
    }
}
