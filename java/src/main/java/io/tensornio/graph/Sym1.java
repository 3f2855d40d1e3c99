package io.tensornio.graph;

import io.tensornio.Axis;
import io.tensornio.internal.graph.Variable;

/**
 * A symbolic tensor of rank 1, see {@link Sym}.
 *
 * @param <D1> the type of axis 0
 */
@SuppressWarnings("unchecked")          // operators of rank 1 and equal shape or a number give rank 1
public final class Sym1<D1 extends Axis> extends Sym {
    Sym1(TensorContext context, Variable variable) {
        super(context, variable);
    }

    @Override
    public Sym1<D1> named(String name) {
        super.named(name);
        return this;
    }

    @Override
    public Sym1<D1> plus(Sym other) {
        return (Sym1<D1>) super.plus(other);
    }

    @Override
    public Sym1<D1> plus(double number) {
        return (Sym1<D1>) super.plus(number);
    }

    @Override
    public Sym1<D1> minus(Sym other) {
        return (Sym1<D1>) super.minus(other);
    }

    @Override
    public Sym1<D1> minus(double number) {
        return (Sym1<D1>) super.minus(number);
    }

    @Override
    public Sym1<D1> div(Sym other) {
        return (Sym1<D1>) super.div(other);
    }

    @Override
    public Sym1<D1> div(double number) {
        return (Sym1<D1>) super.div(number);
    }

    @Override
    public Sym1<D1> times(Sym other) {
        return (Sym1<D1>) super.times(other);
    }

    @Override
    public Sym1<D1> times(double number) {
        return (Sym1<D1>) super.times(number);
    }

    @Override
    public Sym1<D1> elementwise(Sym other) {
        return (Sym1<D1>) super.elementwise(other);
    }

    @Override
    public Sym1<D1> neg() {
        return (Sym1<D1>) super.neg();
    }
}
