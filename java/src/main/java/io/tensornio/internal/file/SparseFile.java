package io.tensornio.internal.file;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.WritableTensor;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Bytes;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Sparse matrices in the files of {@code scipy.sparse.save_npz}: {@code format}, {@code shape} and {@code data}, and where the values are: of csr
 * {@code indptr}, the positions at which rows begin, and {@code indices}, the columns; of coo {@code row} and {@code col}.
 */
public final class SparseFile implements AutoCloseable {
    private final String file;
    private final Map<String, Tensor<?>> arrays = new LinkedHashMap<>();

    private SparseFile(String file) {
        this.file = file;
    }

    // ---- Reading -------------------------------------------------------------------------------------------------------

    /** Reads a file. */
    public static SparseTensor<?> read(Path path) {
        try (NpzFile from = NpzFile.open(path); SparseFile to = new SparseFile(path.toString())) {
            return to.read(from);
        }
    }

    private IllegalArgumentException malformed(String fault) {
        return new IllegalArgumentException(file + ": " + fault);
    }

    /** Reads an array of some rank, of one of some types; none for any. */
    private TensorData<?> array(NpzFile from, String name, int rank, DataType... types) {
        if (!from.names().contains(name)) {
            throw malformed("\"" + name + "\" is missing: this is no sparse matrix of scipy.sparse.save_npz; there are " + from.names());
        }
        Tensor<?> tensor = from.read(name);
        arrays.put(name, tensor);
        if (tensor.rank() != rank || types.length > 0 && !Arrays.asList(types).contains(tensor.dataType())) {
            throw malformed("\"" + name + "\" is " + tensor.dataType() + " of rank " + tensor.rank() + "; " + Arrays.toString(types)
                + " of rank " + rank + " is expected");
        }
        return AnyData.of(tensor);
    }

