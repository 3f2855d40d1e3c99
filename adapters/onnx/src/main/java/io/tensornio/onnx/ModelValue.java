package io.tensornio.onnx;

import io.tensornio.DataType;
import io.tensornio.onnx.engine.ValueTypes;
import io.tensornio.onnx.schema.Onnx.TypeProto;
import io.tensornio.value.Value;
import java.util.Collections;
import java.util.List;

/** An input or output of a model, as the model describes it. */
public final class ModelValue {
    private final String name;
    private final Value.Kind kind;
    private final DataType type;
    private final List<String> axes;

    ModelValue(String name, TypeProto type) {
        this.name = name;
        this.kind = ValueTypes.kind(type);
        this.type = ValueTypes.dataType(type);
        List<String> known = ValueTypes.axes(type);
        this.axes = known == null ? null : Collections.unmodifiableList(known);
    }

    /**
     * Its name.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * What it is.
     *
     * @return TENSOR, LIST for a sequence, OPTIONAL, or DICT for a map
     */
    public Value.Kind kind() {
        return kind;
    }

    /**
     * The type of the elements, of a list or optional value those of the tensors in it.
     *
     * @return the type; null if the model does not say it
     */
    public DataType dataType() {
        return type;
    }

    /**
     * The axes of the tensor: of each its length, or its name if the length is not fixed, or {@code ?}.
     *
     * @return an unmodifiable list; null if the model does not say of which rank the tensor is
     */
    public List<String> axes() {
        return axes;
    }

    /**
     * The description in a line.
     *
     * @return such as {@code x FLOAT[batch, 64]}
     */
    @Override
    public String toString() {
        return name + " " + (kind == Value.Kind.TENSOR ? "" : kind + " of ") + (type == null ? "?" : type) + (axes == null ? "[...]" : axes);
    }
}
