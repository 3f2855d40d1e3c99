package io.tensornio.onnx.engine;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.tensornio.AnyTensor;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.onnx.schema.Onnx.ModelProto;
import io.tensornio.onnx.schema.Onnx.StringStringEntryProto;
import io.tensornio.onnx.schema.Onnx.TensorShapeProto;
import io.tensornio.onnx.schema.Onnx.TypeProto;
import io.tensornio.onnx.schema.Onnx.ValueInfoProto;
import io.tensornio.value.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A model that can run: its graph, and the tensors that it owns. */
public final class Model {
    /** How deep messages may be nested: a graph in a node's attribute is three deeper than the graph around it. */
    private static final int MESSAGES = 3 * GraphBuilder.DEEPEST + 16;

    /** The inputs that have no value in the model, by name. */
    public final Map<String, ValueInfoProto> inputs = new LinkedHashMap<>();
    /** The inputs that have one, which a run may replace, by name. */
    public final Map<String, ValueInfoProto> replaceable = new LinkedHashMap<>();
    /** The outputs by name. */
    public final Map<String, ValueInfoProto> outputs = new LinkedHashMap<>();
    /** What the model says of itself. */
    public final Map<String, String> metadata = new LinkedHashMap<>();
    /** Versions of operator sets by their domains. */
    public final Map<String, Long> opsets = new LinkedHashMap<>();
    private final List<Tensor<?>> owned;
    private final Graph graph;
    private final Map<List<String>, Graph> parts = Collections.synchronizedMap(new LinkedHashMap<>());

