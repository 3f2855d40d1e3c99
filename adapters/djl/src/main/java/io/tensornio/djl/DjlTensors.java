package io.tensornio.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.Tensor;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.internal.interop.Loan;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;

/** Tensors as arrays of the Deep Java Library, and back. */
public final class DjlTensors {
    private DjlTensors() {
    }

    /**
     * Copies an array: once, if its elements are in row-major order in the memory of the processor.
     *
     * @param array a dense array, which may be closed afterwards; no other thread may use it meanwhile
     * @return a tensor of its type and shape, which the caller closes
     * @throws IllegalArgumentException if the array is sparse, or has elements of a type that this library has not; if it has more than 2 GiB
     * @throws IllegalStateException if the array is closed
     * @throws OutOfMemoryError if the memory is not available
     */
    public static Tensor<?> of(NDArray array) {
        Objects.requireNonNull(array, "array");
        long[] shape = array.getShape().getShape();
        DataType type = DjlTypes.of(array.getDataType());
        if (type == DataType.STRING) {
            String[] values = array.toStringArray(StandardCharsets.UTF_8);
            return Tensors.denseString(shape, data -> data.put(values));
        }
        if (array.isSparse()) {
            throw new IllegalArgumentException("the NDArray of shape " + Arrays.toString(shape) + " is sparse: toDense() makes one that can be a "
                + "tensor");
        }
        if (array.size() > Integer.MAX_VALUE / type.byteSize()) {
            throw new IllegalArgumentException("the NDArray of " + type + Arrays.toString(shape) + " has more than the " + Integer.MAX_VALUE
                + " bytes that DJL gives at once");
        }
        // What DJL makes on the way, of another order or on another device, is closed with the manager; the array goes back to its own.
        try (NDManager manager = array.getManager().newSubManager(); Loan loan = Loan.toFill(type, shape)) {
            long bytes = array.size() * type.byteSize();
            if (bytes > 0) {
                array.tempAttach(manager);
                ByteBuffer from = array.toByteBuffer(true);
                if (from.remaining() != bytes) {
                    throw new IllegalStateException("DJL gives " + from.remaining() + " bytes out of an array of " + type + Arrays.toString(shape));
                }
                for (ByteBuffer to : loan.buffers()) {
                    ByteBuffer part = from.slice();
                    part.limit(to.remaining());
                    from.position(from.position() + to.remaining());
                    to.put(part);
                }
            }
            return loan.publish();
        }
    }

    /**
     * Copies a tensor.
     *
     * @param manager which closes the array
     * @param tensor a dense tensor
     * @return an array of its type and shape, in row-major order on the manager's device
     * @throws IllegalArgumentException if the tensor is sparse or ragged, has more than 2 GiB, or elements of the types BFLOAT16, INT16, UINT16,
     *     UINT32 or UINT64, which DJL has not for all of its engines
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    public static NDArray toNDArray(NDManager manager, AnyTensor<?> tensor) {
        Objects.requireNonNull(manager, "manager");
        Tensor<?> dense = check(tensor);
        if (dense.dataType() == DataType.STRING) {
            String[] values = new String[Math.toIntExact(dense.numElements())];
            dense.stringData().get(values);
            return manager.create(values, StandardCharsets.UTF_8, new Shape(dense.shape()));
        }
        return withArray(manager, dense, array -> duplicate(array, manager));
    }

    /**
     * Gives a tensor to DJL during a call, without a copy where the engine reads direct buffers in place, as PyTorch does on the processor. Tensors
     * of other layouts than the row-major one are copied. The tensor may be closed meanwhile; its memory stays until the call has ended.
     *
     * <p>The array, and all that DJL makes of it in its manager, are closed after the call. An array or a list of arrays that the body returns is
     * copied to the given manager, since it may be a view of the tensor.
     *
     * <p>The body must not write the array by operations in place, such as {@code addi}, since the tensor is published; nor may it attach the array,
     * or one that shares its elements, such as a reshaped or sliced one, to another manager: the memory is the tensor's.
     *
     * @param <R> what the body returns
     * @param manager whose device is used
     * @param tensor a dense tensor of numbers or booleans
     * @param body what reads the array
     * @return what the body has returned
     * @throws IllegalArgumentException as {@link #toNDArray}; also if the tensor has strings, which DJL always copies
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    @SuppressWarnings("unchecked")          // what is copied is of the type of the original
    public static <R> R inPlace(NDManager manager, AnyTensor<?> tensor, Function<? super NDArray, ? extends R> body) {
        Objects.requireNonNull(manager, "manager");
        Objects.requireNonNull(body, "body");
        Tensor<?> dense = check(tensor);
        if (dense.dataType() == DataType.STRING) {
            throw new IllegalArgumentException("strings are no memory that DJL could read in place: toNDArray copies them");
        }
        return withArray(manager, dense, array -> {
            R result = body.apply(array);
            if (result instanceof NDArray) {
                return (R) duplicate((NDArray) result, manager);
            }
            if (result instanceof NDList) {
                NDList copies = new NDList();
                try {
                    for (NDArray one : (NDList) result) {
                        copies.add(duplicate(one, manager));
                    }
                } catch (Throwable e) {
                    copies.close();         // nobody else knows of those that are the caller's manager's already
                    throw e;
                }
                return (R) copies;
            }
            return result;
        });
    }

    private static NDArray duplicate(NDArray array, NDManager manager) {
        NDArray copy = array.duplicate();
        copy.setName(array.getName());
        copy.attach(manager);
        return copy;
    }

    private static <R> R withArray(NDManager manager, Tensor<?> tensor, Function<NDArray, R> body) {
        TensorLayout layout = tensor.layout();
        if (layout.offset() != 0 || !layout.isContiguous()) {
            try (Tensor<?> copy = Loan.rowMajor(tensor)) {
                return withArray(manager, copy, body);
            }
        }
        // The manager is closed before the loan: with it every array that reads the memory.
        try (Loan loan = Loan.of(tensor); NDManager inside = manager.newSubManager()) {
            ByteBuffer memory = loan.buffer().slice().order(ByteOrder.nativeOrder());      // PyTorch begins at the first byte, whatever the position
            return body.apply(inside.create(memory, new Shape(tensor.shape()), DjlTypes.of(tensor.dataType())));
        }
    }

    private static Tensor<?> check(AnyTensor<?> tensor) {
        Objects.requireNonNull(tensor, "tensor");
        if (!(tensor instanceof Tensor)) {
            throw new IllegalArgumentException("a " + tensor.getClass().getSimpleName() + " is no array of DJL's: toDense() makes a tensor that can "
                + "be");
        }
        Tensor<?> dense = (Tensor<?>) tensor;
        DjlTypes.of(dense.dataType());
        if (dense.dataType() != DataType.STRING && dense.numBytes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the tensor has " + dense.numBytes() + " bytes, more than the " + Integer.MAX_VALUE
                + " that DJL takes at once");
        }
        return dense;
    }
}
