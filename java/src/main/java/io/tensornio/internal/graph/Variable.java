package io.tensornio.internal.graph;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.compute.TensorName;
import java.util.Arrays;
import java.util.Map;

/** A symbolic tensor, sequence or dictionary: what is known of it, and what makes it. */
public final class Variable {
    /** What a tensor is in a graph. */
    public enum Kind {
        /** Given from outside. */
        CONSTANT,
        /** Given with each example. */
        INPUT,
        /** An item of a sequence, within the body of a map. */
        ITEM,
        /** Neither: made by a comprehension if {@link #maker} is there, else a parameter. */
        OTHER
    }

    /** What a variable stands for. */
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
    /** What it stands for. */
    public final Form form;
    /** What it is. */
    public final Kind kind;
    /** Its name in the text of layers; not what a user sees. */
    public final TensorName key;
    /** The type of its elements; of what a comprehension makes the one that was expected, until it is compiled. */
    public DataType type;
    /** The name that a user gave it, or null. */
    public String name;
    /** What makes it, or null. */
    public Node maker;
    /** Its axes, null for those to be inferred; null if not even the rank is known. Of a sequence those of each item. */
    public Axis[] axes;
    /** Of a dictionary the types of its tensors, else null. */
    public Map<String, DataType> entries;
    /** Of an input what writes an example to it, else null. */
    public Binder binder;
    /** Of an input whether it is given as FLOAT to a graph of DOUBLE. */
    public boolean isWidened;
    /** Of a constant its elements, else null. */
    public TensorData<?> data;
    /** Of a constant that is filled once its dimensions are known what gives its elements, else null. */
    public Fill fill;
    /** What {@code glorot} and its like begin with if it is of rank 0 or 1. */
    public double start;

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
        key = new TensorName(keyOf(id));
    }

    /** What gives the elements of a constant. */
    public interface Fill {
        /** The element at a position of a tensor of some shape. */
        double at(int[] position, int[] shape);
    }

    static String keyOf(int id) {
        return id < 0 ? "sequence" + -id : "sym" + id;
    }

    /** The rank, or -1. */
    public int rank() {
        return axes == null ? -1 : axes.length;
    }

    /** The sizes of its axes, all of which are known. */
    public long[] shape() {
        long[] shape = new long[axes.length];
        for (int n = 0; n < shape.length; n++) {
            shape[n] = axes[n].length();
        }
        return shape;
    }

    /** Whether all axes are known. */
    public boolean isShaped() {
        return axes != null && !Arrays.asList(axes).contains(null);
    }

    /** The type in which an example is given: that of an input which is a FLOAT that is widened, else {@link #type}. */
    public DataType fed() {
        return isWidened ? DataType.FLOAT : type;
    }

    /** Whether it is learnt. */
    public boolean isParameter() {
        return kind == Kind.OTHER && maker == null;
    }

    /** What it is, for messages about its name. */
    public String what() {
        return form == Form.TENSOR ? "tensor " + id : form == Form.LIST ? "a sequence" : "a dictionary";
    }

    /** What messages call it. */
    @Override
    public String toString() {
        return name != null ? name : id < 0 ? "sequence " + -id : "t" + id;
    }
}
