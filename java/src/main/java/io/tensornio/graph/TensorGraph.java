package io.tensornio.graph;

import io.tensornio.Tensor;
import io.tensornio.internal.graph.Graph;
import io.tensornio.internal.graph.Model;
import io.tensornio.internal.graph.Variable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** All that a loss, and outputs besides, are made of. */
public final class TensorGraph {
    private final TensorContext context;
    private final Sym loss;
    private final List<Sym> outputs = new ArrayList<>();

    /**
     * A graph.
     *
     * @param loss what is made small by training, of one element
     * @param outputs what is to be made besides, and is not part of the loss
     * @throws IllegalArgumentException if one is of another context
     */
    public TensorGraph(Sym loss, Sym... outputs) {
        this.loss = Objects.requireNonNull(loss, "loss");
        context = loss.context;
        for (int n = 0; n < Objects.requireNonNull(outputs, "outputs").length; n++) {
            context.check(outputs[n], "output " + n);
            this.outputs.add(outputs[n]);
        }
    }

    List<Sym> outputs() {
        return outputs;
    }

    TensorContext context() {
        return context;
    }

    /**
     * Infers all dimensions, and makes numbers of the graph: its parameters are zero.
     *
     * @return a compute graph, which the caller closes
     * @throws IllegalArgumentException if dimensions contradict each other or are not determined, types do not fit, there is a cycle, or the loss has
     *     more elements than one: all of it at once
     */
    public ComputeGraph compile() {
        return compile(Collections.emptyMap());
    }

    /**
     * Infers all dimensions, and makes numbers of the graph.
     *
     * @param parameters the parameters, by number; those that are not given are zero. They are copied
     * @return a compute graph, which the caller closes
     * @throws IllegalArgumentException as {@link #compile()}; or if a number is none of a parameter, or a tensor has another type or shape
     */
    public ComputeGraph compile(Map<Integer, ? extends Tensor<?>> parameters) {
        Objects.requireNonNull(parameters, "parameters");
        List<Variable> wanted = new ArrayList<>();
        outputs.forEach(output -> wanted.add(output.variable));
        Graph graph = new Graph(loss.variable, wanted, context.equations());
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
