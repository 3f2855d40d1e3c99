package io.tensornio.arrow;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.internal.interop.Loan;
import io.tensornio.interop.Foreign;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.ExtensionTypeVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;

/**
 * Copies vectors, or reads them in place. What a vector says of itself is checked before its memory is touched, since it can come from a file.
 */
final class ArrowReader {
    /** The rows of a matrix that are copied together, column by column. */
    private static final int ROWS = 256;
    /** The eight bytes that the bits of a byte become. */
    private static final byte[][] BITS = new byte[256][8];

    static {
        for (int n = 0; n < 256 * 8; n++) {
            BITS[n / 8][n % 8] = (byte) (n / 8 >> n % 8 & 1);
        }
    }

    /** The column, for messages. */
    private final ValueVector column;

    private ArrowReader(ValueVector column) {
        this.column = column;
    }

    static AnyTensor<?> copy(ValueVector vector) {
        return new ArrowReader(vector).copy(vector, vector.getValueCount());
    }

    private IllegalArgumentException refused(String fault) {
        String name = column.getName();
        return new IllegalArgumentException("the column " + (name == null || name.isEmpty() ? "without a name" : "`" + name + "`") + " of type "
            + column.getField().getType() + " " + fault);
    }

    private AnyTensor<?> copy(ValueVector vector, int count) {
        if (vector instanceof ListVector || vector instanceof LargeListVector) {
            return ragged(vector, count);
        }
        List<Long> sizes = new ArrayList<>();
        sizes.add((long) count);
        ValueVector elements = inner(vector, count, sizes);
        if (elements instanceof ListVector || elements instanceof LargeListVector) {
            return ragged(vector, count);
        }
        FixedShapeTensorType type = FixedShapeTensorType.of(vector.getField());
        if (type == null) {
            return dense(elements, 0, sizes);
        }
        Tensor<?> made = dense(elements, 0, sizes);
        if (type.isOrdered()) {
            return made;
        }
        try (Tensor<?> closed = made) {
            int[] order = new int[sizes.size()];
            Arrays.setAll(order, n -> n);           // lists within the tensors have axes behind theirs, which stay
            for (int n = 0; n < type.permutation().length; n++) {
                order[n + 1] = type.permutation()[n] + 1;
            }
            return Loan.permuted(closed, order);
        }
    }

    /** Follows lists of fixed size and tensors inwards, and notes the sizes of their axes; the order of those of the column is the caller's. */
    private ValueVector inner(ValueVector vector, long count, List<Long> sizes) {
        ValueVector at = vector;
        checkNulls(unwrapped(at), count);
        while (unwrapped(at) instanceof FixedSizeListVector) {
            Arrays.stream(axes(at, at == column)).forEach(sizes::add);
            at = ((FixedSizeListVector) unwrapped(at)).getDataVector();
            checkNulls(unwrapped(at), product(sizes));
        }
        return unwrapped(at);
    }

    /** The sizes of the axes that a list of fixed size, or a tensor in one, is in memory. */
    private long[] axes(ValueVector vector, boolean mayBePermuted) {
        FixedShapeTensorType type = FixedShapeTensorType.of(vector.getField());
        if (type == null) {
            return new long[] {((FixedSizeListVector) vector).getListSize()};
        }
        if (!mayBePermuted && !type.isOrdered()) {
            throw refused("has lists in or around tensors of shape " + Arrays.toString(type.shape()) + " with the permutation "
                + Arrays.toString(type.permutation()) + ": axes are put in order only of tensors that are the rows, without lists");
        }
        return type.shape();
    }

    private static ValueVector unwrapped(ValueVector vector) {
        boolean isTensor = vector instanceof ExtensionTypeVector && FixedShapeTensorType.of(vector.getField()) != null;
        return isTensor ? ((ExtensionTypeVector<?>) vector).getUnderlyingVector() : vector;
    }

    private static long product(List<Long> sizes) {
        return sizes.contains(0L) ? 0 : sizes.stream().reduce(1L, Math::multiplyExact);
    }

    private void checkNulls(ValueVector vector, long count) {
        if (vector.getValueCount() < count) {
            throw refused("has " + vector.getValueCount() + " values where its lists have " + count);
        }
        if (vector.getField().getDictionary() != null) {
            throw refused("is encoded by a dictionary: DictionaryEncoder.decode makes a column that can be read");
        }
        int nulls = isFull(vector) ? 0 : vector.getNullCount();
        if (nulls > 0) {
            int first = 0;
            while (first < vector.getValueCount() - 1 && !vector.isNull(first)) {
                first++;
            }
            throw refused("has " + nulls + " nulls, the first at " + first + (vector == column ? "" : " of its values") + "; tensors have none");
        }
    }

    /** Whether no bit of a vector of numbers says null, which is known in less time than how many do. */
    private static boolean isFull(ValueVector vector) {
        if (!(vector instanceof BaseFixedWidthVector)) {
            return false;
        }
        ArrowBuf bits = vector.getValidityBuffer();
        int count = vector.getValueCount();
        return bits.capacity() >= BitVectorHelper.getValidityBufferSize(count) && BitVectorHelper.checkAllBitsEqualTo(bits, count, true);
    }

