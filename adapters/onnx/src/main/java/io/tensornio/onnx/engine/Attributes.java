package io.tensornio.onnx.engine;

import com.google.protobuf.ByteString;
import io.tensornio.DataType;
import io.tensornio.onnx.schema.Onnx.AttributeProto;
import io.tensornio.onnx.schema.Onnx.TypeProto;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The attributes of a node, by name. Those that are tensors and graphs have been read before. */
final class Attributes {
    private final Map<String, AttributeProto> byName;
    private final Map<String, Item> tensors = new HashMap<>();
    private final Map<String, Graph> graphs = new HashMap<>();

    Attributes(Map<String, AttributeProto> byName) {
        this.byName = byName;
    }

    /** The same attribute with strings of its own: those of a message are parts of all its bytes, which they would keep. */
    static AttributeProto detached(AttributeProto attribute) {
        if (attribute.getS().isEmpty() && attribute.getStringsCount() == 0) {
            return attribute;
        }
        AttributeProto.Builder own = attribute.toBuilder().setS(copied(attribute.getS())).clearStrings();
        attribute.getStringsList().forEach(string -> own.addStrings(copied(string)));
        return own.build();
    }

    private static ByteString copied(ByteString bytes) {
        return ByteString.copyFrom(bytes.toByteArray());
    }

    void put(String name, Item tensor) {
        tensors.put(name, tensor);
    }

    void put(String name, Graph graph) {
        graphs.put(name, graph);
    }

    /** No longer needs what the tensors were read from. */
    void forget(String name) {
        byName.put(name, AttributeProto.newBuilder().setName(name).setType(byName.get(name).getType()).build());
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

    /** Whether another node has the same ones, of numbers and strings. */
    boolean isLike(Attributes other) {
        return byName.equals(other.byName) && tensors.isEmpty() && graphs.isEmpty();
    }

    Iterable<Graph> graphs() {
        return Collections.unmodifiableCollection(graphs.values());
    }

    private AttributeProto get(String name, AttributeProto.AttributeType type) {
        AttributeProto found = byName.get(name);
        if (found != null && found.getType() != type && found.getType() != AttributeProto.AttributeType.UNDEFINED) {
            throw new IllegalArgumentException("attribute `" + name + "` is " + found.getType() + ", not " + type);
        }
        return found;
    }

    private static IllegalArgumentException missing(String name) {
        return new IllegalArgumentException("attribute `" + name + "` is missing");
    }

    long integer(String name, long otherwise) {
        AttributeProto found = get(name, AttributeProto.AttributeType.INT);
        return found == null ? otherwise : found.getI();
    }

    long integer(String name) {
        if (!has(name)) {
            throw missing(name);
        }
        return integer(name, 0);
    }

    boolean flag(String name, boolean otherwise) {
        return integer(name, otherwise ? 1 : 0) != 0;
    }

    float number(String name, double otherwise) {
        AttributeProto found = get(name, AttributeProto.AttributeType.FLOAT);
        return found == null ? (float) otherwise : found.getF();
    }

    String string(String name, String otherwise) {
        AttributeProto found = get(name, AttributeProto.AttributeType.STRING);
        return found == null ? otherwise : found.getS().toString(StandardCharsets.UTF_8);
    }

    /** Integers; null if there is no such attribute. */
    long[] integers(String name) {
        AttributeProto found = get(name, AttributeProto.AttributeType.INTS);
        return found == null ? null : found.getIntsList().stream().mapToLong(Long::longValue).toArray();
    }

    long[] integers(String name, long... otherwise) {
        long[] found = integers(name);
        return found == null ? otherwise : found;
    }

    /** Numbers; null if there is no such attribute. */
    double[] numbers(String name) {
        AttributeProto found = get(name, AttributeProto.AttributeType.FLOATS);
        return found == null ? null : found.getFloatsList().stream().mapToDouble(Float::doubleValue).toArray();
    }

    /** Strings; null if there is no such attribute. */
    String[] strings(String name) {
        AttributeProto found = get(name, AttributeProto.AttributeType.STRINGS);
        return found == null ? null : found.getStringsList().stream().map(bytes -> bytes.toString(StandardCharsets.UTF_8)).toArray(String[]::new);
    }

    /** A tensor; null if there is no such attribute. */
    Item tensor(String name) {
        return tensors.get(name);
    }

    Graph graph(String name) {
        Graph found = graphs.get(name);
        if (found == null) {
            throw missing(name);
        }
        return found;
    }

    TypeProto type(String name) {
        AttributeProto found = get(name, AttributeProto.AttributeType.TYPE_PROTO);
        return found == null ? null : found.getTp();
    }

    /** An element type, given by its number. */
    DataType dataType(String name, DataType otherwise) {
        return has(name) ? Types.checked(Math.toIntExact(integer(name)), "attribute `" + name + "`") : otherwise;
    }

    /** A list of values of one of the kinds that have one; for the operators of classical models. */
    List<Float> floats(String name) {
        AttributeProto found = get(name, AttributeProto.AttributeType.FLOATS);
        return found == null ? Collections.emptyList() : found.getFloatsList();
    }
}
