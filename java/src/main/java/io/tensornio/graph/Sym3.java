package io.tensornio.graph;

import io.tensornio.Axis;
import io.tensornio.internal.graph.Variable;

/**
 * A symbolic tensor of rank 3, see {@link Sym}.
 *
 * @param <D1> the type of axis 0
 * @param <D2> the type of axis 1
 * @param <D3> the type of axis 2
 */
@SuppressWarnings("unchecked")          // operators of rank 3 and equal shape or a number give rank 3
public final class Sym3<D1 extends Axis, D2 extends Axis, D3 extends Axis> extends Sym {
    Sym3(TensorContext context, Variable variable) {
        super(context, variable);
    }

    @Override
    public Sym3<D1, D2, D3> named(String name) {
        super.named(name);
        return this;
    }

    @Override
    public Sym3<D1, D2, D3> plus(Sym other) {
        return (Sym3<D1, D2, D3>) super.plus(other);
    }

    @Override
    public Sym3<D1, D2, D3> plus(double number) {
        return (Sym3<D1, D2, D3>) super.plus(number);
    }

    @Override
    public Sym3<D1, D2, D3> minus(Sym other) {
        return (Sym3<D1, D2, D3>) super.minus(other);
    }

    @Override
    public Sym3<D1, D2, D3> minus(double number) {
        return (Sym3<D1, D2, D3>) super.minus(number);
    }

    @Override
    public Sym3<D1, D2, D3> div(Sym other) {
        return (Sym3<D1, D2, D3>) super.div(other);
    }

    @Override
    public Sym3<D1, D2, D3> div(double number) {
        return (Sym3<D1, D2, D3>) super.div(number);
    }

    @Override
    public Sym3<D1, D2, D3> times(Sym other) {
        return (Sym3<D1, D2, D3>) super.times(other);
    }

    @Override
    public Sym3<D1, D2, D3> times(double number) {
        return (Sym3<D1, D2, D3>) super.times(number);
    }

    @Override
    public Sym3<D1, D2, D3> elementwise(Sym other) {
        return (Sym3<D1, D2, D3>) super.elementwise(other);
    }

    @Override
    public Sym3<D1, D2, D3> neg() {
        return (Sym3<D1, D2, D3>) super.neg();
    }
}