    /** The type of elements that are in memory one after the other, or are bits. */
    private DataType type(ValueVector elements) {
        DataType type = ArrowTypes.of(elements.getField().getType());
        if (type == null) {
            throw refused((elements == column ? "" : "has values of type " + elements.getField().getType() + ", which ")
                + "cannot be a tensor: those that can are " + ArrowTypes.all());
        }
        return type;
    }

    /** Copies rows of elements, from one on. */
    private Tensor<?> dense(ValueVector elements, long firstRow, List<Long> sizes) {
        long[] shape = sizes.stream().mapToLong(Long::longValue).toArray();
        long first = firstRow == 0 ? 0 : firstRow * product(sizes.subList(1, sizes.size()));     // without rows nothing bounds the other sizes
        long count = product(sizes);
        if (elements instanceof VarCharVector || elements instanceof LargeVarCharVector) {
            return strings(elements, shape, Math.toIntExact(first), Math.toIntExact(count));
        }
        DataType type = type(elements);
        long end = first + count;
        ArrowBuf from = checked(elements.getDataBuffer(), type == DataType.BOOL ? (end + 7) / 8 : end * type.byteSize());
        try (Loan loan = Loan.toFill(type, shape)) {
            long at = first * type.byteSize();
            for (ByteBuffer part : loan.buffers()) {
                if (type == DataType.BOOL) {
                    unpack(from, at, part);
                } else if (part.hasRemaining()) {
                    from.getBytes(at, part.duplicate());
                }
                at += part.capacity();
            }
            return loan.publish();
        }
    }

    private ArrowBuf checked(ArrowBuf buffer, long bytes) {
        if (buffer.capacity() < bytes) {
            throw refused("has a buffer of " + buffer.capacity() + " bytes where its values take " + bytes);
        }
        return buffer;
    }

    /** Makes bytes of bits, from one on. */
    private static void unpack(ArrowBuf from, long first, ByteBuffer part) {
        ByteBuffer to = part.duplicate();
        for (long at = first; to.hasRemaining();) {
            int bit = (int) (at & 7);
            int count = Math.min(8 - bit, to.remaining());
            to.put(BITS[from.getByte(at >> 3) & 0xff], bit, count);
            at += count;
        }
    }

    private Tensor<String> strings(ValueVector elements, long[] shape, int first, int count) {
        long[] offsets = offsets(elements, count == 0 ? 0 : first + count);
        ArrowBuf bytes = count == 0 ? null : checked(elements.getDataBuffer(), offsets[first + count]);
        return Tensors.denseString(shape, data -> {
            int[] at = new int[shape.length];
            for (int n = first; n < first + count; n++) {
                byte[] one = new byte[Math.toIntExact(offsets[n + 1] - offsets[n])];
                bytes.getBytes(offsets[n], one);
                data.putBytes(one, at);
                for (int axis = at.length - 1; axis >= 0 && ++at[axis] == shape[axis]; axis--) {
                    at[axis] = 0;
                }
            }
        });
    }

    /** The offsets of strings or lists: one more than there are. */
    private long[] offsets(ValueVector vector, long count) {
        boolean isLarge = vector instanceof LargeVarCharVector || vector instanceof LargeListVector;
        int width = isLarge ? Long.BYTES : Integer.BYTES;
        if (count == 0) {
            return new long[1];     // then even the first one may be missing
        }
        ArrowBuf buffer = checked(vector.getOffsetBuffer(), (count + 1) * width);
        long[] offsets = new long[Math.toIntExact(count + 1)];
        for (int n = 0; n < offsets.length; n++) {
            offsets[n] = isLarge ? buffer.getLong((long) n * width) : buffer.getInt((long) n * width);
            if (offsets[n] < (n == 0 ? 0 : offsets[n - 1])) {
                throw refused("has offsets that fall: " + offsets[n] + " at " + n);
            }
        }
        return offsets;
    }

    /** The axes from the outside, and the values from the first that a list has. */
    private AnyTensor<?> ragged(ValueVector vector, int count) {
        List<long[]> splits = new ArrayList<>();
        ValueVector at = vector;
        long from = 0;
        long to = count;
        List<Long> sizes = new ArrayList<>();
        while (true) {
            ValueVector list = at;
            at = unwrapped(at);
            checkNulls(at, to);
            if (at instanceof FixedSizeListVector && hasLists(at)) {
                ValueVector within = ((FixedSizeListVector) at).getDataVector();
                checkNulls(unwrapped(within), to * ((FixedSizeListVector) at).getListSize());         // before there is an array of that length
                for (long size : axes(list, false)) {
                    if (to - from >= Integer.MAX_VALUE) {
                        throw refused("has " + (to - from) + " lists along one axis");
                    }
                    long[] regular = new long[(int) (to - from) + 1];
                    Arrays.setAll(regular, n -> n * size);
                    splits.add(regular);
                    from *= size;
                    to *= size;
                }
                at = within;
            } else if (at instanceof ListVector || at instanceof LargeListVector) {
                long[] offsets = offsets(at, to);
                long first = offsets[(int) from];
                long last = offsets[(int) to];
                long[] relative = Arrays.copyOfRange(offsets, (int) from, (int) to + 1);
                Arrays.setAll(relative, n -> relative[n] - first);
                splits.add(relative);
                from = first;
                to = last;
                at = at instanceof ListVector ? ((ListVector) at).getDataVector() : ((LargeListVector) at).getDataVector();
            } else {
                at = list;
                break;
            }
        }
        sizes.add(to);
        ValueVector elements = inner(at, to, sizes);
        sizes.set(0, to - from);
        try (Tensor<?> values = dense(elements, from, sizes)) {
            return RaggedTensor.fromRowSplits(values.data(), splits.toArray(new long[0][]));
        }
    }