    private SparseTensor<?> read(NpzFile from) {
        array(from, "format", 0, DataType.STRING);
        String format = arrays.get("format").stringData().get();
        if (!"csr".equals(format) && !"coo".equals(format)) {
            throw malformed("the format is \"" + format + "\"; csr and coo are read: in scipy, matrix.tocsr() has it so");
        }
        TensorData<?> sizes = array(from, "shape", 1, DataType.INT64, DataType.INT32);
        if (sizes.totalSize() != 2) {
            throw malformed("the shape has " + sizes.totalSize() + " sizes; matrices have 2");
        }
        long[] shape = {at(sizes, 0), at(sizes, 1)};
        try {
            Shapes.checkSparse(shape);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
        TensorData<?> values = array(from, "data", 1);
        if (values.dataType() == DataType.STRING) {
            throw malformed("the values are strings");
        }
        boolean isCsr = "csr".equals(format);
        TensorData<?> rows = array(from, isCsr ? "indptr" : "row", 1, DataType.INT32, DataType.INT64);
        TensorData<?> columns = array(from, isCsr ? "indices" : "col", 1, DataType.INT32, DataType.INT64);
        long count = values.totalSize();
        if (columns.totalSize() != count || rows.totalSize() != (isCsr ? shape[0] + 1 : count)) {
            throw malformed("there are " + count + " values, " + columns.totalSize() + " columns and " + rows.totalSize() + " "
                + (isCsr ? "beginnings of rows, of " + shape[0] + " rows" : "rows"));
        }
        try (WritableTensor places = WritableTensor.allocate(DataType.INT64, count, 2)) {
            LongTensorData coordinates = (LongTensorData) places.data();
            if (isCsr) {
                expand(rows, coordinates, count, shape[0]);
            } else {
                check(rows, shape[0], "row");
                for (int n = 0; n < count; n++) {
                    coordinates.put(at(rows, n), n, 0);
                }
            }
            check(columns, shape[1], "column");
            for (int n = 0; n < count; n++) {
                coordinates.put(at(columns, n), n, 1);
            }
            SparseTensor<?> made = AnyData.sparse(coordinates, values, shape);
            return made.values().numElements() == count ? made : summed(made, coordinates, values);
        }
    }

    /** An integer, of either type; a place that an {@code int} can count, as more values than that are no sparse tensor. */
    private static long at(TensorData<?> data, int n) {
        return data instanceof IntTensorData ? ((IntTensorData) data).get(n) : ((LongTensorData) data).get(n);
    }

    private void check(TensorData<?> positions, long size, String what) {
        for (int n = 0; n < positions.totalSize(); n++) {
            long at = at(positions, n);
            if (at < 0 || at >= size) {
                throw malformed("value " + n + " is in " + what + " " + at + " of " + size);
            }
        }
    }

    private void expand(TensorData<?> starts, LongTensorData coordinates, long count, long rows) {
        if (at(starts, 0) != 0 || at(starts, (int) rows) != count) {
            throw malformed("rows begin at " + at(starts, 0) + " and end at " + at(starts, (int) rows) + " of " + count + " values");
        }
        for (int row = 0; row < rows; row++) {
            long begin = at(starts, row);
            long end = at(starts, row + 1);
            if (end < begin || end > count) {
                throw malformed("row " + row + " begins at value " + begin + " and ends at " + end);
            }
            for (int n = (int) begin; n < end; n++) {
                coordinates.put(row, n, 0);
            }
        }
    }

    /** The same places, with the sums of all values there. */
    private SparseTensor<?> summed(SparseTensor<?> last, LongTensorData coordinates, TensorData<?> values) {
        LongTensorData places = last.indices().longData();
        long[] shape = last.shape();
        try (WritableTensor sums = WritableTensor.zeroed(values.dataType(), last.values().numElements())) {
            Bytes to = new Bytes(sums.bytes());
            try (WritableTensor copy = WritableTensor.allocate(values.dataType(), values.totalSize())) {
                AnyData.copy(values, copy.data());
                Bytes from = new Bytes(copy.bytes());
                for (int n = 0; n < values.totalSize(); n++) {
                    add(values.dataType(), from, n, to, find(places, coordinates.get(n, 0), coordinates.get(n, 1)));
                }
            }
            return AnyData.sparse(places, sums.data(), shape);
        } finally {
            last.close();
        }
    }

    private static int find(LongTensorData places, long row, long column) {
        int low = 0;
        int high = (int) places.size(0) - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            long r = places.get(middle, 0);
            if (r < row || r == row && places.get(middle, 1) < column) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void add(DataType type, Bytes from, long n, Bytes to, long at) {
        int width = type.byteSize();
        ByteBuffer value = from.at(n * width, width);
        ByteBuffer sum = to.at(at * width, width);
        switch (type) {
            case FLOAT:
                sum.putFloat(0, sum.getFloat(0) + value.getFloat(0));
                break;
            case DOUBLE:
                sum.putDouble(0, sum.getDouble(0) + value.getDouble(0));
                break;
            case INT32:
            case UINT32:
                sum.putInt(0, sum.getInt(0) + value.getInt(0));
                break;
            case INT64:
            case UINT64:
                sum.putLong(0, sum.getLong(0) + value.getLong(0));
                break;
            case INT16:
            case UINT16:
                sum.putShort(0, (short) (sum.getShort(0) + value.getShort(0)));
                break;
            case INT8:
            case UINT8:
                sum.put(0, (byte) (sum.get(0) + value.get(0)));
                break;
            case BOOL:
                sum.put(0, (byte) (sum.get(0) | value.get(0)));
                break;
            default:
                throw malformed("several values are at one place, and " + type + " is not added: in scipy, matrix.sum_duplicates() does it");
        }
    }

    @Override
    public void close() {
        arrays.values().forEach(AnyTensor::close);
    }

    // ---- Writing -------------------------------------------------------------------------------------------------------

    /** Writes a file. */
    public static void write(Path path, SparseTensor<?> matrix) {
        Objects.requireNonNull(matrix, "matrix");
        if (matrix.rank() != 2) {
            throw new IllegalArgumentException("a sparse tensor of rank " + matrix.rank() + " is no matrix, of which alone scipy has files");
        }
        if (!ElementCodes.isNpy(matrix.dataType())) {
            throw new IllegalArgumentException(matrix.dataType() + " is no type of scipy's sparse matrices");
        }
        long[] shape = matrix.shape();
        LongTensorData places = matrix.indices().longData();
        TensorData<?> values = AnyData.of(matrix.values());
        long count = values.totalSize();
        DataType type = Math.max(count, shape[1]) > Integer.MAX_VALUE ? DataType.INT64 : DataType.INT32;
        try (WritableTensor columns = WritableTensor.allocate(type, count); WritableTensor starts = WritableTensor.zeroed(type, shape[0] + 1)) {
            TensorData<?> ofColumns = columns.data();
            TensorData<?> ofStarts = starts.data();
            for (int n = 0; n < count; n++) {
                put(ofColumns, n, places.get(n, 1));
            }
            int n = 0;
            for (int row = 0; row <= shape[0]; row++) {
                while (n < count && places.get(n, 0) < row) {
                    n++;
                }
                put(ofStarts, row, n);
            }
            FileCalls.write(path, out -> {
                try (ZipWriter zip = new ZipWriter(out, true)) {
                    zip.add("indices.npy", to -> NpyArray.write(to, ofColumns));
                    zip.add("indptr.npy", to -> NpyArray.write(to, ofStarts));
                    zip.add("format.npy", to -> {
                        to.write(NpyHeader.written("|S3", false));
                        to.write(new byte[] {'c', 's', 'r'});
                    });
                    zip.add("shape.npy", to -> NpyArray.write(to, LongTensorData.of(shape)));
                    zip.add("data.npy", to -> NpyArray.write(to, values));
                    zip.finish();
                }
            });
        }
    }

    private static void put(TensorData<?> data, int n, long value) {
        if (data instanceof IntTensorData) {
            ((IntTensorData) data).put((int) value, n);
        } else {
            ((LongTensorData) data).put(value, n);
        }
    }
}
