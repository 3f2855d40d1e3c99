package io.tensornio.graph;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.compute.Access;
import io.tensornio.compute.Index;
import io.tensornio.compute.Mappable;
import io.tensornio.internal.compute.Words;
import io.tensornio.internal.graph.Layers;
import io.tensornio.internal.graph.Variable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * A symbolic tensor: a node of a graph, which has no elements. Its dimensions are given, or inferred when the graph is
 * compiled: axes match by position and length.
 *
 * <p>Operators make new ones: elementwise, if both have the same shape or one has rank 0; but {@link #times} of a matrix is the matrix product.
 */
public class Sym extends Symbolic implements Mappable<Sym> {
    Sym(TensorContext context, Variable variable) {
        super(context, variable);
    }

    /**
     * Its number: tensors of a context are numbered from 0, in the order in which they are made. Checkpoints identify parameters by them, unless all
     * parameters have names.
     *
     * @return the number
     */
    public final int id() {
        return variable.id;
    }

    /**
     * Its role in a graph.
     *
     * @return the status
     */
    public final Status status() {
        return variable.kind == Variable.Kind.CONSTANT ? Status.CONSTANT
            : variable.kind == Variable.Kind.INPUT || variable.kind == Variable.Kind.ITEM ? Status.INPUT
            : variable.kind == Variable.Kind.STATE ? Status.STATE : variable.isParameter() ? Status.PARAMETER : Status.FLOW;
    }

    /**
     * Sets its name, which messages, {@link ComputeGraph#run} and the metadata of checkpoints use.
     *
     * @param name the name
     * @return this
     * @throws IllegalArgumentException if another tensor of the context has it, or it has half of a surrogate pair
     */
    public Sym named(String name) {
        context.name(variable, Objects.requireNonNull(name, "name"));
        return this;
    }

    /**
     * The number of axes.
     *
     * @return the rank, or -1 if it is not known yet
     */
    public final int rank() {
        return variable.rank();
    }

    /**
     * Its axes, as they were given or, once a graph with it has been compiled, inferred.
     *
     * @return an unmodifiable list
     * @throws IllegalStateException if some are not known yet
     */
    public final List<Axis> axes() {
        if (!variable.isShaped()) {
            throw new IllegalStateException("the axes of " + this + " are inferred as its graph is compiled");
        }
        return Collections.unmodifiableList(new ArrayList<>(Arrays.asList(variable.axes)));
    }

    /**
     * The type of its elements: that of its context, unless it is an input or constant of another type, or depends on such.
     *
     * @return the type
     */
    public final DataType dataType() {
        return variable.type;
    }

    /**
     * An element, for the statements of a custom layer.
     *
     * @param indices an index for each axis
     * @return the access
     */
    public final Access at(Index... indices) {
        return variable.key.at(indices);
    }

    /**
     * An element, for the statements of a custom layer.
     *
     * @param first the index of the first axis
     * @param rest an index for each of the others
     * @return the access
     */
    public final Access at(Index first, Index[] rest) {
        return variable.key.at(first, rest);
    }

    /**
     * An element as an index: a look-up.
     *
     * @param indices an index for each axis
     * @return the index
     */
    public final Index index(Index... indices) {
        return variable.key.index(indices);
    }

    /**
     * A function of the elements of tensors, by its name, as {@link io.tensornio.compute.F} has them: {@code F.max(x, y)}.
     *
     * @param function the name of a function in the language of comprehensions, whose first argument is this
     * @param others the other arguments: tensors of the same shape or of rank 0, or of any shape if the rest is of rank 0
     * @return a new tensor
     * @throws IllegalArgumentException if the function has no name, the others are of another context, or of known ranks of which none is 0 and that
     *     differ, or are too many; a name that no function has is a fault of the graph
     */
    @Override
    public final Sym map(String function, List<Mappable<Sym>> others) {
        Words.checkFunction(function);
        List<Sym> more = new ArrayList<>();
        for (Mappable<Sym> other : others) {
            String which = function.equals("clip") ? more.isEmpty() ? "low" : "high" : "the second argument of " + function;
            if (!(Objects.requireNonNull(other, which) instanceof Sym)) {
                throw new IllegalArgumentException(which + " is a " + other.getClass().getName() + ", no tensor of a graph");
            }
            context.check((Sym) other, which);
            more.add((Sym) other);
        }
        if (more.isEmpty()) {
            return context.made(rank(), made -> Layers.map(function, made, variable));
        }
        Sym second = more.get(0);
        if (more.size() == 2 && function.equals("clip")) {
            return map("max", Collections.singletonList(second)).map("min", Collections.singletonList(more.get(1)));
        }
        if (more.size() > 1) {
            throw new IllegalArgumentException(function + " of " + (more.size() + 1) + " tensors: only clip takes three");
        }
        return context.made(rankWith(second), made -> Layers.map(function, made, variable, second.variable));
    }

    /**
     * The elementwise sum.
     *
     * @param other the other operand, of the same shape or of rank 0, or of any shape if this is of rank 0
     * @return a new tensor
     * @throws IllegalArgumentException if it is of another context
     */
    public Sym plus(Sym other) {
        return elementwise("+", other);
    }

    /**
     * The sum of each element and a number.
     *
     * @param number the right operand
     * @return a new tensor
     */
    public Sym plus(double number) {
        return context.made(variable.rank(), made -> Layers.withNumber("+", made, variable, number));
    }

    /**
     * The elementwise difference.
     *
     * @param other the other operand, of the same shape or of rank 0, or of any shape if this is of rank 0
     * @return a new tensor
     * @throws IllegalArgumentException if it is of another context
     */
    public Sym minus(Sym other) {
        return elementwise("-", other);
    }

    /**
     * The difference of each element and a number.
     *
     * @param number the right operand
     * @return a new tensor
     */
    public Sym minus(double number) {
        return context.made(variable.rank(), made -> Layers.withNumber("-", made, variable, number));
    }

    /**
     * The elementwise quotient.
     *
     * @param other the other operand, of the same shape or of rank 0, or of any shape if this is of rank 0
     * @return a new tensor
     * @throws IllegalArgumentException if it is of another context
     */
    public Sym div(Sym other) {
        return elementwise("/", other);
    }

    /**
     * The quotient of each element and a number.
     *
     * @param number the right operand
     * @return a new tensor
     */
    public Sym div(double number) {
        return context.made(variable.rank(), made -> Layers.withNumber("/", made, variable, number));
    }

    /**
     * The matrix product if this is of rank 2 and the other of rank 1 or 2, else the elementwise product. Ranks decide, not static types.
     *
     * @param other the other operand
     * @return a new tensor
     * @throws IllegalStateException if a rank is not known yet: use {@link #matmul} or {@link #elementwise(Sym)} then
     * @throws IllegalArgumentException if it is of another context
     */
    public Sym times(Sym other) {
        context.check(other, "other");
        if (rank() < 0 || other.rank() < 0) {
            throw new IllegalStateException("times of " + this + " and " + other + ": the rank of " + (rank() < 0 ? this : other)
                + " is not known, so say which is meant, matmul or elementwise");
        }
        return rank() == 2 && (other.rank() == 1 || other.rank() == 2) ? matmul(other) : elementwise(other);
    }

    /**
     * The product of each element and a number.
     *
     * @param number the right operand
     * @return a new tensor
     */
    public Sym times(double number) {
        return context.made(variable.rank(), made -> Layers.withNumber("*", made, variable, number));
    }

    /**
     * The elementwise product.
     *
     * @param other the other operand, as that of {@link #plus(Sym)}
     * @return a new tensor
     * @throws IllegalArgumentException if it is of another context
     */
    public Sym elementwise(Sym other) {
        return elementwise("*", other);
    }

    /**
     * The matrix product of this, of rank 2, and a vector or matrix.
     *
     * @param other the other operand, of rank 1 or 2
     * @return a new tensor
     * @throws IllegalArgumentException if a known rank does not fit, or it is of another context
     */
    public Sym matmul(Sym other) {
        context.check(other, "other");
        int rank = other.rank();
        if (rank() >= 0 && rank() != 2 || rank == 0 || rank > 2) {
            throw new IllegalArgumentException("matmul is of a matrix and a vector or matrix, not of " + this + " of rank " + rank() + " and " + other
                + " of rank " + rank);
        }
        return context.made(rank, made -> Layers.matrixProduct(made, variable, other.variable));
    }

    /**
     * The negative of each element.
     *
     * @return a new tensor
     */
    public Sym neg() {
        return context.made(variable.rank(), made -> Layers.map("-", made, variable));
    }

    private Sym elementwise(String operator, Sym other) {
        context.check(other, "other");
        return context.made(rankWith(other), made -> Layers.elementwise(operator, made, variable, other.variable));
    }

    /** The rank of what is made of the elements of this and another; -1 as long as it is unknown. */
    final int rankWith(Sym other) {
        int left = rank();
        int right = other.rank();
        return left > 0 ? left : right > 0 ? right : Math.min(left, right);
    }
}