    private static boolean hasLists(ValueVector vector) {
        ValueVector at = vector;
        while (at instanceof FixedSizeListVector) {
            at = unwrapped(((FixedSizeListVector) at).getDataVector());
        }
        return at instanceof ListVector || at instanceof LargeListVector;
    }

    /** A tensor over the memory of a vector, which it keeps. */
    static Tensor<?> adopt(ValueVector vector) {
        ArrowReader reader = new ArrowReader(vector);
        List<Long> sizes = new ArrayList<>();
        sizes.add((long) vector.getValueCount());
        ValueVector elements = reader.inner(vector, vector.getValueCount(), sizes);
        DataType type = ArrowTypes.of(elements.getField().getType());
        if (type == null || type == DataType.BOOL) {
            throw reader.refused("is not read in place: only numbers lie in memory as tensors have them; ArrowTensors.of copies "
                + ArrowTypes.all());
        }
        FixedShapeTensorType tensors = FixedShapeTensorType.of(vector.getField());
        if (tensors != null && !tensors.isOrdered()) {
            throw reader.refused("has axes in another order, so that it is not read in place: ArrowTensors.of copies it");
        }
        long bytes = product(sizes) * type.byteSize();
        if (bytes > Integer.MAX_VALUE) {
            throw reader.refused("has " + bytes + " bytes, more than the " + Integer.MAX_VALUE + " that are read in place");
        }
        ArrowBuf buffer = reader.checked(elements.getDataBuffer(), bytes);
        long[] shape = sizes.stream().mapToLong(Long::longValue).toArray();
        if (bytes == 0) {
            return Foreign.adopt(type, shape, ByteBuffer.allocateDirect(0).order(ByteOrder.nativeOrder()), () -> { });
        }
        buffer.getReferenceManager().retain();
        try {
            return Foreign.adopt(type, shape, buffer.nioBuffer(0, (int) bytes).order(ByteOrder.nativeOrder()),
                () -> buffer.getReferenceManager().release());
        } catch (Throwable e) {
            buffer.getReferenceManager().release();
            throw e;
        }
    }

    static Tensor<?> matrix(VectorSchemaRoot root) {
        List<FieldVector> columns = root.getFieldVectors();
        int rows = root.getRowCount();
        DataType common = null;
        for (FieldVector column : columns) {
            ArrowReader reader = new ArrowReader(column);
            reader.checkNulls(column, rows);
            DataType type = reader.type(column);
            if (common != null && type != common) {
                throw reader.refused("is " + type + ", but the column `" + columns.get(0).getName() + "` " + common
                    + ": a matrix has one type");
            }
            common = type;
            reader.checked(column.getDataBuffer(), type == DataType.BOOL ? (rows + 7L) / 8 : (long) rows * type.byteSize());
        }
        if (common == null) {
            throw new IllegalArgumentException("a table without columns has no type, so that it cannot be a matrix");
        }
        try (Loan loan = Loan.toFill(common, rows, columns.size())) {
            ByteBuffer[] parts = loan.buffers();
            for (long first = 0; first < rows; first += ROWS) {
                for (int n = 0; n < columns.size(); n++) {
                    scatter(columns.get(n), first, Math.min(rows, first + ROWS), parts, n, columns.size(), common.byteSize());
                }
            }
            return loan.publish();
        }
    }

    private static void scatter(FieldVector column, long first, long last, ByteBuffer[] parts, int n, int columns, int width) {
        ArrowBuf from = column.getDataBuffer();
        long step = parts[0].capacity();        // the parts but the last are of one size, a power of 2 if there are several
        for (long row = first; row < last; row++) {
            long at = (row * columns + n) * width;
            ByteBuffer to = parts[step == 0 ? 0 : (int) (at / step)];
            int in = step == 0 ? 0 : (int) (at % step);
            if (column instanceof BitVector) {
                to.put(in, (byte) (from.getByte(row >> 3) >> (int) (row & 7) & 1));
                continue;
            }
            switch (width) {
                case Long.BYTES:
                    to.putLong(in, from.getLong(row * width));
                    break;
                case Integer.BYTES:
                    to.putInt(in, from.getInt(row * width));
                    break;
                case Short.BYTES:
                    to.putShort(in, from.getShort(row * width));
                    break;
                default:
                    to.put(in, from.getByte(row));
                    break;
            }
        }
    }
}
