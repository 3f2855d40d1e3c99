package io.tensornio.internal.graph;

import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.compute.Program;
import io.tensornio.internal.data.AnyData;
import java.util.Collections;
import java.util.List;

/** Access to elements of any floating-point type; reading, of any type. */
public final class Elements {
    private Elements() {
    }

    /** Writes each element. */
    static void fill(TensorData<?> data, long[] shape, Variable.Fill fill) {
        int rank = shape.length;
        int[] sizes = new int[rank];
        long count = 1;
        for (int axis = 0; axis < rank; axis++) {
            sizes[axis] = (int) shape[axis];
            count *= shape[axis];
        }
        int[] position = new int[rank];
        for (long n = 0; n < count; n++) {
            put(data, fill.at(position, sizes), position);
            for (int axis = rank - 1; axis >= 0 && ++position[axis] == sizes[axis]; axis--) {
                position[axis] = 0;
            }
        }
    }

    private static void put(TensorData<?> data, double value, int... position) {
        if (data instanceof FloatTensorData) {
            ((FloatTensorData) data).put((float) value, position);
        } else {
            ((DoubleTensorData) data).put(value, position);
        }
    }

    /** The only element of a tensor of any rank. */
    static double first(Tensor<?> tensor) {
        return get((TensorData<?>) AnyData.of(tensor).slice(new int[tensor.rank()]));
    }

    /** All elements, in order; truth values are 0 and 1. */
    public static double[] doubles(Tensor<?> tensor) {
        String loops = Graph.loops(tensor.rank());
        try (Tensor<?> wide = Program.of("wide" + loops + " = double(given" + loops + ")").run(tensor)[0]) {
            double[] all = new double[(int) wide.numElements()];
            wide.doubleData().flatten().copyTo(all);
            return all;
        }
    }

    /** The weighted sum of FLOAT or DOUBLE tensors of one shape, computed in DOUBLE; the caller closes it. */
    public static Tensor<?> weighted(List<Tensor<?>> tensors, List<Double> weights) {
        String loops = Graph.loops(tensors.get(0).rank());
        Program add = Program.of("next" + loops + " = sum" + loops + " + weight * double(one" + loops + ")").returning(
            Collections.singletonList("next"));
        Tensor<?> sum = Program.of("sum" + loops + " = double(one" + loops + ") * weight").run(tensors.get(0), weights.get(0))[0];
        try {
            for (int n = 1; n < tensors.size(); n++) {
                Tensor<?> next = add.run(sum, weights.get(n), tensors.get(n))[0];
                sum.close();
                sum = next;
            }
            return tensors.get(0).dataType() == DataType.DOUBLE ? sum
                : Program.of("narrow" + loops + " = float(sum" + loops + ")").run(sum)[0];
        } finally {
            if (tensors.get(0).dataType() != DataType.DOUBLE) {
                sum.close();
            }
        }
    }

    /** The only element. */
    static double get(TensorData<?> data) {
        return data instanceof FloatTensorData ? ((FloatTensorData) data).get() : ((DoubleTensorData) data).get();
    }
}
