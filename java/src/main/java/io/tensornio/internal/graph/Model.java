package io.tensornio.internal.graph;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.compute.Call;
import io.tensornio.internal.compute.Program;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.WritableTensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A graph with values: its parameters and constants, and its cached programs. Calls are serialised. */
public final class Model implements AutoCloseable {
    /** The graph. */
    public final Graph graph;
    /** The parameters and constants, by number. */
    private final Map<Variable, Cell> cells = new LinkedHashMap<>();
    /** The constants that are ragged or sparse. */
    private final Map<Variable, AnyTensor<?>> stored = new LinkedHashMap<>();
    private final Map<List<Variable>, Evaluation> evaluations = new HashMap<>();
    private final List<AutoCloseable> owned = new ArrayList<>();
    private final Map<List<Variable>, Plan> plans = new HashMap<>();
    private final Map<Mapping, Plan> bodies = new HashMap<>();
    /** Held by each call. A thread that holds it must not enter {@link #binders}. */
    final Turn turn = new Turn();
    /** Held while binders write examples, so that they are called by one thread at a time. */
    final Turn binders = new Turn();
    private Slopes slopes;
    /** Makes gradients of batches; null before the first. */
    private Descent differentiation;
    private volatile boolean closed;

    /** A model whose parameters are zero. */
    public Model(Graph graph) {
        this.graph = graph;
        try {
            for (Variable variable : graph.variables.values()) {
                if (variable.isStored()) {
                    stored.put(variable, copied(variable));
                } else if (variable.kind == Variable.Kind.CONSTANT) {
                    cells.put(variable, constant(variable));
                } else if (variable.kind == Variable.Kind.STATE) {
                    Cell cell = new Cell(variable.type, variable.shape());
                    cells.put(variable, cell);
                    Elements.fill(cell.now().data(), variable.shape(), (at, dims) -> variable.start);
                } else if (variable.isParameter()) {
                    cells.put(variable, new Cell(variable.type, variable.shape()));
                }
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /** A copy of a ragged or sparse constant. */
    private static AnyTensor<?> copied(Variable of) {
        String loops = Graph.loops(of.rank());
        String given = of.type == of.data.dataType() ? "given" + loops : "double(given" + loops + ")";
        return Program.of((AnyData.isSparse(of.data) ? "sparse " : "") + "copy" + loops + " = " + given).runAny(of.data)[0];
    }

    private static Cell constant(Variable variable) {
        Cell cell = new Cell(variable.type, variable.shape());
        try {
            if (variable.data != null) {
                copy(cell, variable, variable.data);
            } else {
                Elements.fill(cell.now().data(), variable.shape(), variable.fill);
            }
            return cell;
        } catch (Throwable e) {
            cell.close();
            throw e;
        }
    }

    /**
     * Takes ownership of something, which is closed with this.
     *
     * @throws IllegalStateException if it is closed
     */
    <T extends AutoCloseable> T own(T made) {
        return alone(() -> {
            check();
            owned.add(made);
            return made;
        });
    }

    /** Closes something that is owned. */
    void close(AutoCloseable made) {
        alone(() -> {
            owned.remove(made);
            close(Collections.singletonList(made));
            return null;
        });
    }

    /** Runs a call while no other thread uses this. */
    public <T> T alone(Supplier<T> call) {
        turn.enter();
        try {
            return call.get();
        } finally {
            turn.leave();
        }
    }

    /** The same for a call that runs binders. */
    private <T> T binding(Supplier<T> call) {
        binders.enter();
        try {
            return alone(call);
        } finally {
            binders.leave();
        }
    }

    private static void close(List<AutoCloseable> all) {
        for (AutoCloseable one : all) {
            try {
                one.close();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);     // no owned object throws it
            }
        }
    }

    /** Throws if this is closed; without waiting for a call that runs. */
    public void check() {
        if (closed) {
            throw new IllegalStateException("the compute graph is closed");
        }
    }

    /** The elements of a parameter or constant; null for any other tensor. */
    Cell cell(Variable of) {
        return cells.get(of);
    }

    /** The parameters, by number. */
    public List<Variable> parameters() {
        List<Variable> parameters = new ArrayList<>();
        for (Variable variable : cells.keySet()) {
            if (variable.isParameter()) {
                parameters.add(variable);
            }
        }
        return parameters;
    }

    /** What is kept in checkpoints: the parameters and states, by number. */
    List<Variable> kept() {
        List<Variable> kept = new ArrayList<>(cells.keySet());
        kept.removeIf(variable -> variable.kind == Variable.Kind.CONSTANT);
        return kept;
    }

    private Cell checked(Variable of) {
        check();
        Cell cell = cells.get(of);
        if (stored.containsKey(of)) {
            throw new IllegalStateException(of + " is a " + (stored.get(of) instanceof SparseTensor ? "sparse" : "ragged")
                + " constant, which stays as it is: evalAll gives a copy");
        }
        if (cell == null) {
            throw new IllegalStateException(of + (graph.variables.get(of.id) != of ? " is not part of this graph"
                : " is " + (of.kind == Variable.Kind.INPUT ? "an input" : "made by a comprehension")
                    + ": only parameters, states and constants are kept"));
        }
        return cell;
    }

    /** A copy of a parameter or constant, which the caller closes. */
    public Tensor<?> snapshot(Variable of) {
        return alone(() -> checked(of).now().snapshot());
    }

    /** Copies of all parameters by number, which the caller closes. */
    public Map<Integer, Tensor<?>> snapshots() {
        return alone(() -> {
            check();
            Map<Integer, Tensor<?>> copies = new LinkedHashMap<>();
            try {
                parameters().forEach(parameter -> copies.put(parameter.id, snapshot(parameter)));
                return copies;
            } catch (Throwable e) {
                copies.values().forEach(Tensor::close);
                throw e;
            }
        });
    }

    /** Copies data to a parameter or constant. */
    public void set(Variable of, TensorData<?> data) {
        alone(() -> {
            copy(checked(of), of, data);
            return null;
        });
    }

    private static void copy(Cell cell, Variable of, TensorData<?> data) {
        boolean isWidened = data.dataType() == DataType.FLOAT && cell.type == DataType.DOUBLE;
        if (!isWidened && data.dataType() != cell.type || !Arrays.equals(data.shape(), cell.shape)) {
            throw new IllegalArgumentException(of + " is " + cell.type + " of shape " + Arrays.toString(cell.shape) + "; the data for it is "
                + data.dataType() + " of shape " + Arrays.toString(data.shape()));
        }
        if (isWidened) {
            widening(data.rank()).runInto(new Object[] {data}, Collections.singletonList(cell.now().data()));
        } else {
            AnyData.copy(data, cell.now().data());
        }
    }

    /** Fills parameters, each by its own function. */
    public void fill(Map<Variable, Variable.Fill> elements) {
        alone(() -> {
            check();
            elements.forEach((variable, fill) -> Elements.fill(cells.get(variable).now().data(), cells.get(variable).shape, fill));
            return null;
        });
    }

    /** The evaluation of tensors: a program and its buffers. */
    private Evaluation evaluation(List<Variable> wanted) {
        check();
        Evaluation made = evaluations.get(wanted);
        if (made == null) {
            made = own(Evaluation.of(this, graph.forward(wanted)));
            evaluations.put(new ArrayList<>(wanted), made);
        }
        return made;
    }

    /** Evaluates tensors for an example; the caller closes them. */
    public Tensor<?>[] eval(Object example, List<Variable> wanted) {
        return binding(() -> dense(wanted, evaluation(wanted).one(example)));
    }

    /** Results that are dense; closes all if one is not. */
    static Tensor<?>[] dense(List<Variable> wanted, AnyTensor<?>... made) {
        Tensor<?>[] dense = new Tensor<?>[made.length];
        for (int n = 0; n < made.length; n++) {
            if (made[n] instanceof Tensor) {
                dense[n] = (Tensor<?>) made[n];
                continue;
            }
            String kind = made[n] instanceof SparseTensor ? "sparse" : "ragged";
            Arrays.asList(made).forEach(AnyTensor::close);
            throw new IllegalStateException(wanted.get(n) + " is " + kind + ": evalAll and run give such tensors");
        }
        return dense;
    }

    /** Evaluates tensors for each of several examples. */
    public AnyTensor<?>[] evalAll(List<?> examples, List<Variable> wanted) {
        return binding(() -> evaluation(wanted).all(examples));
    }

    /** Evaluates tensors for each of the rows of columns, of which there are so many. */
    public AnyTensor<?>[] evalAll(Map<Variable, TensorData<?>> columns, int rows, List<Variable> wanted) {
        return alone(() -> evaluation(wanted).all(columns, rows));
    }

    /**
     * Evaluates tensors for the examples of a batch.
     *
     * @param pass whose batches they are of, and what is told of the batch besides
     */
    Tensor<?>[] batch(Pass pass, long number) {
        pass.batches.loading.enter();
        try {
            return binding(() -> {
                Evaluation evaluation = evaluation(pass.wanted);
                int count = pass.batches.load(number);
                Tensor<?>[] made = dense(pass.wanted, evaluation.batch(pass.batches, count));
                pass.loaded(evaluation, count);
                return made;
            });
        } finally {
            pass.batches.loading.leave();
        }
    }

    /** Evaluates tensors from inputs given as tensors, all of an example or all of a batch. */
    public AnyTensor<?>[] run(Map<Variable, AnyTensor<?>> inputs, boolean isBatch, List<Variable> wanted) {
        return alone(() -> evaluation(wanted).of(inputs, isBatch));
    }

    /**
     * Evaluates variables of a graph with sequences.
     *
     * @param inputs for each input a tensor, {@link Items} or a map of tensors
     * @return for each wanted variable the same, which the caller closes
     */
    public Object[] run(Map<Variable, Object> inputs, List<Variable> wanted) {
        return alone(() -> runSteps(inputs, wanted));
    }

    private Object[] runSteps(Map<Variable, Object> inputs, List<Variable> wanted) {
        check();
        graph.scopes.checkOutside(wanted);
        Plan plan = plans.get(wanted);
        if (plan == null) {
            plan = new Plan(graph, wanted, bodies);
            plans.put(new ArrayList<>(wanted), plan);
        }
        try (Values values = new Values(this, plan, inputs)) {
            inputs.forEach((input, given) -> {
                if (input.type != input.fed()) {
                    values.set(input, values.own(widened((Tensor<?>) given)));
                }
            });
            plan.run(values);
            if (wanted.contains(graph.loss) && Arrays.stream(values.tensor(graph.loss).shape()).reduce(1, (a, b) -> a * b) != 1) {
                throw new IllegalArgumentException("the loss " + graph.loss + " is to have one element, but its shape is "
                    + Arrays.toString(values.tensor(graph.loss).shape()));
            }
            return values.take(wanted);
        }
    }

    private static Tensor<?> widened(Tensor<?> given) {
        return widening(given.rank()).run(given)[0];
    }

    private static Program widening(int rank) {
        String loops = Graph.loops(rank);
        return Program.of("wide" + loops + " = double(given" + loops + ")");
    }

    /** The loss of an example, and its gradients by the numbers of the parameters, which the caller closes. */
    public double gradients(Object example, Map<Integer, Tensor<?>> gradients) {
        return binding(() -> {
            check();
            if (slopes == null) {
                slopes = own(new Slopes(this));
            }
            return slopes.of(example, gradients);
        });
    }

    /**
     * The mean loss of the next batch in training, and its gradients by the numbers of the parameters, which the caller closes.
     *
     * @param outcome receives the loss and the number of examples
     */
    public void gradients(Batches batches, Descent.Outcome outcome, Map<Integer, Tensor<?>> gradients) {
        Descent own = alone(() -> {
            check();
            if (differentiation == null) {
                differentiation = new Descent(this, Rule.GRADIENTS, new Settings(0));
            }
            return differentiation;
        });
        own.of(batches, outcome, gradients);
    }

    /** A parameter, state or constant as an operand; null for any other tensor. */
    Object operand(Variable of) {
        Cell cell = cells.get(of);
        return cell == null ? stored.get(of) : cell.now().data();
    }

    /** Sets the current locations of parameters and constants in a call. */
    void bind(Call call, List<String> inputs) {
        for (int n = 0; n < inputs.size(); n++) {
            Variable variable = graph.named(inputs.get(n));
            Cell cell = variable == null ? null : cells.get(variable);
            if (cell != null) {
                call.input(n, cell.now(), 0);
            }
        }
    }

    @Override
    public void close() {
        alone(() -> {
            closed = true;
            for (Cell cell : cells.values()) {
                cell.close();
            }
            stored.values().forEach(AnyTensor::close);
            close(owned);
            owned.clear();
            evaluations.clear();
            plans.clear();
            bodies.clear();
            return null;
        });
    }

    static void closeAll(WritableTensor... made) {
        for (WritableTensor one : made) {
            if (one != null) {
                one.close();
            }
        }
    }
}
