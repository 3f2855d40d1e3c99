package io.tensornio.spark;

import io.tensornio.Axis;
import io.tensornio.graph.ComputeGraph;
import io.tensornio.graph.Dense;
import io.tensornio.graph.Sym;
import io.tensornio.graph.Sym1;
import io.tensornio.graph.TensorContext;
import io.tensornio.graph.TensorGraph;
import java.util.List;
import org.apache.spark.sql.Row;

/** A network of 4 features, 8 hidden units and 3 classes, on rows with features and label. */
final class Network {
    private Network() {
    }

    static ComputeGraph compiled() {
        TensorContext t = new TensorContext();
        Sym1<Axis> x = t.input(Axis.of("X", 4), Row.class, (row, data) -> {
            List<Float> features = row.getList(row.fieldIndex("features"));
            for (int i = 0; i < 4; i++) {
                data.put(features.get(i), i);
            }
        }).named("features");
        Sym label = t.inputInt(Row.class, (row, data) -> data.put(row.<Integer>getAs("label"))).named("label");
        Dense<Axis> hidden = t.comprehensions().dense(Axis.of("H", 8), x).withTanh();
        Dense<Axis> logits = t.comprehensions().linear(Axis.of("C", 3), hidden.output());
        Sym probabilities = t.comprehensions().softmax(logits.output()).named("probabilities");
        return new TensorGraph(t.comprehensions().softmaxCrossEntropy(logits.output(), label), probabilities).compile();
    }
}