    private Model(ModelProto proto, Path folder, List<String> unsupported) {
        GraphBuilder builder = new GraphBuilder(proto, new Initializers(folder));
        owned = builder.owned;
        boolean done = false;
        try {
            graph = builder.build(inputs, replaceable);
            proto.getGraph().getOutputList().forEach(output -> outputs.put(output.getName(), output));
            for (Map<String, ValueInfoProto> all : Arrays.asList(inputs, replaceable, outputs)) {
                all.forEach((name, info) -> ValueTypes.check(info.getType(), (all == outputs ? "output `" : "input `") + name + "`",
                    builder.unsupported));
            }
            unsupported.addAll(builder.unsupported);
            if (!unsupported.isEmpty()) {
                return;
            }
            new Folding(graph, owned).fold();
            Rewrites.apply(graph);
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
        for (StringStringEntryProto entry : proto.getMetadataPropsList()) {
            metadata.put(entry.getKey(), entry.getValue());
        }
        proto.getOpsetImportList().forEach(opset -> opsets.put(opset.getDomain(), opset.getVersion()));
    }

    /**
     * Reads a model.
     *
     * @param bytes the message
     * @param folder where files beside it are; null for none
     * @param unsupported receives what this engine does not support; the model cannot run if there is any
     * @param what names it in errors
     */
    public static Model read(byte[] bytes, Path folder, List<String> unsupported, String what) {
        ModelProto proto;
        try {
            ByteString aliased = UnsafeByteOperations.unsafeWrap(bytes);
            CodedInputStream in = aliased.newCodedInput();
            in.enableAliasing(true);
            in.setRecursionLimit(MESSAGES);
            proto = ModelProto.parseFrom(in);
            in.checkLastTagWas(0);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(what + " is no ONNX model: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException(what + " cannot be read: " + e.getMessage(), e);
        }
        if (!proto.hasGraph()) {
            throw new IllegalArgumentException(what + " is no ONNX model: it has no graph");
        }
        try {
            return new Model(proto, folder, unsupported);
        } catch (ArithmeticException | IndexOutOfBoundsException | ClassCastException | NegativeArraySizeException e) {
            throw new IllegalArgumentException(what + ": " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(what + ": " + e.getMessage(), e);
        }
    }

    /** Fixes the lengths of axes of inputs by their names. */
    public void freeze(Map<String, Long> lengths) {
        Set<String> unknown = new java.util.LinkedHashSet<>(lengths.keySet());
        inputs.replaceAll((name, info) -> {
            if (!info.getType().hasTensorType() || !info.getType().getTensorType().hasShape()) {
                return info;
            }
            TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
            for (TensorShapeProto.Dimension axis : info.getType().getTensorType().getShape().getDimList()) {
                Long length = axis.hasDimParam() ? lengths.get(axis.getDimParam()) : null;
                unknown.remove(length == null ? "" : axis.getDimParam());
                shape.addDim(length == null ? axis
                    : TensorShapeProto.Dimension.newBuilder().setDimValue(length).build());
            }
            TypeProto type = info.getType();
            return info.toBuilder().setType(type.toBuilder().setTensorType(type.getTensorType().toBuilder().setShape(shape))).build();
        });
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("no input has axes named " + unknown);
        }
    }

    /** Runs the graph, or the part of it that some outputs need; none means all of them. */
    public Value run(Map<String, ?> given, String... only) {
        for (String name : given.keySet()) {
            if (!inputs.containsKey(name) && !replaceable.containsKey(name)) {
                throw new IllegalArgumentException("there is no input `" + name + "`; the model has " + inputs.keySet());
            }
        }
        List<String> names = new ArrayList<>(only.length == 0 ? outputs.keySet() : Arrays.asList(only));
        Graph part = only.length == 0 ? graph : part(names);
        Item[] in = new Item[inputs.size() + replaceable.size()];
        List<Tensor<?>> copies = new ArrayList<>();
        try {
            int n = 0;
            Map<String, ValueInfoProto> all = new LinkedHashMap<>(inputs);
            all.putAll(replaceable);
            for (Map.Entry<String, ValueInfoProto> input : all.entrySet()) {
                Object value = given.get(input.getKey());
                if (value == null && n < inputs.size() && part.reads[part.inputs[n]] > 0) {
                    throw new IllegalArgumentException("input `" + input.getKey() + "` is missing; the model has " + inputs.keySet());
                }
                in[n] = value == null ? null : ValueTypes.item(value, input.getValue().getType(), "input `" + input.getKey() + "`", copies);
                n++;
            }
            Cells cells = new Cells();
            try {
                return taken(names, new Run().graph(part, in));
            } finally {
                cells.close();
            }
        } finally {
            copies.forEach(Tensor::close);
        }
    }

    private static Value taken(List<String> names, Item... out) {
        Map<String, Object> values = new LinkedHashMap<>();
        int n = 0;
        try {
            for (; n < out.length; n++) {
                values.put(names.get(n), ValueTypes.value(out[n]));
            }
            return Value.dict(values);
        } catch (RuntimeException | Error e) {
            values.values().forEach(value -> ((Value) value).close());
            for (; n < out.length; n++) {
                out[n].release();
            }
            throw e;
        }
    }

    private Graph part(List<String> names) {
        Set<String> unknown = new java.util.LinkedHashSet<>(names);
        unknown.removeAll(outputs.keySet());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("there are no outputs " + unknown + "; the model has " + outputs.keySet());
        }
        return parts.computeIfAbsent(names, key -> {
            int[] slots = new int[names.size()];
            List<String> all = new ArrayList<>(outputs.keySet());
            for (int n = 0; n < slots.length; n++) {
                slots[n] = graph.outputs[all.indexOf(names.get(n))];
            }
            return graph.part(slots);
        });
    }

    /** Closes the tensors of the model. */
    public void close() {
        owned.forEach(Tensor::close);
    }

    static TensorData<?> dense(AnyTensor<?> tensor, String what) {
        if (tensor instanceof SparseTensor || tensor instanceof RaggedTensor) {
            throw new IllegalArgumentException(what + " is no dense tensor; toDense() makes one");
        }
        return tensor.data();
    }
}
