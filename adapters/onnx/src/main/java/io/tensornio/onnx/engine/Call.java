package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import java.util.function.Supplier;

/** A node that runs: its inputs and attributes, and what makes its outputs. */
final class Call {
    /** So many elements are computed and kept on the heap, in less time than it takes to begin a program. */
    static final int FEW = 64;

    final Node node;
    final Run run;
    final Attributes attributes;
    /** The values; null for what is left out. */
    final Item[] in;
    /** Values that graphs in attributes read. */
    final Item[] captured;
    /** What a product or convolution may do with its result; null for nothing. */
    Followed.Epilogue epilogue;

    Call(Run run, Node node, Item[] in, Item... captured) {
        this.run = run;
        this.node = node;
        this.attributes = node.attributes;
        this.in = in;
        this.captured = captured;
    }

    /** The plan of this node for inputs, with what follows it. */
    Plan plan(Supplier<Plan> plan, TensorData<?>... inputs) {
        return node.plans.of(epilogue != null, plan, epilogue == null ? inputs : epilogue.with(inputs));
    }

    /** Runs the program of a plan, and what follows the node if that is a part of it. */
    Item run(Plan plan, TensorData<?>... inputs) {
        return Programs.run(plan, plan.follows ? epilogue.inputs(inputs) : inputs);
    }

    int opset() {
        return node.opset;
    }

    boolean has(int n) {
        return n < in.length && in[n] != null;
    }

    Item item(int n) {
        if (!has(n)) {
            throw new IllegalArgumentException("input " + n + " is missing");
        }
        return in[n];
    }

    TensorData<?> data(int n) {
        return item(n).data();
    }

    DataType type(int n) {
        return data(n).dataType();
    }

    long[] shape(int n) {
        return data(n).shape();
    }

    int rank(int n) {
        return data(n).rank();
    }

    long[] longs(int n) {
        return Data.longs(data(n));
    }

    double[] doubles(int n) {
        return Data.doubles(data(n));
    }

    /** One integer. */
    long integer(int n) {
        long[] values = longs(n);
        if (values.length != 1) {
            throw new IllegalArgumentException("input " + n + " has " + values.length + " elements, not one");
        }
        return values[0];
    }

    /** One number. */
    double number(int n) {
        double[] values = doubles(n);
        if (values.length != 1) {
            throw new IllegalArgumentException("input " + n + " has " + values.length + " elements, not one");
        }
        return values[0];
    }

    boolean wants(int output) {
        return output < node.outputs.length && node.outputs[output] >= 0;
    }

    /** Integers of an attribute, or, in later versions of the operator, of an input; null if there are none. */
    long[] integers(String name, int input) {
        return has(input) ? longs(input) : attributes.integers(name);
    }

    /** A view of an input as an output. */
    Item view(int n, TensorData<?> view) {
        return item(n).view(view);
    }

    /** The input in another shape: a view if there is one. */
    Item reshaped(int n, long... shape) {
        return reshaped(item(n), shape);
    }

    static Item reshaped(Item item, long... shape) {
        TensorData<?> data = item.data();
        if (data.isContiguous()) {
            return item.view(data.reshape(shape));
        }
        Item copy = Item.of(data.copy());
        try {
            return copy.view(copy.data().reshape(shape));
        } finally {
            copy.release();
        }
    }

    /** Data of this node as an output: small data stays on the heap. */
    static Item made(TensorData<?> data) {
        if (data.totalSize() <= FEW && !(data.dataType() == DataType.STRING)) {
            DataType type = data.dataType();
            return Item.borrowed(type.isFloat() ? Data.ofDoubles(type, Data.doubles(data), data.shape())
                : Data.ofLongs(type, Data.longs(data), data.shape()));
        }
        return Item.of(data.copy());
    }

    static Item made(Tensor<?> tensor) {
        return Item.of(tensor);
    }

    static Item[] outputs(Item... items) {
        return items;
    }

    IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(why);
    }
}
