package io.tensornio.internal.graph;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.compute.TensorName;
import io.tensornio.internal.compute.Keys;
import io.tensornio.internal.data.StoredOperand;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A symbolic tensor, sequence or dictionary: its known properties, and the node that makes it. */
public final class Variable {
    static {
        new TensorName("key").name();       // the initialiser of its class installs what makes keys
    }

    /** The role of a tensor in a graph. */
    public enum Kind {
        /** A given constant. */
        CONSTANT,
        /** An input, given with each example. */
        INPUT,
        /** An item of a sequence, within the body of a map. */
        ITEM,
        /** Kept between steps, and defined by a text of training. */
        STATE,
        /** None of these: made by a comprehension if there is a {@link #maker}, else a parameter. */
        OTHER
    }

    /** The kind of value of a variable. */
    public enum Form {
        /** One tensor. */
        TENSOR,
        /** Tensors in order. */
        LIST,
        /** Tensors by name. */
        DICT
    }

    /** Its number in its context; that of a sequence or dictionary is negative. */
    public final int id;
    /** The kind of its value. */
    public final Form form;
    /** Its role. */
    public final Kind kind;
    /** Its name in the text of layers, which users do not see. */
    public final TensorName key;
    /** The type of its elements; for the result of a comprehension the expected one, until it is compiled. */
    public DataType type;
    /** Its name given by the user, or null. */
    public String name;
    /** The node that makes it, or null. */
    public Node maker;
    /** Its axes, null for those to be inferred; null if not even the rank is known. For a sequence, those of each item. */
    public Axis[] axes;
    /** Those of its axes that a graph inferred to have no length: their lengths are functions of others, which each graph infers. */
    final Set<Axis> inferred = new HashSet<>(0);
    /** For a dictionary the types of its tensors, else null. */
    public Map<String, DataType> entries;
    /** For an input its binder, else null. */
    public Binder binder;
    /** Whether this is an input that is given as FLOAT to a graph of DOUBLE. */
    public boolean isWidened;
    /** For a constant its elements, else null. */
    public TensorData<?> data;
    /** For a constant that is filled once its dimensions are known the function of its elements, else null. */
    public Fill fill;
    /** The initial value by {@code glorot} and the like at rank 0 or 1; for a state, that of its elements. */
    public double start;
    /** For a state the node whose text of training defines it, or null. */
    public Node definer;

    /** A new tensor. */
    public Variable(int id, Kind kind, DataType type, Axis... axes) {
        this(Form.TENSOR, id, kind, type, axes);
    }

    /** A new tensor, sequence or dictionary. */
    public Variable(Form form, int id, Kind kind, DataType type, Axis... axes) {
        this.form = form;
        this.id = id;
        this.kind = kind;
        this.type = type;
        this.axes = axes;
        key = (TensorName) Keys.of(id);
    }

    /** A function that computes the elements of a constant. */
    public interface Fill {
        /** The element at a position of a tensor with a shape. */
        double at(int[] position, int[] shape);
    }

    /** The rank, or -1. */
    public int rank() {
        return axes == null ? -1 : axes.length;
    }

    /** The sizes of its axes, all of which are known; -1 for those that have no length. */
    public long[] shape() {
        long[] shape = new long[axes.length];
        for (int n = 0; n < shape.length; n++) {
            shape[n] = axes[n].length();
        }
        return shape;
    }

    /** Whether an axis is known to have no length. */
    public boolean isVarying() {
        for (Axis axis : axes == null ? new Axis[0] : axes) {
            if (axis != null && axis.isVarying()) {
                return true;
            }
        }
        return false;
    }

    /** Whether this is a constant that is ragged or sparse. */
    public boolean isStored() {
        return data != null && StoredOperand.is(data);
    }

    /** Whether all axes are known. */
    public boolean isShaped() {
        return axes != null && !Arrays.asList(axes).contains(null);
    }

    /** The type in which an example is given: FLOAT for a widened input, else {@link #type}. */
    public DataType fed() {
        return isWidened ? DataType.FLOAT : type;
    }

    /** Whether this is a parameter. */
    public boolean isParameter() {
        return kind == Kind.OTHER && maker == null;
    }

    /** A description, for messages about its name. */
    public String what() {
        return form == Form.TENSOR ? "tensor " + id : form == Form.LIST ? "a sequence" : "a dictionary";
    }

    /** The name in messages. */
    @Override
    public String toString() {
        return name != null ? name : id < 0 ? "sequence " + -id : "t" + id;
    }
}
