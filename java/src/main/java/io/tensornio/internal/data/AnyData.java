package io.tensornio.internal.data;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
//#each
import io.tensornio.FloatTensorData;
//#end each
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorClosedException;
import io.tensornio.TensorData;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.internal.element.Encodings;
//#each primitive
import io.tensornio.internal.element.FloatMapped;
//#end each
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.layout.Views;
import io.tensornio.internal.memory.MappedFile;
import java.io.IOException;
import java.util.List;

/** Operations on data of any type, dispatched on the type at run time. */
public final class AnyData {
    private AnyData() {
    }

    /** The type whose data interface carries the elements of a type: itself unless it is stored narrow. */
    public static DataType carrierType(DataType type) {
        return Encodings.carrier(type);
    }

    /**
     * The carrier of a type.
     *
     * @param type the type of elements
     * @return that of the type
     * @throws IllegalArgumentException if it is {@code STRING}
     */
    public static PrimitiveCarrier<?, ?> carrier(DataType type) {
        switch (Encodings.carrier(type)) {
            //#each primitive
            case FLOAT:
                return FloatCarrier.FLOAT.of(type);
            //#end each
            default:
                throw new IllegalArgumentException("elements of type " + type + " have no fixed width");
        }
    }

    /**
     * The data of a tensor.
     *
     * @param tensor a tensor of any kind
     * @return its data
     */
    public static TensorData<?> of(AnyTensor<?> tensor) {
        return tensor.data();
    }

    /**
     * An operand for native code to read: in place if the data is strided in native memory, else a copy.
     *
     * @param data data without a ragged axis
     * @return the operand, or null if the data is strings
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     * @throws IllegalArgumentException if user-defined data has an invalid shape
     * @throws OutOfMemoryError if a copy does not fit the memory budget
     */
    public static StridedOperand operand(TensorData<?> data) {
        StridedOperand inPlace = StridedOperand.inPlace(data);
        if (inPlace != null) {
            return inPlace;
        }
        //#each primitive
        if (data instanceof FloatTensorData) {
            FloatCarrier carrier = FloatCarrier.FLOAT.of(data.dataType());
            return Copies.elsewhere(carrier, (FloatTensorData) data, Shapes.check(data.shape(), data.dataType().byteSize()));
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
            Copies.checkWritable(FloatCarrier.FLOAT, (FloatTensorData) data);
        }
        //#end each
    }

    /**
     * A tensor whose elements stay in a file, in native byte order.
     *
     * @param type not STRING
     * @param file the file, of which the tensor becomes a user
     * @param start the position of its first byte, a multiple of the size of an element
     * @param layout the row-major or column-major layout of a checked shape, of at least one element
     * @return a tensor that the caller closes
     * @throws IOException if the file cannot be mapped
     */
    public static Tensor<?> mapped(DataType type, MappedFile file, long start, TensorLayout layout) throws IOException {
        long[] shape = layout.shape();
        boolean isRowMajor = layout.equals(TensorLayout.rowMajor(shape));
        long[] extent = isRowMajor ? shape : new long[] {layout.extent()};
        switch (Encodings.carrier(type)) {
            //#each primitive
            case FLOAT: {
                FloatMapped block = new FloatMapped(type, file, start, extent);
                block.name(shape);
                return TensorPublisher.publish(block, FloatView.of(block, steps(isRowMajor, shape)), isRowMajor ? null : layout);
            }
            //#end each
            default:
                throw unknown(type);
        }
    }

    private static Layout steps(boolean isRowMajor, long... shape) {
        if (isRowMajor) {
            return Layout.rowMajor(shape);
        }
        long[] reversed = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            reversed[d] = shape[shape.length - 1 - d];
        }
        return Views.transpose(Layout.rowMajor(reversed));
    }

    /** Whether data is sparse. */
    public static boolean isSparse(TensorData<?> data) {
        return OwnData.isSparse(data);
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

    /** A copy of data without a ragged axis that nobody has seen, as the result of an operation. */
    public static Tensor<?> computed(TensorData<?> data) {
        if (data.dataType() == DataType.STRING) {
            return ((StringTensorData) data).copy();
        }
        Shapes.checkDense(data.shape(), data.dataType(), data.dataType().byteSize());
        try (WritableTensor copy = WritableTensor.unexposed(data.dataType(), data.shape())) {
            copy(data, copy.elements());
            return copy.publish();
        }
    }

    /** Concatenates tensors along an axis, or stacks them along a new one: a dense copy. */
    public static Tensor<?> joined(int axis, boolean isNew, List<? extends AnyTensor<?>> parts) {
        switch (Encodings.carrier(parts.get(0).dataType())) {
            //#each
            case FLOAT: {
                FloatTensorData[] data = new FloatTensorData[parts.size()];
                for (int n = 0; n < data.length; n++) {
                    data[n] = parts.get(n).floatData();
                }
                return computed(isNew ? FloatTensorData.stack(axis, data) : FloatTensorData.concat(axis, data));
            }
            //#end each
            default:
                throw unknown(parts.get(0).dataType());
        }
    }

    /** A copy padded with zeros. */
    public static Tensor<?> padded(Tensor<?> tensor, long[] before, long... after) {
        switch (Encodings.carrier(tensor.dataType())) {
            //#each primitive
            case FLOAT:
                return computed(tensor.floatData().pad(before, after));
            //#end each
            default:
                throw unknown(tensor.dataType());
        }
    }

    //#each primitive
    /** A tensor filled with one value. */
    public static Tensor<?> filled(float value, long... shape) {
        return computed(FloatTensorData.constant(value, shape));
    }
    //#end each

    /** A sparse tensor of elements at some places; of those at the same one, the last is kept. */
    public static SparseTensor<?> sparse(LongTensorData indices, TensorData<?> values, long... denseShape) {
        switch (Encodings.carrier(values.dataType())) {
            //#each
            case FLOAT:
                return Tensors.sparseFloat(indices, (FloatTensorData) values, denseShape);
            //#end each
            default:
                throw unknown(values.dataType());
        }
    }

    /** A ragged tensor of its parts; {@code splits} are null for uniform axes. */
    public static RaggedTensor<?> ragged(TensorData<?> values, long[] shape, long[]... splits) {
        switch (values.dataType()) {
            //#each
            case FLOAT:
                return TensorPublisher.ragged(RaggedTensors.ofParts(FloatCarrier.FLOAT, (FloatTensorData) values, shape, splits));
            //#end each
            default:
                throw unknown(values.dataType());
        }
    }

    /** Whether two tensors are identical, or both open with equal data; closed ones are no error. */
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
        return new IllegalArgumentException("this operation does not support elements of type " + type);
    }
}
