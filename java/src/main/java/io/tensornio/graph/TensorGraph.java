package io.tensornio.graph;

import io.tensornio.Tensor;
import io.tensornio.internal.graph.Drawing;
import io.tensornio.internal.graph.Graph;
import io.tensornio.internal.graph.Model;
import io.tensornio.internal.graph.Variable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A graph: all nodes on which a loss and outputs depend. */
public final class TensorGraph {
    private final TensorContext context;
    private final @Nullable Sym loss;
    private final List<Symbolic> outputs = new ArrayList<>();

    /**
     * Makes a graph with a loss.
     *
     * @param loss the loss that training minimises, of one element
     * @param outputs additional outputs
     * @throws IllegalArgumentException if one is of another context
     */
    public TensorGraph(Sym loss, Symbolic... outputs) {
        this(Objects.requireNonNull(loss, "loss").context, loss, outputs);
    }

    private TensorGraph(TensorContext context, @Nullable Sym loss, Symbolic... outputs) {
        this.loss = loss;
        this.context = context;
        for (int n = 0; n < Objects.requireNonNull(outputs, "outputs").length; n++) {
            context.check(outputs[n], "output " + n);
            this.outputs.add(outputs[n]);
        }
    }

    /**
     * A graph without a loss, which can be run, but not trained.
     *
     * @param first the first output
     * @param others the other outputs
     * @return a graph
     * @throws IllegalArgumentException if one is of another context
     */
    public static TensorGraph of(Symbolic first, Symbolic... others) {
        Symbolic[] all = new Symbolic[others.length + 1];
        all[0] = Objects.requireNonNull(first, "first");
        System.arraycopy(others, 0, all, 1, others.length);
        return new TensorGraph(first.context, null, all);
    }

    List<Symbolic> outputs() {
        return outputs;
    }

    TensorContext context() {
        return context;
    }

    /**
     * The graph as a picture in the language of Graphviz: tensors, and between them what makes them.
     *
     * @return a whole document
     * @throws IllegalArgumentException if there is a cycle
     */
    public String toDot() {
        List<Variable> wanted = new ArrayList<>();
        if (loss != null) {
            wanted.add(loss.variable);
        }
        outputs.forEach(output -> wanted.add(output.variable));
        return Drawing.dot(wanted);
    }

    /**
     * Infers all dimensions, and allocates the parameters, which are zero.
     *
     * @return a compute graph, which the caller closes
     * @throws IllegalArgumentException if dimensions contradict each other or are not determined, types do not fit,
     *     there is a cycle, or the loss has more than one element: all faults are reported at once
     */
    public ComputeGraph compile() {
        return compile(Collections.emptyMap());
    }

    /**
     * Infers all dimensions, and allocates the parameters.
     *
     * @param parameters the parameters, by number; those that are not given are zero. They are copied
     * @return a compute graph, which the caller closes
     * @throws IllegalArgumentException as {@link #compile()}; or if a number is not that of a parameter, or a tensor has another type or shape
     */
    public ComputeGraph compile(Map<Integer, ? extends Tensor<?>> parameters) {
        Objects.requireNonNull(parameters, "parameters");
        List<Variable> wanted = new ArrayList<>();
        outputs.forEach(output -> wanted.add(output.variable));
        Graph graph = new Graph(loss == null ? null : loss.variable, wanted, context.equations(), context);
        Model model = new Model(graph);
        try {
            ComputeGraph compiled = new ComputeGraph(this, model);
            compiled.setAll(parameters);
            return compiled;
        } catch (Throwable e) {
            model.close();
            throw e;
        }
    }
}
