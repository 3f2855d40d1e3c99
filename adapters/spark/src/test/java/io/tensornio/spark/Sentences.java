package io.tensornio.spark;

import io.tensornio.Axis;
import io.tensornio.graph.ComputeGraph;
import io.tensornio.graph.Sym;
import io.tensornio.graph.TensorContext;
import io.tensornio.graph.TensorGraph;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.Row;

/** A network over rows of any number of tokens, each with a weight: attention over embeddings, and a score. What docs/spark.md shows of it. */
final class Sentences {
    private Sentences() {
    }

    static ComputeGraph compiled() {
        TensorContext t = new TensorContext();
        Axis length = Axis.varying("T");                        // as many tokens as the row has, and as many weights
        Map<String, Sym> names = new HashMap<>();
        names.put("token", t.inputLong(length, Row.class, (row, data) -> data.put(longs(row, "tokens"))).named("tokens"));
        names.put("weight", t.input(length, Row.class, (row, data) -> data.put(floats(row, "weights"))).named("weights"));
        names.put("E", t.tensor(Axis.of(50), Axis.of(4)).named("E"));
        names.put("q", t.tensor(Axis.of(4)).named("q"));
        names.put("share", t.tensor().named("share"));
        names.put("y", t.scalar().named("score"));
        t.comprehension("s[j] += E[token[j],d] * q[d]; m max= s[j]; x[j] = exp(s[j] - m) * weight[j]; z += x[j]\n"
            + "share[j] = x[j] / (z + 1); bag[d] += share[j] * E[token[j],d]; y += bag[d] * q[d]", names);
        return new TensorGraph(names.get("y"), names.get("share")).compile();
    }

    private static long[] longs(Row row, String column) {
        return row.<Long>getList(row.fieldIndex(column)).stream().mapToLong(Long::longValue).toArray();
    }

    private static float[] floats(Row row, String column) {
        java.util.List<Float> list = row.getList(row.fieldIndex(column));
        float[] values = new float[list.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = list.get(i);
        }
        return values;
    }
}
