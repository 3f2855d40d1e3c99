package io.tensornio.onnx;

import static io.tensornio.support.Expect.thrown;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tensornio.onnx.schema.Onnx.AttributeProto;
import io.tensornio.onnx.schema.Onnx.GraphProto;
import io.tensornio.onnx.schema.Onnx.NodeProto;
import io.tensornio.onnx.schema.Onnx.StringStringEntryProto;
import io.tensornio.onnx.schema.Onnx.TensorProto;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models that attack: each is refused with an error that says what is wrong. */
class HostileModelTest {
    @TempDir
    Path directory;

    private static void refused(GraphProto.Builder graph, String... words) {
        thrown(IllegalArgumentException.class, () -> OnnxModel.load(Models.model(graph)), words);
    }

    @Test
    void aCycle() {
        refused(GraphProto.newBuilder().addNode(Models.node("Relu", "b", "a")).addNode(Models.node("Relu", "a", "b")).addOutput(Models.value("b")),
            "Relu_a", "`b`", "cycle");
    }

    @Test
    void aNameThatIsNotThere() {
        refused(Models.layer().addNode(Models.node("Relu", "nowhere", "z")), "Relu_z", "`nowhere`");
        refused(Models.layer().addOutput(Models.value("nothing")), "`nothing`");
    }

    @Test
    void aNameThatIsDefinedTwice() {
        refused(Models.layer().addNode(Models.node("Relu", "x", "y")), "`y`", "before");
    }

    @Test
    void sizesThatOverflow() {
        TensorProto.Builder huge = TensorProto.newBuilder().setName("h").setDataType(1);
        refused(Models.layer().addInitializer(huge.addDims(1L << 62).addDims(4)), "`h`", "counted");
        refused(Models.layer().addInitializer(TensorProto.newBuilder().setName("n").setDataType(1).addDims(-3)), "`n`", "negative");
        refused(Models.layer().addInitializer(TensorProto.newBuilder().setName("m").setDataType(1).addDims(1L << 40)), "`m`", "elements");
        refused(Models.layer().addInitializer(Models.floats("few", new long[] {3}, 1, 2)), "`few`");
    }

    @Test
    void graphsNestedTooDeep() {
        GraphProto.Builder graph = Models.layer();
        for (int n = 0; n < 70; n++) {
            AttributeProto then = AttributeProto.newBuilder().setName("then_branch").setType(AttributeProto.AttributeType.GRAPH)
                .setG(graph.build()).build();
            graph = GraphProto.newBuilder().addInput(Models.value("x", "batch", 2)).addOutput(Models.value("y"))
                .addNode(NodeProto.newBuilder().setOpType("If").addInput("x").addOutput("y").addAttribute(then));
        }
        refused(graph);
    }

    @Test
    void filesOutsideOfTheFolder() throws IOException {
        Path inside = Files.createDirectory(directory.resolve("model"));
        Files.write(directory.resolve("secret"), new byte[8]);
        Files.write(inside.resolve("data"), new byte[8]);
        Files.createSymbolicLink(inside.resolve("link"), directory.resolve("secret"));
        for (String location : new String[] {"../secret", directory.resolve("secret").toString(), "link", "", ".", "data\0"}) {
            Path file = Files.write(inside.resolve("m.onnx"), Models.model(external(location)));
            assertThrows(IllegalArgumentException.class, () -> OnnxModel.load(file), location);
        }
        Path missing = Files.write(inside.resolve("m.onnx"), Models.model(external("missing")));
        assertThrows(UncheckedIOException.class, () -> OnnxModel.load(missing));
        OnnxModel.load(Files.write(inside.resolve("m.onnx"), Models.model(external("data")))).close();
        assertThrows(IllegalArgumentException.class, () -> OnnxModel.load(Models.model(external("data"))));
    }

    private static GraphProto.Builder external(String location) {
        return Models.layer().addInitializer(TensorProto.newBuilder().setName("e").setDataType(1).addDims(2)
            .setDataLocation(TensorProto.DataLocation.EXTERNAL).addExternalData(StringStringEntryProto.newBuilder().setKey("location")
            .setValue(location)));
    }

    @Test
    void bytesThatAreNoModel() {
        for (byte[] bytes : new byte[][] {{}, {1, 2, 3}, new byte[100]}) {
            assertThrows(IllegalArgumentException.class, () -> OnnxModel.load(bytes));
        }
    }

    @Test
    void aModeOfATreeThatIsNoneButInItsLowBits() {
        GraphProto.Builder graph = GraphProto.newBuilder().addInput(Models.value("x", 1, 1)).addOutput(Models.value("y")).addNode(
            Models.node("TreeEnsemble", "x", "y").toBuilder().setDomain("ai.onnx.ml").addAttribute(ints("nodes_featureids", 0))
                .addAttribute(tensor("nodes_modes", Models.longs("m", new long[] {1}, 1L << 32)))
                .addAttribute(tensor("nodes_splits", Models.floats("s", new long[] {1}, 0.5f))).addAttribute(ints("nodes_falsenodeids", 0))
                .addAttribute(ints("nodes_truenodeids", 1)).addAttribute(ints("nodes_falseleafs", 1)).addAttribute(ints("nodes_trueleafs", 1))
                .addAttribute(ints("tree_roots", 0)).addAttribute(ints("leaf_targetids", 0, 0))
                .addAttribute(tensor("leaf_weights", Models.floats("w", new long[] {2}, 1, 2))));
        try (OnnxModel model = OnnxModel.load(Models.model(graph, 18))) {
            thrown(IllegalArgumentException.class, () -> model.run(Collections.singletonMap("x", new float[1][1])), "7 modes", "none at 4294967296");
        }
    }

    private static AttributeProto ints(String name, long... values) {
        AttributeProto.Builder ints = AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.INTS);
        Arrays.stream(values).forEach(ints::addInts);
        return ints.build();
    }

    private static AttributeProto tensor(String name, TensorProto tensor) {
        return AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.TENSOR).setT(tensor).build();
    }
}
