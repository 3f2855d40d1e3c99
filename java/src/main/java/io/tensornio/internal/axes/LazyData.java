package io.tensornio.internal.axes;

import io.tensornio.*;
import java.util.Arrays;

/** Data of any type: that of tensors, and that of nodes, which is computed at the first read. */
public final class LazyData {
    private LazyData() {
    }

    /** The data of a tensor. */
    static TensorData<?> of(Tensor<?> tensor) {
        switch (tensor.dataType()) {
            //#each primitive
            case FLOAT:
                return tensor.floatData();
            //#end each
            default:
                throw new IllegalArgumentException("no named axes for " + tensor.dataType());
        }
    }

    /** Concatenates data of one type. */
    static TensorData<?> concat(int axis, TensorData<?>... parts) {
        //#each primitive
        if (parts[0] instanceof FloatTensorData) {
            return FloatTensorData.concat(axis, Arrays.copyOf(parts, parts.length, FloatTensorData[].class));
        }
        //#end each
        throw new IllegalArgumentException("no named axes for " + parts[0].dataType());
    }

    private static int[] ints(long... indices) {
        int[] ints = new int[indices.length];
        for (int n = 0; n < ints.length; n++) {
            ints[n] = (int) indices[n];
            if (ints[n] != indices[n]) {
                return null;
            }
        }
        return ints;
    }

    private static TensorIndex[] positions(long... indices) {
        TensorIndex[] positions = new TensorIndex[indices.length];
        for (int n = 0; n < positions.length; n++) {
            positions[n] = TensorIndex.at(indices[n]);
        }
        return positions;
    }
    //#each primitive

    /** The elements of a node, which is computed when the first is read. */
    public static FloatTensorData floatData(Node node) {
        Object memory = node.memory();
        if (memory != null) {
            node.checkOpen();
            return memory instanceof Tensor ? ((Tensor<?>) memory).floatData() : (FloatTensorData) memory;
        }
        return new AbstractFloatTensorData(node.shape()) {
            private FloatTensorData computed() {
                return node.materialize().floatData();
            }

            @Override
            protected float getAt(long[] indices) {
                int[] ints = ints(indices);
                return ints == null ? computed().slice(positions(indices)).get() : computed().get(ints);
            }

            @Override
            public void get(float[] array, int... indices) {
                computed().get(array, indices);
            }

            @Override
            public void get(FloatTensorData tensor, int... indices) {
                computed().get(tensor, indices);
            }

            @Override
            public Tensor<Float> copy() {
                return computed().copy();
            }
        };
    }
    //#end each
}
