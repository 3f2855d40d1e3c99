package io.tensornio.internal.data;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
//#each
import io.tensornio.FloatTensorData;
//#end each
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorData;
import io.tensornio.internal.layout.Shapes;
import java.util.List;

/** What is done with data of any type: each call finds the type at run time. */
public final class AnyData {
    private AnyData() {
    }

    /**
     * The data of a tensor.
     *
     * @param tensor a tensor of any kind
     * @return its data
     */
    public static TensorData<?> of(AnyTensor<?> tensor) {
        switch (tensor.dataType()) {
            //#each
            case FLOAT:
                return tensor.floatData();
            //#end each
            default:
                throw unknown(tensor.dataType());
        }
    }

    /**
     * Data for native code to read: in place if it is in native memory and has strides, else a copy.
     *
     * @param data data without a ragged axis
     * @return the operand, or null if the data is strings
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     * @throws IllegalArgumentException if a user's data has no such shape as there can be
     * @throws OutOfMemoryError if a copy does not fit the memory budget or one direct buffer
     */
    public static StridedOperand operand(TensorData<?> data) {
        StridedOperand inPlace = StridedOperand.inPlace(data);
        if (inPlace != null) {
            return inPlace;
        }
        //#each primitive
        if (data instanceof FloatTensorData) {
            return FloatCopies.copied((FloatTensorData) data, Shapes.check(data.shape(), data.dataType().byteSize()));
        }
        //#end each
        return null;
    }

    /**
     * Checks that data can be written.
     *
     * @param data any data
     * @throws java.nio.ReadOnlyBufferException if it cannot
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     */
    public static void checkWritable(TensorData<?> data) {
        //#each primitive
        if (data instanceof FloatTensorData) {
            FloatCopies.checkWritable((FloatTensorData) data);
        }
        //#end each
    }

    /** Whether data is of a sparse tensor. */
    public static boolean isSparse(TensorData<?> data) {
        //#each primitive
        if (data instanceof FloatTensorData) {
            return FloatSparseEntries.has((FloatTensorData) data);
        }
        //#end each
        return false;
    }

    /**
     * Copies data to other data of the same type and shape.
     *
     * @param from any data but strings
     * @param to writable data
     */
    public static void copy(TensorData<?> from, TensorData<?> to) {
        //#each primitive
        if (from instanceof FloatTensorData) {
            ((FloatTensorData) to).put((FloatTensorData) from);
        }
        //#end each
    }

    /** Tensors side by side, along an axis or along a new one: a dense copy. */
    public static Tensor<?> joined(int axis, boolean isNew, List<? extends AnyTensor<?>> parts) {
        switch (parts.get(0).dataType()) {
            //#each
            case FLOAT: {
                FloatTensorData[] data = new FloatTensorData[parts.size()];
                for (int n = 0; n < data.length; n++) {
                    data[n] = parts.get(n).floatData();
                }
                return (isNew ? FloatTensorData.stack(axis, data) : FloatTensorData.concat(axis, data)).copy();
            }
            //#end each
            default:
                throw unknown(parts.get(0).dataType());
        }
    }

    /** A copy with zeros around it. */
    public static Tensor<?> padded(Tensor<?> tensor, long[] before, long... after) {
        switch (tensor.dataType()) {
            //#each primitive
            case FLOAT:
                return tensor.floatData().pad(before, after).copy();
            //#end each
            default:
                throw unknown(tensor.dataType());
        }
    }

    //#each primitive
    /** One value everywhere. */
    public static Tensor<?> filled(float value, long... shape) {
        return FloatTensorData.constant(value, shape).copy();
    }
    //#end each

    /** Whether two tensors are one, or both open and of equal data; no exception for closed ones. */
    public static boolean equal(AnyTensor<?> a, AnyTensor<?> b) {
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

    private static IllegalArgumentException unknown(DataType type) {
        return new IllegalArgumentException("there is nothing of the kind for elements of " + type);
    }
}
