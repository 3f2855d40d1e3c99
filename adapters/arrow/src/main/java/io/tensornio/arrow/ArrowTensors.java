package io.tensornio.arrow;

import io.tensornio.AnyTensor;
import io.tensornio.Tensor;
import java.util.Objects;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Arrow's vectors as tensors, and tensors as vectors. Using this class registers the extension type {@code arrow.fixed_shape_tensor}, unless the
 * application has registered one of that name.
 *
 * <p>Arrow's allocators need {@code --add-opens=java.base/java.nio=ALL-UNNAMED} (or {@code org.apache.arrow.memory.core}).
 */
public final class ArrowTensors {
    static {
        FixedShapeTensorType.register();
    }

    private ArrowTensors() {
    }

    /**
     * Copies a vector: it can be closed afterwards. What becomes of its kinds, of n values:
     * <ul>
     * <li>numbers and booleans become a vector of n elements, of the type of the same name and size;
     * <li>{@code utf8} and {@code large_utf8} a vector of n strings;
     * <li>{@code fixed_size_list} a dense tensor, whose sizes are n, that of the list, and those of lists in it;
     * <li>{@code arrow.fixed_shape_tensor} likewise, with its axes in the order that its {@code permutation} says;
     * <li>{@code list} and {@code large_list} a ragged tensor, in which also lists of fixed size are ragged axes if they contain others that are not.
     * </ul>
     *
     * @param vector a vector without nulls
     * @return a dense or ragged tensor, which the caller closes
     * @throws IllegalArgumentException if there are nulls, or the vector is of another kind, such as times, decimals, dictionaries and views; if its
     *     offsets do not fit its values
     * @throws OutOfMemoryError if the memory is not available
     */
    public static AnyTensor<?> of(ValueVector vector) {
        return ArrowReader.copy(Objects.requireNonNull(vector, "vector"));
    }

    /**
     * Reads a vector of numbers in place, during a call. The vector, too, may be closed meanwhile; its memory stays until the call has ended.
     *
     * <p>The tensor is closed after the call, and accesses throw from then on. If the body has asked for its data or its buffers, the memory stays
     * with the vector's allocator until they are collected, and an allocator that is closed before says that it leaks: a body that only computes
     * with the tensor, by operations or comprehensions, or copies it, gives the memory back at once.
     *
     * @param <R> what the body returns
     * @param vector a vector without nulls, of numbers, fixed size lists of them, or {@code arrow.fixed_shape_tensor} without a permutation
     * @param body what reads the tensor, which has the shape that {@link #of} gives it; nobody may write the vector meanwhile
     * @return what the body has returned
     * @throws IllegalArgumentException as {@link #of}; also if the vector is of booleans, strings or lists, which are no tensors in memory; or if it
     *     has more than 2 GiB
     */
    public static <R> R inPlace(ValueVector vector, Function<? super Tensor<?>, ? extends R> body) {
        Objects.requireNonNull(vector, "vector");
        Objects.requireNonNull(body, "body");
        try (Tensor<?> tensor = ArrowReader.adopt(vector)) {
            return body.apply(tensor);
        }
    }

    /**
     * Copies the columns of a table as the columns of a matrix in row-major order.
     *
     * @param root columns of numbers or booleans of one type, without nulls
     * @return a tensor of as many rows and columns, which the caller closes
     * @throws IllegalArgumentException if there are no columns, or columns of several types, or one that cannot be copied: the message names it
     */
    public static Tensor<?> matrix(VectorSchemaRoot root) {
        return ArrowReader.matrix(Objects.requireNonNull(root, "root"));
    }

    /**
     * A tensor as a vector without a name.
     *
     * @param tensor as of {@link #toVector(String, AnyTensor, BufferAllocator)}
     * @param allocator as there
     * @return as there
     * @throws IllegalArgumentException as there
     */
    public static FieldVector toVector(AnyTensor<?> tensor, BufferAllocator allocator) {
        return toVector("", tensor, allocator);
    }

    /**
     * A tensor as a vector of the rows along its first axis. Numbers of a tensor in row-major order, and of every ragged tensor, are not copied: the
     * vector has a pin of the tensor until it is closed, and nobody may write it, as the tensor is published. Booleans become bits, strings and other
     * layouts are copied.
     *
     * <p>A tensor with one axis becomes the vector of its type, of strings {@code large_utf8}; one with more axes
     * {@code arrow.fixed_shape_tensor}; a ragged axis {@code large_list}, and a uniform one beside it {@code fixed_size_list}.
     *
     * @param name the name of its field
     * @param tensor a dense tensor with at least one axis, or a ragged one
     * @param allocator counts the memory, also if it is the tensor's
     * @return a vector without nulls, which the caller closes
     * @throws IllegalArgumentException if the tensor is sparse, or of rank 0; has strings and several axes, but is not ragged; has elements of a type
     *     that Arrow has not; or has more rows, or larger ones, than an {@code int} counts
     * @throws io.tensornio.TensorClosedException if the tensor is closed
     */
    public static FieldVector toVector(String name, AnyTensor<?> tensor, BufferAllocator allocator) {
        return ArrowWriter.write(Objects.requireNonNull(name, "name"), Objects.requireNonNull(tensor, "tensor"),
            Objects.requireNonNull(allocator, "allocator"));
    }
}
