package io.tensornio.graph;

import io.tensornio.AnyTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.graph.Checkpoints;
import io.tensornio.internal.graph.Descent;
import io.tensornio.internal.graph.Drawing;
import io.tensornio.internal.graph.Model;
import io.tensornio.internal.graph.Variable;
import io.tensornio.value.Value;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A compiled graph with values: its parameters and constants, in native memory until it is closed. Thread-safe; calls
 * are serialised. After {@link #close()} every call is an {@code IllegalStateException}.
 */
public final class ComputeGraph implements AutoCloseable {
    final Model model;
    private final TensorGraph graph;

    ComputeGraph(TensorGraph graph, Model model) {
        this.graph = graph;
        this.model = model;
    }

    void setAll(Map<Integer, ? extends Tensor<?>> parameters) {
        Map<Integer, Variable> known = new TreeMap<>();
        model.parameters().forEach(parameter -> known.put(parameter.id, parameter));
        List<Integer> unknown = new ArrayList<>(parameters.keySet());
        unknown.removeAll(known.keySet());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("there are no parameters " + unknown + "; there are " + known.keySet());
        }
        parameters.forEach((id, tensor) -> model.set(known.get(id), AnyData.of(Objects.requireNonNull(tensor, () -> "parameter " + id))));
    }

    Variable checked(Sym sym) {
        model.check();
        graph.context().check(sym, "sym");
        return sym.variable;
    }

    /**
     * The current elements of a parameter or constant.
     *
     * @param sym the parameter or constant
     * @param <T> the element type, that of {@link Sym#dataType()}
     * @return a copy, which the caller closes
     * @throws IllegalStateException if it is neither, or not part of this graph
     * @throws IllegalArgumentException if it is of another context
     */
    @SuppressWarnings("unchecked")          // whoever names the type knows it
    public <T> Tensor<T> get(Sym sym) {
        return (Tensor<T>) model.snapshot(checked(sym));
    }

    /**
     * The current elements of all parameters.
     *
     * @return copies by number, in order, which the caller closes
     */
    public Map<Integer, Tensor<?>> parameters() {
        return Collections.unmodifiableMap(model.snapshots());
    }

    /**
     * Copies elements to a parameter or constant.
     *
     * @param sym the parameter or constant
     * @param data elements of its type and shape
     * @throws IllegalStateException if it is neither, or not part of this graph
     * @throws IllegalArgumentException if the type or shape differs, or it is of another context
     */
    public void set(Sym sym, TensorData<?> data) {
        Variable variable = checked(sym);
        model.set(variable, Objects.requireNonNull(data, "data"));
    }

    /**
     * Copies elements to a parameter or constant, see {@link #set(Sym, TensorData)}.
     *
     * @param sym the parameter or constant
     * @param tensor elements of its type and shape
     * @throws IllegalStateException as above
     * @throws IllegalArgumentException as above
     */
    public void set(Sym sym, Tensor<?> tensor) {
        Variable variable = checked(sym);
        model.set(variable, AnyData.of(Objects.requireNonNull(tensor, "tensor")));
    }

    List<Variable> wanted(Sym... syms) {
        model.check();
        List<Variable> wanted = new ArrayList<>();
        for (Sym sym : syms) {
            Variable variable = checked(sym);
            if (model.graph.variables.get(variable.id) != variable) {
                throw new IllegalArgumentException(sym + " is not part of this graph: neither its loss nor its outputs are made of it");
            }
            if (model.graph.source(variable) != null) {
                throw new IllegalArgumentException(sym + " is made of " + model.graph.source(variable) + ", which is given by name: by run");
            }
            wanted.add(variable);
        }
        return wanted;
    }

    /**
     * Computes a tensor for an example. Only binders of inputs on which it depends are called.
     *
     * @param example the example; null if the tensor depends on no input
     * @param sym the tensor
     * @return the tensor, which the caller closes
     * @throws IllegalArgumentException if it is not part of this graph, or the class of the example does not fit an input
     * @throws IllegalStateException if it is ragged or sparse: {@code evalAll} gives such
     */
    public Tensor<?> eval(@org.jspecify.annotations.Nullable Object example, Sym sym) {
        return model.eval(example, wanted(sym))[0];
    }

    /**
     * Computes several tensors for an example.
     *
     * @param example the example
     * @param first the first tensor
     * @param second the second tensor
     * @param others the other tensors
     * @return the tensors, which the caller closes
     * @throws IllegalArgumentException as {@link #eval(Object, Sym)}
     */
    public List<Tensor<?>> eval(@org.jspecify.annotations.Nullable Object example, Sym first, Sym second, Sym... others) {
        return Collections.unmodifiableList(Arrays.asList(model.eval(example, wanted(all(first, second, others)))));
    }

    private Sym[] all(Sym first, Sym second, Sym... others) {
        model.check();
        Sym[] all = new Sym[Objects.requireNonNull(others, "others").length + 2];
        all[0] = first;
        all[1] = second;
        System.arraycopy(others, 0, all, 2, others.length);
        return all;
    }

    /**
     * Computes a tensor for each of several examples, in batches.
     *
     * @param examples the examples
     * @param sym the tensor
     * @return the tensor, with the examples as its first axis, unless it depends on no input; ragged if an axis has another length in each example.
     *     The caller closes it
     * @throws IllegalArgumentException as {@link #eval(Object, Sym)}
     */
    public AnyTensor<?> evalAll(Iterable<?> examples, Sym sym) {
        return model.evalAll(collected(examples), wanted(sym))[0];
    }

    /**
     * Computes several tensors for each of several examples, see {@link #evalAll(Iterable, Sym)}.
     *
     * @param examples the examples
     * @param first the first tensor
     * @param second the second tensor
     * @param others the other tensors
     * @return the tensors, which the caller closes
     * @throws IllegalArgumentException as {@link #eval(Object, Sym)}
     */
    public List<AnyTensor<?>> evalAll(Iterable<?> examples, Sym first, Sym second, Sym... others) {
        return Collections.unmodifiableList(Arrays.asList(model.evalAll(collected(examples), wanted(all(first, second, others)))));
    }

    /**
     * Computes a tensor for each of the rows of columns, in batches.
     *
     * @param columns for each input on which the tensor depends its data, whose first axis is the example; others are ignored
     * @param sym the tensor
     * @return the tensor, with the examples as its first axis, unless it depends on no input; ragged if an axis has another length in each example.
     *     The caller closes it
     * @throws IllegalArgumentException as {@link #eval(Object, Sym)}; or if a column is missing, does not fit its input, or they are not of one
     * length
     */
    public AnyTensor<?> evalAll(Map<? extends Sym, ? extends TensorData<?>> columns, Sym sym) {
        model.check();
        Map<Variable, TensorData<?>> own = Minibatch.checked(columns);
        int rows = own.isEmpty() ? 0 : (int) own.values().iterator().next().size(0);
        return model.evalAll(own, rows, wanted(sym))[0];
    }

    /**
     * A table of the tensors of this graph: their names, roles, types and axes, how many elements parameters and states have, and what makes the
     * others; and the number of parameters.
     *
     * @return lines, each of which ends in a line feed
     */
    public String summary() {
        model.check();
        return Drawing.summary(model.graph);
    }

    private List<Object> collected(Iterable<?> examples) {
        model.check();
        List<Object> all = new ArrayList<>();
        Objects.requireNonNull(examples, "examples").forEach(all::add);
        return all;
    }

    /**
     * Computes from inputs given by name. In a graph with sequences or dictionaries, the comprehensions between steps
     * on these are run as one program each, for one example; shapes of items are bound now.
     *
     * @param inputs a value for each input on which the outputs depend; those of other inputs of the context are ignored. A tensor has the shape
     *     of its input, or all have a first axis of examples; a batch of an input with varying axes is ragged. A sequence takes a list, a
     *     dictionary exactly its keys. An optional value is replaced by its content; an absent one counts as not given
     * @param outputs the names of the wanted variables; if empty, all outputs of the graph
     * @return tensors, lists and dictionaries by name: copies, which the caller closes
     * @throws IllegalArgumentException if inputs are missing or unknown, or have other types or shapes; or an output is unknown
     * @throws IllegalStateException if the kind of a value differs from that of its input
     * @throws IndexOutOfBoundsException if a sequence does not have a position
     */
    public Map<String, Value> run(Map<String, Value> inputs, String... outputs) {
        model.check();
        return new NamedValues(model, outputs(outputs), Objects.requireNonNull(inputs, "inputs"), graph.context()::isInput).run();
    }

    private List<Variable> outputs(String... names) {
        List<Variable> wanted = new ArrayList<>();
        if (Objects.requireNonNull(names, "outputs").length == 0) {
            for (Symbolic output : graph.outputs()) {
                if (!wanted.contains(output.variable)) {
                    wanted.add(output.variable);
                }
            }
            if (wanted.isEmpty()) {
                throw new IllegalArgumentException("the graph has no outputs besides its loss: name those that are wanted");
            }
        }
        for (String name : names) {
            Objects.requireNonNull(name, "the name of an output");
            Variable found = null;
            for (Variable variable : model.graph.variables.values()) {
                found = variable.toString().equals(name) ? variable : found;
            }
            if (found == null) {
                throw new IllegalArgumentException("nothing in the graph is named `" + name + "`: there are " + model.graph.variables.values());
            }
            if (!wanted.contains(found)) {
                wanted.add(found);
            }
        }
        return wanted;
    }

    /**
     * The loss of an example and its gradients, as in evaluation.
     *
     * @param example the example
     * @return both, which the caller closes
     * @throws IllegalArgumentException if the class of the example does not fit an input
     * @throws IllegalStateException if the graph has no loss
     */
    public Gradients gradients(Object example) {
        Map<Integer, Tensor<?>> gradients = new LinkedHashMap<>();
        double loss = model.gradients(example, gradients);
        return new Gradients(loss, 1, gradients);
    }

    /**
     * The mean loss of the next batch and its gradients, as a step of {@link SGD} makes them before it clips: in training, so that states change; but
     * parameters do not. What is random in it depends on the position of the minibatch.
     *
     * @param minibatch where the batch is from
     * @return both, which the caller closes
     * @throws IllegalArgumentException if there are no examples, they do not fit the inputs, or the loss depends on no parameter
     * @throws IllegalStateException if the graph has no loss, or is closed
     * @throws IndexOutOfBoundsException if a label or another look-up is outside
     */
    public Gradients gradients(Minibatch minibatch) {
        model.check();
        Descent.Outcome outcome = new Descent.Outcome();
        Map<Integer, Tensor<?>> gradients = new LinkedHashMap<>();
        model.gradients(Objects.requireNonNull(minibatch, "minibatch").batches, outcome, gradients);
        return new Gradients(outcome.loss, outcome.examples, gradients);
    }

    /**
     * Writes the parameters as safetensors.
     *
     * @param file the file, which is replaced once the new one is complete
     * @throws java.io.UncheckedIOException if it cannot be written
     */
    public void save(Path file) {
        model.check();
        Checkpoints.toFile(file, this::save);
    }

    /**
     * Writes the parameters as safetensors.
     *
     * @param out the stream, which is not closed
     * @throws java.io.UncheckedIOException if it cannot be written
     */
    public void save(OutputStream out) {
        model.check();
        Checkpoints.save(model, out);
    }

    /**
     * Reads the parameters, all or none.
     *
     * @param file a file of safetensors
     * @throws IllegalArgumentException if it is invalid, or does not have exactly these parameters
     * @throws java.io.UncheckedIOException if it ends too early, or cannot be read
     */
    public void load(Path file) {
        model.check();
        Checkpoints.fromFile(file, this::load);
    }

    /**
     * Reads the parameters, all or none.
     *
     * @param in the output of {@link #save(OutputStream)}, read up to its end; it is not closed
     * @throws IllegalArgumentException if it is invalid, or does not have exactly these parameters
     * @throws java.io.UncheckedIOException if it ends too early, or cannot be read
     */
    public void load(InputStream in) {
        model.check();
        Checkpoints.load(model, in);
    }

    /** Releases the memory, once a running call has ended. Closing again does nothing. */
    @Override
    public void close() {
        model.close();
    }
}
