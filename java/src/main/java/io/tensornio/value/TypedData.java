package io.tensornio.value;

import io.tensornio.*;
import java.util.List;

/** What is done to data of any type: each call finds the type at run time. */
final class TypedData {
    private TypedData() {
    }

    /** The data of a tensor. */
    static TensorData<?> of(AnyTensor<?> tensor) {
        switch (tensor.dataType()) {
            //#each
            case FLOAT:
                return tensor.floatData();
            //#end each
            default:
                throw unknown(tensor.dataType());
        }
    }

    /** A dense copy. */
    static Tensor<?> copy(TensorData<?> data) {
        switch (data.dataType()) {
            //#each
            case FLOAT:
                return Tensors.create((FloatTensorData) data);
            //#end each
            default:
                throw unknown(data.dataType());
        }
    }

    /**
     * One tensor out of parts side by side.
     *
     * @param shape that of the result
     * @param places where each part goes: as an index for each axis
     * @param parts data of the type of the first
     */
    static Tensor<?> assemble(long[] shape, List<TensorIndex[]> places, List<TensorData<?>> parts) {
        switch (parts.get(0).dataType()) {
            //#each
            case FLOAT:
                return Tensors.denseFloat(shape, data -> {
                    for (int i = 0; i < parts.size(); i++) {
                        data.slice(places.get(i)).put((FloatTensorData) parts.get(i));
                    }
                });
            //#end each
            default:
                throw unknown(parts.get(0).dataType());
        }
    }

    /** Whether two tensors are one, or both open and of equal data; no exception for closed ones. */
    static boolean equal(AnyTensor<?> a, AnyTensor<?> b) {
        if (a == b) {
            return true;
        }
        if (a.dataType() != b.dataType() || a.isClosed() || b.isClosed()) {
            return false;
        }
        try {
            return of(a).equals(of(b));
        } catch (TensorClosedException closedMeanwhile) {
            return false;
        }
    }

    private static IllegalArgumentException unknown(Object type) {
        return new IllegalArgumentException("values have no elements of " + type);
    }
}
