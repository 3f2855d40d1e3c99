package io.tensornio.value;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.Joining;
import io.tensornio.internal.data.Positions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * ONNX's operators on sequences, under their own names, on values of kind {@link Value.Kind#LIST}: SequenceInsert, SequenceErase, SequenceAt,
 * SequenceLength, SequenceEmpty, SequenceConstruct, SplitToSequence, ConcatFromSequence and SequenceMap (ONNX operator set 17).
 *
 * <p>Lists are immutable: inserting or erasing returns a new list over the same tensors. Negative positions count from the end. Unless stated
 * otherwise, an argument that is not a list is an {@link IllegalStateException} that names both kinds. A call that fails leaves no tensor behind.
 */
public final class SequenceOps {
    private SequenceOps() {
    }

    /**
     * Appends an item.
     *
     * @param list the list
     * @param item the tensor
     * @return the longer list
     * @throws IllegalArgumentException if the item is of another element type than the list
     */
    public static Value insert(Value list, AnyTensor<?> item) {
        return insert(list, item, list.asList().size());
    }

    /**
     * Inserts an item before a position.
     *
     * @param list the list, of n items
     * @param item the tensor
     * @param at the position: 0 to n, where n appends; or -n to -1, where -1 is before the last item
     * @return the longer list
     * @throws IllegalArgumentException if the item is of another element type than the list
     * @throws IndexOutOfBoundsException if there is no such position
     */
    public static Value insert(Value list, AnyTensor<?> item, int at) {
        List<Object> items = new ArrayList<>(list.asList());
        Objects.requireNonNull(item, "item");
        DataType type = Value.common(list.elementType(), item, "the item");
        items.add(Positions.toInsert(at, items.size()), item);
        return Value.list(items, type);
    }

    /**
     * Erases the last item.
     *
     * @param list the list
     * @return the shorter list, which keeps the element type even if it is empty
     * @throws IndexOutOfBoundsException if the list is empty
     */
    public static Value erase(Value list) {
        return erase(list, -1);
    }

    /**
     * Erases an item. Its tensor stays open.
     *
     * @param list the list, of n items
     * @param at the position: 0 to n - 1, or -n to -1
     * @return the shorter list, which keeps the element type even if it is empty
     * @throws IndexOutOfBoundsException if there is no such position
     */
    public static Value erase(Value list, int at) {
        List<Object> items = new ArrayList<>(list.asList());
        items.remove(Positions.of(at, items.size()));
        return Value.list(items, list.elementType());
    }

    /**
     * An item.
     *
     * @param list the list, of n items
     * @param at the position: 0 to n - 1, or -n to -1
     * @return its tensor
     * @throws IndexOutOfBoundsException if there is no such position
     * @throws IllegalStateException if the item is not a tensor
     */
    public static AnyTensor<?> at(Value list, int at) {
        return list.get(at).asTensor();
    }

    /**
     * The number of items of a list.
     *
     * @param list the list
     * @return the number of items
     */
    public static int length(Value list) {
        return list.asList().size();
    }

    /**
     * A list without items that takes items of one type.
     *
     * @param type the element type of its items
     * @return the list
     */
    public static Value empty(DataType type) {
        return Value.list(new ArrayList<>(), Objects.requireNonNull(type, "type"));
    }

    /**
     * A list of tensors.
     *
     * @param items the items, at least one
     * @return the list
     * @throws IllegalArgumentException if there are none, or they have different element types
     */
    public static Value construct(AnyTensor<?>... items) {
        if (items.length == 0) {
            throw new IllegalArgumentException("construct of no items: empty(DataType) makes a list without items");
        }
        return Value.list(items);
    }

    /**
     * Splits a tensor into parts of length 1 along an axis.
     *
     * @param tensor a dense or sparse tensor
     * @param axis the axis; -1 is the last
     * @param keepDims whether the parts keep the axis; else they have one axis less
     * @return a list of dense copies, which closing the list closes
     * @throws IllegalArgumentException if there is no such axis, or the tensor is ragged
     * @throws OutOfMemoryError if the parts do not fit the memory budget
     */
    public static Value splitToSequence(AnyTensor<?> tensor, int axis, boolean keepDims) {
        return split(tensor, axis, n -> sizes(n, 1), keepDims);
    }

    /**
     * Splits a tensor into parts of equal length along an axis; the last one may be shorter.
     *
     * @param tensor a dense or sparse tensor
     * @param axis the axis; -1 is the last
     * @param size the length of the parts, at least 1
     * @return a list of dense copies, which closing the list closes
     * @throws IllegalArgumentException if there is no such axis, the size is less than 1, or the tensor is ragged
     * @throws OutOfMemoryError if the parts do not fit the memory budget
     */
    public static Value splitToSequence(AnyTensor<?> tensor, int axis, long size) {
        if (size < 1) {
            throw new IllegalArgumentException("a split size of " + size + "; it must be at least 1");
        }
        return split(tensor, axis, n -> sizes(n, size), true);
    }

