package io.tensornio.graph;

import io.tensornio.Axis;
import io.tensornio.internal.graph.Variable;

/**
 * A symbolic tensor of rank 2, see {@link Sym}.
 *
 * @param <D1> the type of axis 0
 * @param <D2> the type of axis 1
 */
@SuppressWarnings("unchecked")          // operators of rank 2 and equal shape or a number give rank 2
public final class Sym2<D1 extends Axis, D2 extends Axis> extends Sym {
    Sym2(TensorContext context, Variable variable) {
        super(context, variable);
    }

    @Override
    public Sym2<D1, D2> named(String name) {
        super.named(name);
        return this;
    }

    @Override
    public Sym2<D1, D2> plus(Sym other) {
        return (Sym2<D1, D2>) super.plus(other);
    }

    @Override
    public Sym2<D1, D2> plus(double number) {
        return (Sym2<D1, D2>) super.plus(number);
    }

    @Override
    public Sym2<D1, D2> minus(Sym other) {
        return (Sym2<D1, D2>) super.minus(other);
    }

    @Override
    public Sym2<D1, D2> minus(double number) {
        return (Sym2<D1, D2>) super.minus(number);
    }

    @Override
    public Sym2<D1, D2> div(Sym other) {
        return (Sym2<D1, D2>) super.div(other);
    }

    @Override
    public Sym2<D1, D2> div(double number) {
        return (Sym2<D1, D2>) super.div(number);
    }

    /**
     * The matrix product with a vector.
     *
     * @param vector the vector
     * @return a new tensor
     * @throws IllegalArgumentException if it is of another context
     */
    public Sym1<D1> times(Sym1<?> vector) {
        return (Sym1<D1>) super.times(vector);
    }

    /**
     * The matrix product with a matrix.
     *
     * @param matrix the matrix
     * @param <D3> the type of its second axis
     * @return a new tensor
     * @throws IllegalArgumentException if it is of another context
     */
    public <D3 extends Axis> Sym2<D1, D3> times(Sym2<?, D3> matrix) {
        return (Sym2<D1, D3>) super.times(matrix);
    }

    @Override
    public Sym2<D1, D2> times(double number) {
        return (Sym2<D1, D2>) super.times(number);
    }

    @Override
    public Sym2<D1, D2> elementwise(Sym other) {
        return (Sym2<D1, D2>) super.elementwise(other);
    }

    @Override
    public Sym2<D1, D2> neg() {
        return (Sym2<D1, D2>) super.neg();
    }
}
