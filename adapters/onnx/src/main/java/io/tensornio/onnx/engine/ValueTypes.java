package io.tensornio.onnx.engine;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.Tensors;
import io.tensornio.onnx.schema.Onnx.TensorShapeProto;
import io.tensornio.onnx.schema.Onnx.TypeProto;
import io.tensornio.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The types of inputs and outputs, and values of them. */
public final class ValueTypes {
    private ValueTypes() {
    }

    static void check(TypeProto type, String what, Collection<String> unsupported) {
        switch (type.getValueCase()) {
            case TENSOR_TYPE:
                if (type.getTensorType().getElemType() != 0 && Types.of(type.getTensorType().getElemType()) == null) {
                    unsupported.add(what + " has elements of the type " + Types.name(type.getTensorType().getElemType()));
                }
                break;
            case SEQUENCE_TYPE:
                check(type.getSequenceType().getElemType(), what, unsupported);
                break;
            case OPTIONAL_TYPE:
                check(type.getOptionalType().getElemType(), what, unsupported);
                break;
            case MAP_TYPE:
                check(type.getMapType().getValueType(), what, unsupported);
                break;
            case SPARSE_TENSOR_TYPE:
            case OPAQUE_TYPE:
                unsupported.add(what + " is a " + type.getValueCase());
                break;
            default:
        }
    }

    /**
     * The lengths of axes of a tensor type: numbers, names, or `?`.
     *
     * @return null if the rank is not known
     */
    public static List<String> axes(TypeProto type) {
        TypeProto inner = type;
        while (inner.hasOptionalType() || inner.hasSequenceType()) {
            inner = inner.hasOptionalType() ? inner.getOptionalType().getElemType() : inner.getSequenceType().getElemType();
        }
        if (!inner.hasTensorType() || !inner.getTensorType().hasShape()) {
            return null;
        }
        List<String> axes = new ArrayList<>();
        for (TensorShapeProto.Dimension axis : inner.getTensorType().getShape().getDimList()) {
            axes.add(axis.hasDimValue() && axis.getDimValue() >= 0 ? Long.toString(axis.getDimValue())
                : axis.getDimParam().isEmpty() ? "?" : axis.getDimParam());
        }
        return axes;
    }

    /** The element type of a tensor, or of what a sequence or optional value has; null if it is not known. */
    public static DataType dataType(TypeProto type) {
        switch (type.getValueCase()) {
            case TENSOR_TYPE:
                return Types.of(type.getTensorType().getElemType());
            case SEQUENCE_TYPE:
                return dataType(type.getSequenceType().getElemType());
            case OPTIONAL_TYPE:
                return dataType(type.getOptionalType().getElemType());
            case MAP_TYPE:
                return dataType(type.getMapType().getValueType());
            default:
                return null;
        }
    }

    /** The kind of a value of the type. */
    public static Value.Kind kind(TypeProto type) {
        switch (type.getValueCase()) {
            case SEQUENCE_TYPE:
                return Value.Kind.LIST;
            case OPTIONAL_TYPE:
                return Value.Kind.OPTIONAL;
            case MAP_TYPE:
                return Value.Kind.DICT;
            default:
                return Value.Kind.TENSOR;
        }
    }

    /** What a caller gives, borrowed; what must be copied is added to `copies`. */
    static Item item(Object given, TypeProto type, String what, List<Tensor<?>> copies) {
        if (type.hasOptionalType()) {
            Object content = given;
            if (given instanceof Value && ((Value) given).kind() == Value.Kind.OPTIONAL) {
                if (!((Value) given).isPresent()) {
                    return Item.absent();
                }
                content = ((Value) given).get();
            }
            return item(content, type.getOptionalType().getElemType(), what, copies);
        }
        if (type.hasSequenceType()) {
            TypeProto element = type.getSequenceType().getElemType();
            List<?> parts = given instanceof Value && ((Value) given).kind() == Value.Kind.LIST ? ((Value) given).asList()
                : given instanceof List ? (List<?>) given : null;
            if (parts == null) {
                throw new IllegalArgumentException(what + " is no list; the model takes a sequence");
            }
            List<Item> items = new ArrayList<>();
            for (Object part : parts) {
                items.add(item(part, element, what + "[" + items.size() + "]", copies));
            }
            return Item.sequence(dataType(element), items);
        }
        if (type.hasMapType()) {
            return map(given, type, what, copies);
        }
        TensorData<?> data;
        if (given instanceof Value) {
            if (((Value) given).kind() != Value.Kind.TENSOR) {
                throw new IllegalArgumentException(what + " is a " + ((Value) given).kind() + "; the model takes a tensor");
            }
            data = Model.dense(((Value) given).asTensor(), what);
        } else if (given instanceof AnyTensor) {
            data = Model.dense((AnyTensor<?>) given, what);
        } else {
            Tensor<?> copy = given instanceof TensorData ? ((TensorData<?>) given).copy() : Tensors.ofNested(given);
            copies.add(copy);
            data = copy.data();
        }
        DataType expected = type.hasTensorType() ? Types.of(type.getTensorType().getElemType()) : null;
        if (expected != null && data.dataType() != expected) {
            throw new IllegalArgumentException(what + " is " + data.dataType() + Arrays.toString(data.shape()) + "; the model takes " + expected);
        }
        checkShape(data.shape(), type, what);
        return Item.borrowed(data);
    }

    private static void checkShape(long[] shape, TypeProto type, String what) {
        List<String> axes = axes(type);
        if (axes == null) {
            return;
        }
        boolean fits = axes.size() == shape.length;
        for (int d = 0; fits && d < shape.length; d++) {
            TensorShapeProto.Dimension axis = type.getTensorType().getShape().getDim(d);
            fits = !axis.hasDimValue() || axis.getDimValue() < 0 || axis.getDimValue() == shape[d];
        }
        if (!fits) {
            throw new IllegalArgumentException(what + " is of shape " + Arrays.toString(shape) + "; the model takes " + axes);
        }
    }

    private static Item map(Object given, TypeProto type, String what, List<Tensor<?>> copies) {
        Map<?, ?> entries = given instanceof Value && ((Value) given).kind() == Value.Kind.DICT ? ((Value) given).asDict()
            : given instanceof Map ? (Map<?, ?>) given : null;
        if (entries == null) {
            throw new IllegalArgumentException(what + " is no dictionary; the model takes a map");
        }
        Map<String, Item> items = new LinkedHashMap<>();
        entries.forEach((key, value) -> items.put(key.toString(),
            item(value, type.getMapType().getValueType(), what + "[" + key + "]", copies)));
        return Item.map(items);
    }

    /** A value of the caller's own; takes the item's share. */
    static Value value(Item item) {
        switch (item.kind) {
            case TENSOR:
                return Value.of(item.take());
            case ABSENT:
                return Value.optional(null);
            case SEQUENCE: {
                List<Object> values = new ArrayList<>();
                for (Item part : item.items()) {
                    values.add(value(part));
                }
                return Value.list(values);
            }
            default: {
                Map<String, Object> values = new LinkedHashMap<>();
                item.entries().forEach((key, part) -> values.put(key, value(part)));
                return Value.dict(values);
            }
        }
    }
}
