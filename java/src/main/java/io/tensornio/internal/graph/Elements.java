package io.tensornio.internal.graph;

import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.compute.Program;
import io.tensornio.internal.data.AnyData;

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

    /** The only element. */
    static double get(TensorData<?> data) {
        return data instanceof FloatTensorData ? ((FloatTensorData) data).get() : ((DoubleTensorData) data).get();
    }
}
