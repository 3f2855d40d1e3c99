package io.tensornio.internal.op;

import io.tensornio.*;
import io.tensornio.internal.data.AnyData;

/** What is done to data of any type that can be computed with: each call finds the type at run time. */
public final class TypedData {
    private TypedData() {
    }

    /** The data of a tensor. */
    static TensorData<?> of(Tensor<?> tensor) {
        TensorData<?> data = AnyData.of(tensor);
        if (data == null) {
            throw unknown(tensor);
        }
        return data;
    }

    /** Tensors side by side: along an axis, or along a new one. */
    static Tensor<?> joined(int axis, boolean isNew, Tensor<?>... parts) {
        switch (parts[0].dataType()) {
            //#each primitive
            case FLOAT: {
                FloatTensorData[] data = new FloatTensorData[parts.length];
                for (int n = 0; n < data.length; n++) {
                    data[n] = parts[n].floatData();
                }
                return (isNew ? FloatTensorData.stack(axis, data) : FloatTensorData.concat(axis, data)).copy();
            }
            //#end each
            default:
                throw unknown(parts[0]);
        }
    }

    /** With zeros around it. */
    static Tensor<?> padded(Tensor<?> tensor, long[] before, long... after) {
        switch (tensor.dataType()) {
            //#each primitive
            case FLOAT:
                return tensor.floatData().pad(before, after).copy();
            //#end each
            default:
                throw unknown(tensor);
        }
    }

    //#each primitive
    /** One value everywhere. */
    public static Tensor<?> filled(float value, long... shape) {
        return FloatTensorData.constant(value, shape).copy();
    }
    //#end each

    private static IllegalArgumentException unknown(Tensor<?> tensor) {
        return new IllegalArgumentException("nothing is computed with " + tensor.dataType());
    }
}
