package io.tensornio.onnx.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.Tensor;
import io.tensornio.onnx.schema.Onnx.AttributeProto;
import io.tensornio.onnx.schema.Onnx.GraphProto;
import io.tensornio.onnx.schema.Onnx.ModelProto;
import io.tensornio.onnx.schema.Onnx.NodeProto;
import io.tensornio.onnx.schema.Onnx.OperatorSetIdProto;
import io.tensornio.onnx.schema.Onnx.TensorProto;
import io.tensornio.onnx.schema.Onnx.ValueInfoProto;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes of constants are computed while a model is loaded, and others put together. */
class FoldingTest {
    private static NodeProto.Builder node(String operator, String output, String... inputs) {
        return NodeProto.newBuilder().setOpType(operator).addAllInput(java.util.Arrays.asList(inputs)).addOutput(output);
    }

    private static ValueInfoProto named(String name) {
        return ValueInfoProto.newBuilder().setName(name).build();
    }

    private static AttributeProto graph(String name, GraphProto.Builder graph) {
        return AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.GRAPH).setG(graph).build();
    }

    private static TensorProto floats(String name, float... values) {
        TensorProto.Builder tensor = TensorProto.newBuilder().setName(name).setDataType(TensorProto.DataType.FLOAT_VALUE).addDims(values.length);
        for (float value : values) {
            tensor.addFloatData(value);
        }
        return tensor.build();
    }

    /** If `go`: twice over, an If in an If, the negated weights times x; else x. An input of the name of a constant may be replaced by a run. */
    private static ModelProto model(boolean replaceable) {
        GraphProto.Builder deep = GraphProto.newBuilder().setName("deep").addNode(node("Neg", "n", "w")).addNode(node("Mul", "y", "n", "x"))
            .addOutput(named("y"));
        GraphProto.Builder other = GraphProto.newBuilder().setName("other").addNode(node("Identity", "o", "x")).addOutput(named("o"));
        GraphProto.Builder outer = GraphProto.newBuilder().setName("outer").addNode(node("If", "z", "go").addAttribute(graph("then_branch", deep))
            .addAttribute(graph("else_branch", other))).addOutput(named("z"));
        GraphProto.Builder whole = GraphProto.newBuilder().setName("whole").addInput(named("x")).addInput(named("go")).addOutput(named("r"))
            .addInitializer(floats("w", 1, -2)).addNode(node("If", "r", "go").addAttribute(graph("then_branch", outer))
            .addAttribute(graph("else_branch", other)));
        if (replaceable) {
            whole.addInput(named("w"));
        }
        return ModelProto.newBuilder().setIrVersion(8).setGraph(whole).addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(18)).build();
    }

    private static void count(Graph graph, Map<String, Integer> counts) {
        for (Node node : graph.nodes) {
            counts.merge(node.operator.name, 1, Integer::sum);
            node.attributes.graphs().forEach(inner -> count(inner, counts));
        }
    }

    private static Map<String, Integer> folded(boolean replaceable) {
        GraphBuilder builder = new GraphBuilder(model(replaceable), new Initializers(null));
        Map<String, Integer> counts = new LinkedHashMap<>();
        try {
            Graph graph = builder.build(new LinkedHashMap<>(), new LinkedHashMap<>());
            List<Tensor<?>> owned = builder.owned;
            new Folding(graph, owned).fold();
            count(graph, counts);
        } finally {
            new ArrayList<>(builder.owned).forEach(Tensor::close);
        }
        return counts;
    }

    @Test
    void constantsOfTheGraphsAroundAreThoseOfABranch() {
        assertEquals(null, folded(false).get("Neg"));
        assertEquals(1, folded(false).get("Mul"));
        // What a run may replace is no constant, in a branch either.
        assertEquals(1, folded(true).get("Neg"));
    }

    @Test
    void aBranchGivesTheSame() {
        try (io.tensornio.onnx.OnnxModel model = io.tensornio.onnx.OnnxModel.load(typed(model(true)).toByteArray())) {
            Map<String, Object> given = new LinkedHashMap<>();
            given.put("x", new float[] {3, 5});
            given.put("go", new boolean[] {true});
            assertArrayEquals(new float[] {-3, 10}, run(model, given));
            given.put("w", new float[] {2, 1});
            assertArrayEquals(new float[] {-6, -5}, run(model, given));
            given.put("go", new boolean[] {false});
            assertArrayEquals(new float[] {3, 5}, run(model, given));
        }
    }

    /** The length of a vector (x, x), by powers of a constant. */
    private static ModelProto length(float... power) {
        TensorProto.Builder two = floats("p", power).toBuilder();
        if (power.length == 1) {
            two.clearDims();
        }
        GraphProto.Builder whole = GraphProto.newBuilder().setName("length").addInput(named("x")).addOutput(named("r")).addInitializer(two)
            .addNode(node("Pow", "a", "x", "p")).addNode(node("Pow", "b", "x", "p")).addNode(node("Add", "c", "a", "b"))
            .addNode(node("Sqrt", "r", "c"));
        return ModelProto.newBuilder().setIrVersion(8).setGraph(whole).addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(18)).build();
    }

    private static int nodes(ModelProto model) {
        GraphBuilder builder = new GraphBuilder(model, new Initializers(null));
        try {
            Graph graph = builder.build(new LinkedHashMap<>(), new LinkedHashMap<>());
            Rewrites.apply(graph);
            return graph.nodes.size();
        } finally {
            new ArrayList<>(builder.owned).forEach(Tensor::close);
        }
    }

    @Test
    void squaresAreProductsThatAreFused() {
        assertEquals(1, nodes(length(2)));
        // Other powers, and one that would broadcast.
        assertEquals(3, nodes(length(3)));
        assertEquals(3, nodes(length(2, 2)));
        try (io.tensornio.onnx.OnnxModel model = io.tensornio.onnx.OnnxModel.load(typed(length(2)).toByteArray())) {
            Map<String, Object> given = new LinkedHashMap<>();
            given.put("x", new float[] {-3, 0, 1e30f, Float.NEGATIVE_INFINITY});
            assertArrayEquals(new float[] {4.2426405f, 0, Float.POSITIVE_INFINITY, Float.POSITIVE_INFINITY}, run(model, given), 1e-6f);
        }
    }

    private static float[] run(io.tensornio.onnx.OnnxModel model, Map<String, Object> given) {
        try (io.tensornio.value.Value out = model.run(given)) {
            return out.get("r").asTensor().toNested(float[].class);
        }
    }

    private static ModelProto typed(ModelProto model) {
        GraphProto.Builder graph = model.getGraph().toBuilder();
        for (int n = 0; n < graph.getInputCount(); n++) {
            boolean isFlag = graph.getInput(n).getName().equals("go");
            graph.setInput(n, graph.getInput(n).toBuilder().setType(io.tensornio.onnx.schema.Onnx.TypeProto.newBuilder().setTensorType(
                io.tensornio.onnx.schema.Onnx.TypeProto.Tensor.newBuilder()
                .setElemType((isFlag ? TensorProto.DataType.BOOL : TensorProto.DataType.FLOAT).getNumber()))));
        }
        return model.toBuilder().setGraph(graph).build();
    }
}
