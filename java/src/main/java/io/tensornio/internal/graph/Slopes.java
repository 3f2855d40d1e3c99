package io.tensornio.internal.graph;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.internal.compute.Call;
import io.tensornio.internal.compute.Program;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The gradients of the loss of one example. For one thread at a time. */
final class Slopes implements AutoCloseable {
    private final List<Variable> parameters = new ArrayList<>();
    private final Evaluation evaluation;

    Slopes(Model model) {
        Graph graph = model.graph;
        check(graph);
        List<Variable> wanted = Collections.singletonList(graph.loss);
        List<String> names = new ArrayList<>();
        for (Variable variable : graph.sources(wanted)) {
            if (variable.isParameter()) {
                parameters.add(variable);
                names.add(graph.name(variable));
            }
        }
        Forward forward = graph.forward(wanted);
        if (!parameters.isEmpty()) {
            // Parameters that the final text does not read have no gradient in it.
            Program program = Program.of(Graph.withoutReturn(forward.program.text())).gradient(forward.outputs.get(0), null, names);
            forward = forward.isWhole ? new Forward(graph, program, forward.given, program.outputs(), forward.batched, Collections.emptyMap(),
                Collections.emptyMap()) : new Forward(graph, program, forward.given, program.outputs());
        }
        evaluation = Evaluation.of(model, forward);
    }

    /** Checks that there is a loss which has gradients. */
    static void check(Graph graph) {
        Variable loss = graph.loss;
        if (loss == null) {
            throw new IllegalStateException("the graph has no loss");
        }
        if (graph.source(loss) != null) {
            throw new IllegalArgumentException("the loss " + loss + " is made of " + graph.source(loss)
                + ", a sequence or dictionary: through such there are no gradients");
        }
        if (loss.type != DataType.FLOAT && loss.type != DataType.DOUBLE) {
            throw new IllegalArgumentException("the loss " + loss + " is " + loss.type + ": only FLOAT and DOUBLE have gradients");
        }
    }

    /** The loss of an example, and its gradients by the numbers of the parameters. */
    double of(Object example, Map<Integer, Tensor<?>> gradients) {
        Tensor<?>[] made = Model.dense(Collections.singletonList(null), evaluation.one(example));      // of a loss and of parameters
        try (Tensor<?> loss = made[0]) {
            for (int n = 1; n < made.length; n++) {
                gradients.put(parameters.get(n - 1).id, made[n]);
            }
            return Elements.first(loss);
        }
    }

    @Override
    public void close() {
        evaluation.close();
    }
}
