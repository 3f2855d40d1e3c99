package io.tensornio;

//#each
import io.tensornio.internal.data.FloatCarrier;
//#end each
import io.tensornio.internal.data.LongStrided;
import io.tensornio.internal.data.RaggedTensors;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.element.PaddingValue;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.ragged.RaggedParts;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A ragged tensor: immutable elements in rows of different lengths. The values of all rows are stored in one run of native memory, row after row;
 * row splits say where each row starts. It is made by {@link Tensors#raggedFloat} and its siblings, or by the methods here from values and row
 * splits.
 *
 * <p>The size of a ragged axis is -1 for the whole tensor, and the real one for a row. A ragged tensor may be used by any number of threads.
 * The methods that make one refuse strings as those of {@link Tensors} do.
 *
 * @param <T> the element type: {@code Float}, {@code Double}, {@code Integer}, {@code Long}, {@code Boolean}, {@link UInt8} or {@code String}
 */
public final class RaggedTensor<T> extends BaseTensor<T> {
    private final RaggedParts parts;

    private RaggedTensor(RaggedParts parts) {
        super(parts.values().dataType(), parts.shape(), parts.data(), true);
        this.parts = parts;
    }

    /** Takes ownership of the parts, which it closes if it fails. */
    static <T> RaggedTensor<T> of(RaggedParts parts) {
        try {
            return new RaggedTensor<>(parts);
        } catch (Throwable e) {
            parts.close();
            throw e;
        }
    }

    @Override
    public long numBytes() {
        return parts.bytes();
    }

    @Override
    public boolean isClosed() {
        return parts.values().isClosed();
    }

    @Override
    Block block() {
        return parts.values();
    }

    @Override
    void closeMemory() {
        parts.close();
    }

    /**
     * The elements of all rows, one row after the other. The returned tensor is a part of this one and shares its memory: closing it does nothing; it
     * closes with this one.
     *
     * @return a tensor of shape {@code [n, sizes of the axes after the last ragged one...]}
     * @throws TensorClosedException if this tensor is closed
     */
    public Tensor<T> values() {
        checkOpen();
        return new Tensor<>(parts.values(), parts.valuesData(), true);
    }

    /**
     * The row splits of a ragged axis. Row {@code r} spans {@code [splits[r], splits[r + 1])}, counted in rows of the next ragged axis, or in
     * {@link #values()} for the last one. There is one row for each position of the preceding axes, in row-major order. The returned tensor is a part
     * of this one, as {@link #values()} is.
     *
     * @param axis a ragged axis
     * @return a tensor of shape {@code [rows + 1]}; the first split is 0, and none is less than the one before it
     * @throws IllegalArgumentException if there is no such axis, or it is not ragged
     * @throws TensorClosedException if this tensor is closed
     */
    public Tensor<Long> rowSplits(int axis) {
        checkOpen();
        LongBlock block = parts.splits(axis);
        if (block == null) {
            throw new IllegalArgumentException("axis " + axis + " of the shape " + Arrays.toString(shape()) + " is not a ragged one; "
                + IntStream.range(0, rank()).filter(d -> size(d) < 0).boxed().collect(Collectors.toList()) + " are");
        }
        return new Tensor<>(block, LongStrided.of(block), true);
    }

    /**
     * The row of each element of a ragged axis, in order: what is {@code r} from {@code splits[r]} to {@code splits[r + 1] - 1}, see
     * {@link #rowSplits(int)}.
     *
     * @param axis a ragged axis
     * @return a new tensor of shape {@code [splits[rows]]}, which the caller closes
     * @throws IllegalArgumentException if there is no such axis, or it is not ragged
     * @throws TensorClosedException if this tensor is closed
     * @throws OutOfMemoryError if it exceeds the memory budget or does not fit in one direct buffer
     */
    public Tensor<Long> rowIds(int axis) {
        LongTensorData splits = rowSplits(axis).longData();
        int rows = (int) splits.size(0) - 1;
        return Tensors.denseLong(new long[] {splits.get(rows)}, ids -> {
            for (int row = 0; row < rows; row++) {
                for (long n = splits.get(row); n < splits.get(row + 1); n++) {
                    ids.put(row, (int) n);
                }
            }
        });
    }

    // ---- From values and rows --------------------------------------------------------------------------------------

    //#each
    /**
     * Makes a ragged tensor from values and row splits. If the values are all the data of a dense tensor, its memory is shared, and either
     * tensor can be closed before the other; other values are copied.
     *
     * @param values the elements of all rows, of shape {@code [n, sizes of inner axes...]}
     * @param splits where each row starts, and finally {@code n}
     * @return a tensor of shape {@code [splits.length - 1, -1, sizes of inner axes...]}
     * @throws IllegalArgumentException if the first split is not 0, one is less than the one before it, or the last is not {@code n}; if the
     *     values have rank 0, are ragged, or have a size of 0 and other sizes whose product is too large
     * @throws TensorClosedException if the values are closed
     * @throws OutOfMemoryError if the row splits, or values that are copied, exceed the memory budget or do not fit in one direct buffer
     */
    public static RaggedTensor<Float> fromRowSplits(FloatTensorData values, long... splits) {
        return of(RaggedTensors.ofSplits(FloatCarrier.FLOAT, values, new long[][] {splits}));
    }

    /**
     * As {@link #fromRowSplits(FloatTensorData, long...)}, with the splits in data of rank 1, which is copied.
     *
     * @param values the elements of all rows
     * @param splits where each row starts, and finally the number of values
     * @return the tensor
     * @throws IllegalArgumentException if the rank of the splits is not 1; or as {@link #fromRowSplits(FloatTensorData, long...)} does
     * @throws TensorClosedException if the values or the splits are closed
     * @throws OutOfMemoryError as {@link #fromRowSplits(FloatTensorData, long...)} does; or if there are more splits than an array can hold, or
     *     than fit on the heap
     */
    public static RaggedTensor<Float> fromRowSplits(FloatTensorData values, LongTensorData splits) {
        return of(RaggedTensors.ofSplits(FloatCarrier.FLOAT, values, RaggedTensors.read(splits)));
    }

    /**
     * As {@link #fromRowSplits(FloatTensorData, long...)}, for several ragged axes.
     *
     * @param values the elements of all rows of the last ragged axis
     * @param splits the row splits of each ragged axis, the outermost first; each but the last splits the rows of the next
     * @return a tensor of shape {@code [splits[0].length - 1, -1, -1..., sizes of inner axes...]}
     * @throws NullPointerException if the splits of an axis are null
     * @throws IllegalArgumentException if there are no splits; or as {@link #fromRowSplits(FloatTensorData, long...)} does
     * @throws TensorClosedException if the values are closed
     * @throws OutOfMemoryError as {@link #fromRowSplits(FloatTensorData, long...)} does
     */
    public static RaggedTensor<Float> fromRowSplits(FloatTensorData values, long[]... splits) {
        return of(RaggedTensors.ofSplits(FloatCarrier.FLOAT, values, splits));
    }

    /**
     * Makes a ragged tensor from values and row lengths. The values are shared or copied as by
     * {@link #fromRowSplits(FloatTensorData, long...)}.
     *
     * @param values the elements of all rows, of shape {@code [n, sizes of inner axes...]}
     * @param lengths how many values each row has, {@code n} together
     * @return a tensor of shape {@code [lengths.length, -1, sizes of inner axes...]}
     * @throws IllegalArgumentException if a length is negative, or they do not add up to {@code n}; if the values have rank 0, are ragged, or have
     *     a size of 0 and other sizes whose product is too large
     * @throws TensorClosedException if the values are closed
     * @throws OutOfMemoryError if the row splits, or values that are copied, exceed the memory budget or do not fit in one direct buffer
     */
    public static RaggedTensor<Float> fromRowLengths(FloatTensorData values, long... lengths) {
        return of(RaggedTensors.ofLengths(FloatCarrier.FLOAT, values, new long[][] {lengths}));
    }

    /**
     * As {@link #fromRowLengths(FloatTensorData, long...)}, with the lengths in data of rank 1, which is copied.
     *
     * @param values the elements of all rows
     * @param lengths how many values each row has
     * @return the tensor
     * @throws IllegalArgumentException if the rank of the lengths is not 1; or as {@link #fromRowLengths(FloatTensorData, long...)} does
     * @throws TensorClosedException if the values or the lengths are closed
     * @throws OutOfMemoryError as {@link #fromRowLengths(FloatTensorData, long...)} does; or if there are more lengths than an array can hold, or
     *     than fit on the heap
     */
    public static RaggedTensor<Float> fromRowLengths(FloatTensorData values, LongTensorData lengths) {
        return of(RaggedTensors.ofLengths(FloatCarrier.FLOAT, values, RaggedTensors.read(lengths)));
    }

    /**
     * As {@link #fromRowLengths(FloatTensorData, long...)}, for several ragged axes.
     *
     * @param values the elements of all rows of the last ragged axis
     * @param lengths the row lengths of each ragged axis, the outermost first
     * @return a tensor of shape {@code [lengths[0].length, -1, -1..., sizes of inner axes...]}
     * @throws NullPointerException if the lengths of an axis are null
     * @throws IllegalArgumentException if there are no lengths; or as {@link #fromRowLengths(FloatTensorData, long...)} does
     * @throws TensorClosedException if the values are closed
     * @throws OutOfMemoryError as {@link #fromRowLengths(FloatTensorData, long...)} does
     */
    public static RaggedTensor<Float> fromRowLengths(FloatTensorData values, long[]... lengths) {
        return of(RaggedTensors.ofLengths(FloatCarrier.FLOAT, values, lengths));
    }

    /**
     * Makes a ragged tensor of dense data. Trailing positions that hold only padding are removed from each row; padding before other values stays.
     //~float,double * <p>A padding of 0 is -0.0, too, and the other way round; NaN is NaN. (Elsewhere, as in {@code equals}, 0.0 and -0.0 differ.)
     *
     * @param data of shape {@code [n, m, sizes of inner axes...]}
     * @param padding the value of missing elements
     * @return a tensor of shape {@code [n, -1, sizes of inner axes...]}
     * @throws IllegalArgumentException if the rank is less than 2, the data is ragged, or it has a size of 0 and other sizes whose product is too
     *     large
     * @throws TensorClosedException if the data is closed
     * @throws OutOfMemoryError if the tensor exceeds the memory budget or does not fit in one direct buffer, or a row of the data does not fit in an
     *     array
     */
    public static RaggedTensor<Float> fromDense(FloatTensorData data, float padding) {
        //~string Objects.requireNonNull(padding, "padding");
        return of(FloatCarrier.FLOAT.ofDense(data, padding));
    }

    /**
     * Makes a ragged tensor of the first positions of each row of dense data.
     *
     * @param data of shape {@code [n, m, sizes of inner axes...]}
     * @param lengths how many positions of each row to take, 0 to {@code m}
     * @return a tensor of shape {@code [n, -1, sizes of inner axes...]}
     * @throws IllegalArgumentException if there are not {@code n} lengths, or one is negative or more than {@code m}; if the rank is less than 2,
     *     the data is ragged, or it has a size of 0 and other sizes whose product is too large
     * @throws TensorClosedException if the data is closed
     * @throws OutOfMemoryError if the tensor exceeds the memory budget or does not fit in one direct buffer, or a row of the data does not fit in an
     *     array
     */
    public static RaggedTensor<Float> fromDense(FloatTensorData data, long[] lengths) {
        return of(RaggedTensors.ofDense(FloatCarrier.FLOAT, data, lengths));
    }
    //#end each

    /**
     * As {@link #fromRowSplits(FloatTensorData, long[]...)}, of values whose type is known at run time alone.
     *
     * @param values the elements of all rows of the last ragged axis
     * @param splits the row splits of each ragged axis, the outermost first; each but the last splits the rows of the next
     * @return a tensor of the type of the values
     * @throws NullPointerException as {@link #fromRowSplits(FloatTensorData, long[]...)} does
     * @throws IllegalArgumentException as {@link #fromRowSplits(FloatTensorData, long[]...)} does
     * @throws TensorClosedException if the values are closed
     * @throws OutOfMemoryError as {@link #fromRowSplits(FloatTensorData, long[]...)} does
     */
    public static RaggedTensor<?> fromRowSplits(TensorData<?> values, long[]... splits) {
        //#each primitive
        if (values instanceof FloatTensorData) {
            return fromRowSplits((FloatTensorData) values, splits);
        }
        //#end each
        return fromRowSplits((StringTensorData) values, splits);
    }

    /**
     * Makes a ragged tensor of dense data without the trailing padding of its rows; the padding is an unsigned number.
     *
     * @param data of shape {@code [n, m, sizes of inner axes...]}
     * @param padding the value of missing elements, 0 to 255
     * @return a tensor of shape {@code [n, -1, sizes of inner axes...]}
     * @throws IllegalArgumentException if the padding is not in 0 to 255, the rank is less than 2, the data is ragged, or it has a size of
     *     0 and other sizes whose product is too large
     * @throws TensorClosedException if the data is closed
     * @throws OutOfMemoryError if the tensor exceeds the memory budget or does not fit in one direct buffer, or a row of the data does not fit in an
     *     array
     */
    public static RaggedTensor<UInt8> fromDense(ByteTensorData data, int padding) {
        OpenCheck.check(Objects.requireNonNull(data, "data"));
        return fromDense(data, (byte) PaddingValue.integer(DataType.UINT8, padding));
    }

    // ---- To dense tensors ------------------------------------------------------------------------------------------

    /**
     * Copies this to a dense tensor in which each ragged axis is as long as its longest row. Missing elements are 0, false or the empty string.
     *
     * @return a published tensor, which shares no memory with this one
     * @throws IllegalArgumentException if the dense tensor would have more bytes than a {@code long} can count
     * @throws TensorClosedException if this tensor is closed
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public Tensor<T> toDense() {
        switch (dataType()) {
            case BOOL:
                return toDense(false);
            case STRING:
                return toDense("");
            default:
                return toDense(0L);
        }
    }

    /**
     * The same as {@link #toDense(double)}.
     *
     * @param padding the value of missing elements
     * @return a published tensor, which shares no memory with this one
     * @throws IllegalArgumentException if the elements of this tensor cannot hold the padding; or as {@link #toDense()} does
     * @throws TensorClosedException if this tensor is closed
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public Tensor<T> toDense(float padding) {
        return toDense((double) padding);
    }

    /**
     * Copies this to a dense tensor in which each ragged axis is as long as its longest row. For an integral type the padding must be
     * integral; for {@code FLOAT} it is rounded to the nearest number.
     *
     * @param padding the value of missing elements
     * @return a published tensor, which shares no memory with this one
     * @throws IllegalArgumentException if the elements of this tensor cannot hold the padding; or as {@link #toDense()} does
     * @throws TensorClosedException if this tensor is closed
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public Tensor<T> toDense(double padding) {
        checkOpen();
        switch (dataType()) {
            case DOUBLE:
                return own(DoubleCarrier.DOUBLE.toDense(doubleData(), padding));
            case FLOAT:
            case FLOAT16:
            case BFLOAT16:
                return own(FloatCarrier.FLOAT.of(dataType()).toDense(floatData(), PaddingValue.single(dataType(), padding)));
            default:
                return toDense(PaddingValue.integral(dataType(), padding));
        }
    }

    /**
     * As {@link #toDense(double)}, for an integral number, which must be 0 to 255 if the elements are unsigned bytes: pass {@code b & 0xff} for a
     * {@code byte}.
     *
     * @param padding the value of missing elements
     * @return a published tensor, which shares no memory with this one
     * @throws IllegalArgumentException if the elements of this tensor cannot hold the padding; or as {@link #toDense()} does
     * @throws TensorClosedException if this tensor is closed
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public Tensor<T> toDense(long padding) {
        checkOpen();
        switch (dataType()) {
            case DOUBLE:
                return own(DoubleCarrier.DOUBLE.toDense(doubleData(), padding));
            case FLOAT:
                return own(FloatCarrier.FLOAT.toDense(floatData(), padding));
            case FLOAT16:
            case BFLOAT16:
                return toDense((double) padding);
            case INT64:
            case UINT32:
            case UINT64:
                return own(LongCarrier.INT64.of(dataType()).toDense(longData(), PaddingValue.integer(dataType(), padding)));
            case INT32:
            case INT8:
            case INT16:
            case UINT16:
                return own(IntCarrier.INT32.of(dataType()).toDense(intData(), (int) PaddingValue.integer(dataType(), padding)));
            case UINT8:
                return own(ByteCarrier.UINT8.toDense(uInt8Data(), (byte) PaddingValue.integer(DataType.UINT8, padding)));
            default:
                throw PaddingValue.refused(dataType(), String.valueOf(padding));
        }
    }

    /**
     * As {@link #toDense(double)}, for Boolean values.
     *
     * @param padding the value of missing elements
     * @return a published tensor, which shares no memory with this one
     * @throws IllegalArgumentException if the elements of this tensor are not {@code BOOL}; or as {@link #toDense()} does
     * @throws TensorClosedException if this tensor is closed
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public Tensor<T> toDense(boolean padding) {
        checkOpen();
        if (dataType() != DataType.BOOL) {
            throw PaddingValue.refused(dataType(), String.valueOf(padding));
        }
        return own(BooleanCarrier.BOOL.toDense(booleanData(), padding));
    }

    /**
     * As {@link #toDense(double)}, for strings.
     *
     * @param padding the value of missing elements
     * @return a published tensor of variable-length strings, which shares no memory with this one
     * @throws IllegalArgumentException if the elements of this tensor are not {@code STRING}, or the padding has an unpaired surrogate; or as
     *     {@link #toDense()} does
     * @throws TensorClosedException if this tensor is closed
     * @throws OutOfMemoryError if the tensor exceeds the memory budget, or, of strings, one direct buffer
     */
    public Tensor<T> toDense(String padding) {
        Objects.requireNonNull(padding, "padding");
        checkOpen();
        if (dataType() != DataType.STRING) {
            throw PaddingValue.refused(dataType(), "\"" + padding + "\"");
        }
        return own(StringCarrier.STRING.toDense(stringData(), padding));
    }

    /** Casts a tensor to this one's type. */
    @SuppressWarnings("unchecked")
    private Tensor<T> own(Tensor<?> made) {
        return (Tensor<T>) made;
    }
}
