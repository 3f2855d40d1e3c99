package io.tensornio.onnx.engine;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.onnx.OnnxModel;
import io.tensornio.onnx.schema.Onnx.ModelProto;
import io.tensornio.onnx.schema.Onnx.TensorProto;
import io.tensornio.onnx.schema.Onnx.TypeProto;
import io.tensornio.onnx.schema.Onnx.ValueInfoProto;
import io.tensornio.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One of ONNX's own tests: a folder with a model, and inputs and outputs of runs. */
final class NodeCase {
    /** Operators whose results are random: only types and shapes are compared. */
    private static final List<String> RANDOM = Arrays.asList("Bernoulli", "RandomUniform", "RandomNormal", "RandomUniformLike", "RandomNormalLike",
        "Multinomial");

    /** Tests whose files have what wraps around where the operator, by its description, saturates. */
    private static final String DISPUTED = ".*qlinearmatmul_.D_int8_.*";

    private final Path folder;

    NodeCase(Path folder) {
        this.folder = folder;
    }

    /** `pass`, or else what happens: `refused: why`, `fails: why`, `wrong: where`. */
    String outcome() throws IOException {
        Path file = folder.resolve("model.onnx");
        ModelProto proto = ModelProto.parseFrom(Files.readAllBytes(file));
        List<String> unsupported = OnnxModel.unsupported(file);
        if (!unsupported.isEmpty()) {
            return "refused: " + unsupported.get(0).replaceFirst("^node `[^`]*` ", "");
        }
        boolean random = proto.getGraph().getNodeList().stream().anyMatch(node -> RANDOM.contains(node.getOpType()));
        try (OnnxModel model = OnnxModel.load(Files.readAllBytes(file)); Stream<Path> sets = Files.list(folder)) {
            for (Path set : (Iterable<Path>) sets.filter(path -> path.getFileName().toString().startsWith("test_data_set")).sorted()::iterator) {
                String outcome = run(model, proto, set, random);
                if (outcome != null) {
                    return folder.toString().matches(DISPUTED) ? "disputed: the file has numbers that wrap, where the operator saturates" : outcome;
                }
            }
            return "pass";
        } catch (IllegalArgumentException e) {
            return "fails: " + e.getMessage().split("\n")[0];
        }
    }

    private static String run(OnnxModel model, ModelProto proto, Path set, boolean random) throws IOException {
        Map<String, Object> inputs = new LinkedHashMap<>();
        for (int n = 0; Files.exists(set.resolve("input_" + n + ".pb")); n++) {
            ValueInfoProto input = proto.getGraph().getInput(n);
            if (model.inputs().containsKey(input.getName())) {
                inputs.put(input.getName(), read(set.resolve("input_" + n + ".pb"), input.getType()));
            }
        }
        try (Value out = model.run(inputs)) {
            for (int n = 0; Files.exists(set.resolve("output_" + n + ".pb")); n++) {
                ValueInfoProto output = proto.getGraph().getOutput(n);
                Value expected = read(set.resolve("output_" + n + ".pb"), output.getType());
                String difference = difference(expected, out.get(output.getName()), random);
                expected.close();
                if (difference != null) {
                    return "wrong: " + output.getName() + ": " + difference;
                }
            }
        } finally {
            inputs.values().forEach(value -> ((Value) value).close());
        }
        return null;
    }

    private static Value read(Path file, TypeProto type) throws IOException {
        return read(ByteString.copyFrom(Files.readAllBytes(file)), type);
    }

    /** TensorProto, SequenceProto or OptionalProto; the latter two are in a schema of their own. */
    private static Value read(ByteString bytes, TypeProto type) throws IOException {
        if (type.hasSequenceType()) {
            List<Value> items = new ArrayList<>();
            for (ByteString item : fields(bytes, 3)) {
                items.add(read(item, type.getSequenceType().getElemType()));
            }
            for (ByteString item : fields(bytes, 5)) {
                items.add(read(item, type.getSequenceType().getElemType()));
            }
            return Value.list(items);
        }
        if (type.hasOptionalType()) {
            TypeProto element = type.getOptionalType().getElemType();
            List<ByteString> values = fields(bytes, element.hasSequenceType() ? 5 : 3);
            return Value.optional(values.isEmpty() ? null : read(values.get(0), element));
        }
        TensorProto tensor = TensorProto.parseFrom(bytes);
        int element = type.getTensorType().getElemType();
        if (element == TensorProto.DataType.BFLOAT16_VALUE && tensor.getDataType() == TensorProto.DataType.UINT16_VALUE) {
            tensor = tensor.toBuilder().setDataType(element).build();           // NumPy has no such type, so that the files have its bits
        }
        return Value.of(new Initializers(null).read(tensor, "a file"));
    }

    private static List<ByteString> fields(ByteString bytes, int field) throws IOException {
        List<ByteString> found = new ArrayList<>();
        CodedInputStream in = bytes.newCodedInput();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag == (field << 3 | 2)) {
                found.add(in.readBytes());
            } else {
                in.skipField(tag);
            }
        }
        return found;
    }

    /** Where two values differ by more than the tolerance; null if they do not. */
    static String difference(Value expected, Value actual, boolean shapeAlone) {
        if (expected.kind() == Value.Kind.OPTIONAL) {
            boolean there = actual.kind() != Value.Kind.OPTIONAL || actual.isPresent();
            return expected.isPresent() != there ? "present is " + there : !there ? null
                : difference(expected.get(), actual.kind() == Value.Kind.OPTIONAL ? actual.get() : actual, shapeAlone);
        }
        if (expected.kind() != actual.kind()) {
            return actual.kind() + " in place of " + expected.kind();
        }
        if (expected.kind() == Value.Kind.LIST) {
            if (expected.asList().size() != actual.asList().size()) {
                return actual.asList().size() + " items in place of " + expected.asList().size();
            }
            for (int n = 0; n < expected.asList().size(); n++) {
                String difference = difference(expected.get(n), actual.get(n), shapeAlone);
                if (difference != null) {
                    return "[" + n + "] " + difference;
                }
            }
            return null;
        }
        return difference(expected.asTensor(), actual.asTensor(), shapeAlone);
    }

    static String difference(AnyTensor<?> expected, AnyTensor<?> actual, boolean shapeAlone) {
        if (expected.dataType() != actual.dataType() || !Arrays.equals(expected.shape(), actual.shape())) {
            return actual.dataType() + Arrays.toString(actual.shape()) + " in place of " + expected.dataType() + Arrays.toString(expected.shape());
        }
        if (shapeAlone) {
            return null;
        }
        Elements wanted = Elements.of(expected.data());
        Elements made = Elements.of(actual.data());
        for (int n = 0; n < wanted.size(); n++) {
            boolean same = wanted.strings != null ? wanted.strings[n].equals(made.strings[n]) : wanted.whole != null
                ? wanted.whole[n] == made.whole[n] : close(wanted.numbers[n], made.numbers[n], expected.dataType());
            if (!same) {
                return "element " + n + " is " + (wanted.strings != null ? made.strings[n] + " in place of " + wanted.strings[n]
                    : made.number(n) + " in place of " + wanted.number(n));
            }
        }
        return null;
    }

    private static boolean close(double wanted, double made, DataType type) {
        double tolerance = type == DataType.FLOAT16 ? 2e-3 : type == DataType.BFLOAT16 ? 2e-2 : 1e-3;
        return Double.compare(wanted, made) == 0 || wanted == made || Math.abs(wanted - made) <= tolerance * Math.abs(wanted) + 1e-7;
    }
}