    /**
     * Splits a tensor into parts of given lengths along an axis.
     *
     * @param tensor a dense or sparse tensor
     * @param axis the axis; -1 is the last
     * @param sizes the length of each part, 0 or more; together the length of the axis
     * @return a list of dense copies, which closing the list closes
     * @throws IllegalArgumentException if there is no such axis, a size is negative, they do not add up, or the tensor is ragged
     * @throws OutOfMemoryError if the parts do not fit the memory budget
     */
    public static Value splitToSequence(AnyTensor<?> tensor, int axis, long[] sizes) {
        long[] given = sizes.clone();
        return split(tensor, axis, n -> {
            long left = n;
            for (long size : given) {
                // The size is at most the rest, so that the subtraction cannot overflow.
                if (size < 0 || size > left) {
                    throw doNotAddUp(given, axis, n);
                }
                left -= size;
            }
            if (left != 0) {
                throw doNotAddUp(given, axis, n);
            }
            return given;
        }, true);
    }

    private static IllegalArgumentException doNotAddUp(long[] sizes, int axis, long n) {
        return new IllegalArgumentException("split sizes " + Arrays.toString(sizes) + " of axis " + axis
            + ": each must be 0 or more, and together they must be its length, " + n);
    }

    private static long[] sizes(long n, long size) {
        long parts = n / size + (n % size == 0 ? 0 : 1);
        if (parts > Integer.MAX_VALUE - 8) {
            throw new OutOfMemoryError("an axis of length " + n + " in parts of " + size + " is more parts than a list can have");
        }
        long[] sizes = new long[(int) parts];
        Arrays.fill(sizes, size);
        if (n % size != 0) {
            sizes[sizes.length - 1] = n % size;
        }
        return sizes;
    }

    private static Value split(AnyTensor<?> tensor, int axis, Function<Long, long[]> lengths, boolean keepDims) {
        if (tensor instanceof RaggedTensor) {
            throw new IllegalArgumentException("a ragged tensor " + tensor.dataType() + Arrays.toString(tensor.shape())
                + " cannot be split; toDense(padding) makes it dense");
        }
        int on = Joining.axis(axis, tensor.rank(), "a tensor of rank " + tensor.rank());
        long[] sizes = lengths.apply(tensor.size(on));
        TensorData<?> data = AnyData.of(tensor);
        TensorIndex[] indices = new TensorIndex[on + 1];
        Arrays.fill(indices, TensorIndex.all());
        List<AnyTensor<?>> parts = new ArrayList<>(sizes.length);
        try {
            long start = 0;
            for (long size : sizes) {
                indices[on] = keepDims ? TensorIndex.range(start, start + size) : TensorIndex.at(start);
                parts.add(data.slice(indices).copy());
                start += size;
            }
            return Value.list(parts, tensor.dataType());
        } catch (Throwable e) {
            parts.forEach(AnyTensor::close);
            throw e;
        }
    }

    /**
     * Concatenates the tensors of a list along an existing axis, or stacks them along a new one.
     *
     * @param list the list, of at least one item, all dense or sparse tensors
     * @param axis the axis of the result; -1 is its last
     * @param newAxis whether the axis is new, which requires equal shapes; else the sizes of all other axes must be equal
     * @return a dense tensor, which the caller closes
     * @throws IllegalArgumentException if the list is empty, a tensor is ragged, there is no such axis, or shapes differ
     * @throws IllegalStateException if an item is not a tensor
     * @throws OutOfMemoryError if the result does not fit the memory budget
     */
    public static Tensor<?> concatFromSequence(Value list, int axis, boolean newAxis) {
        return Joining.join(tensors(list), axis, newAxis);
    }

    /**
     * The results of a function for each item. If it throws, previous results that are not items of the list are closed.
     *
     * @param list the list, whose items are all tensors
     * @param function is called with each item in order
     * @return the results, in order
     * @throws IllegalArgumentException if results have different element types
     * @throws IllegalStateException if an item is not a tensor
     * @throws NullPointerException if a result is null
     */
    public static Value map(Value list, Function<? super AnyTensor<?>, ? extends AnyTensor<?>> function) {
        Objects.requireNonNull(function, "function");
        List<AnyTensor<?>> items = tensors(list);
        List<AnyTensor<?>> results = new ArrayList<>(items.size());
        try {
            for (AnyTensor<?> item : items) {
                results.add(Objects.requireNonNull(function.apply(item), "a result of the function"));
            }
            return Value.list(results);
        } catch (Throwable e) {
            for (AnyTensor<?> result : results) {
                if (items.stream().noneMatch(item -> item == result)) {
                    result.close();
                }
            }
            throw e;
        }
    }

    private static List<AnyTensor<?>> tensors(Value list) {
        List<AnyTensor<?>> tensors = new ArrayList<>();
        list.asList().forEach(item -> tensors.add(item.asTensor()));
        return tensors;
    }
}
