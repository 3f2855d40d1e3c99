package io.tensornio.onnx;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models that attack: each is refused with an error that says what is wrong. */
class HostileModelTest {
    @TempDir
    Path directory;

    private static void refused(GraphProto.Builder graph, String... words) {
        String message = assertThrows(IllegalArgumentException.class, () -> OnnxModel.load(Models.model(graph))).getMessage();
        Arrays.stream(words).forEach(word -> assertTrue(message.contains(word), message));
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
}
