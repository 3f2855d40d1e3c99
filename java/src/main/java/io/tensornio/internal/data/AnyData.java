package io.tensornio.internal.data;

//#each primitive
import io.tensornio.FloatTensorData;
//#end each
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.layout.Shapes;

/** What is done with data of any type but {@code STRING}: each call finds the type at run time. */
public final class AnyData {
    private AnyData() {
    }

    /**
     * The data of a tensor.
     *
     * @param tensor a tensor
     * @return its data; null if it is strings
     */
    public static TensorData<?> of(Tensor<?> tensor) {
        switch (tensor.dataType()) {
            //#each primitive
            case FLOAT:
                return tensor.floatData();
            //#end each
            default:
                return null;
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
     * @param from any data
     * @param to writable data
     */
    public static void copy(TensorData<?> from, TensorData<?> to) {
        //#each primitive
        if (from instanceof FloatTensorData) {
            ((FloatTensorData) to).put((FloatTensorData) from);
        }
        //#end each
    }
}
