package io.tensornio.onnx.engine;

import com.google.protobuf.ByteString;
import io.tensornio.BooleanTensorData;
import io.tensornio.ByteTensorData;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.Tensors;
import io.tensornio.onnx.schema.Onnx.SparseTensorProto;
import io.tensornio.onnx.schema.Onnx.StringStringEntryProto;
import io.tensornio.onnx.schema.Onnx.TensorProto;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the tensors of a model's messages. What is outside of the message may be in files of the model's folder. */
final class Initializers {
    /** Bytes of a file that are read at a time. */
    private static final int CHUNK = 1 << 20;

    /** The folder of the model; null if it is not in a file. */
    private final Path folder;

    Initializers(Path folder) {
        this.folder = folder;
    }

    Tensor<?> read(TensorProto proto, String what) {
        DataType type = Types.checked(proto.getDataType(), what);
        long[] shape = shape(proto.getDimsList(), what);
        long size = Shapes.size(shape);
        if (proto.hasSegment()) {
            throw new IllegalArgumentException(what + " is a segment of a tensor, which nothing defines");
        }
        if (proto.getDataLocation() == TensorProto.DataLocation.EXTERNAL) {
            return external(proto, type, shape, what);
        }
        if (type == DataType.STRING) {
            return strings(proto, size, shape, what);
        }
        if (proto.hasRawData()) {
            ByteString raw = proto.getRawData();
            check(raw.size() / (double) type.byteSize(), size, what, shape);
            ByteBuffer bytes = raw.asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
            return Tensors.dense(type, shape, data -> put(data, bytes, 0));
        }
        return typed(proto, type, size, shape, what);
    }

    private static long[] shape(List<Long> dims, String what) {
        long[] shape = new long[dims.size()];
        for (int d = 0; d < shape.length; d++) {
            shape[d] = dims.get(d);
        }
        try {
            Shapes.size(shape);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(what + ": " + e.getMessage(), e);
        }
        return shape;
    }

    private static void check(double there, long size, String what, long... shape) {
        if (there != size) {
            throw new IllegalArgumentException(what + " has " + size + " elements by its shape " + java.util.Arrays.toString(shape) + ", and "
                + (there == Math.rint(there) ? Long.toString((long) there) : Double.toString(there)) + " in its data");
        }
    }

    private static Tensor<?> strings(TensorProto proto, long size, long[] shape, String what) {
        check(proto.getStringDataCount(), size, what, shape);
        String[] values = proto.getStringDataList().stream().map(bytes -> bytes.toString(StandardCharsets.UTF_8)).toArray(String[]::new);
        return StringTensorData.of(values, shape).copy();
    }

    private static Tensor<?> typed(TensorProto proto, DataType type, long size, long[] shape, String what) {
        switch (type) {
            case FLOAT:
                check(proto.getFloatDataCount(), size, what, shape);
                return filled(type, shape, n -> proto.getFloatData(n));
            case DOUBLE:
                check(proto.getDoubleDataCount(), size, what, shape);
                return filled(type, shape, n -> proto.getDoubleData(n));
            case INT64: {
                check(proto.getInt64DataCount(), size, what, shape);
                long[] values = new long[(int) size];
                for (int n = 0; n < values.length; n++) {
                    values[n] = proto.getInt64Data(n);
                }
                return LongTensorData.of(values, shape).copy();
            }
            case UINT32:
            case UINT64: {
                check(proto.getUint64DataCount(), size, what, shape);
                long[] values = new long[(int) size];
                for (int n = 0; n < values.length; n++) {
                    values[n] = proto.getUint64Data(n);
                }
                return Data.ofLongs(type, values, shape).copy();
            }
            case FLOAT16:
            case BFLOAT16: {
                check(proto.getInt32DataCount(), size, what, shape);
                short[] bits = new short[(int) size];
                for (int n = 0; n < bits.length; n++) {
                    bits[n] = (short) proto.getInt32Data(n);
                }
                return (type == DataType.FLOAT16 ? FloatTensorData.ofFloat16(bits) : FloatTensorData.ofBFloat16(bits)).reshape(shape).copy();
            }
            default: {
                check(proto.getInt32DataCount(), size, what, shape);
                long[] values = new long[(int) size];
                for (int n = 0; n < values.length; n++) {
                    values[n] = proto.getInt32Data(n);
                }
                return Data.ofLongs(type, values, shape).copy();
            }
        }
    }

    private interface Numbers {
        double at(int n);
    }

    private static Tensor<?> filled(DataType type, long[] shape, Numbers numbers) {
        double[] values = new double[Shapes.intSize(shape)];
        for (int n = 0; n < values.length; n++) {
            values[n] = numbers.at(n);
        }
        return Data.ofDoubles(type, values, shape).copy();
    }

    /** Puts little-endian bytes at a position in row-major order. */
    private static void put(TensorData<?> data, ByteBuffer bytes, long at) {
        int count = bytes.remaining() / data.dataType().byteSize();
        if (count == 0) {
            return;
        }
        TensorData<?> part = at == 0 && count == data.totalSize() ? data
            : data.flatten().slice(io.tensornio.TensorIndex.range(at, at + count));
        switch (data.dataType()) {
            case FLOAT:
                ((FloatTensorData) part).put(bytes.asFloatBuffer());
                break;
            case FLOAT16:
                ((FloatTensorData) part).put(FloatTensorData.ofFloat16(bytes.asShortBuffer()).reshape(part.shape()));
                break;
            case BFLOAT16:
                ((FloatTensorData) part).put(FloatTensorData.ofBFloat16(bytes.asShortBuffer()).reshape(part.shape()));
                break;
            case INT8:
                ((IntTensorData) part).put(IntTensorData.ofInt8(bytes.slice()).reshape(part.shape()));
                break;
            case INT16:
                ((IntTensorData) part).put(IntTensorData.ofInt16(bytes.asShortBuffer()).reshape(part.shape()));
                break;
            case UINT16:
                ((IntTensorData) part).put(IntTensorData.ofUInt16(bytes.asShortBuffer()).reshape(part.shape()));
                break;
            case UINT32:
                ((LongTensorData) part).put(LongTensorData.ofUInt32(bytes.asIntBuffer()).reshape(part.shape()));
                break;
            case UINT64:
                ((LongTensorData) part).put(LongTensorData.ofUInt64(bytes.asLongBuffer()).reshape(part.shape()));
                break;
            case DOUBLE:
                ((DoubleTensorData) part).put(bytes.asDoubleBuffer());
                break;
            case INT32:
                ((IntTensorData) part).put(bytes.asIntBuffer());
                break;
            case INT64:
                ((LongTensorData) part).put(bytes.asLongBuffer());
                break;
            case UINT8:
                ((ByteTensorData) part).put(bytes);
                break;
            default: {
                boolean[] values = new boolean[count];
                for (int n = 0; n < count; n++) {
                    values[n] = bytes.get() != 0;
                }
                ((BooleanTensorData) part).put(values);
            }
        }
    }

    private Tensor<?> external(TensorProto proto, DataType type, long[] shape, String what) {
        if (folder == null) {
            throw new IllegalArgumentException(what + " is in a file beside the model, and the model is not read from a file");
        }
        if (type == DataType.STRING) {
            throw new IllegalArgumentException(what + " is of strings, which cannot be outside of the model");
        }
        Map<String, String> where = new HashMap<>();
        for (StringStringEntryProto entry : proto.getExternalDataList()) {
            where.put(entry.getKey(), entry.getValue());
        }
        long bytes = Math.multiplyExact(Shapes.size(shape), (long) type.byteSize());
        try {
            Path file = file(where.getOrDefault("location", ""), what);
            long offset = number(where, "offset", 0, what);
            long length = number(where, "length", bytes, what);
            if (length != bytes || offset < 0 || offset > Files.size(file) - bytes) {
                throw new IllegalArgumentException(what + " has " + bytes + " bytes by its shape, and " + length + " from " + offset
                    + " on in a file of " + Files.size(file));
            }
            try (FileChannel channel = FileChannel.open(file)) {
                return Tensors.dense(type, shape, data -> fill(data, channel, offset, bytes, what));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(what + ": " + e.getMessage(), e);
        }
    }

    private static long number(Map<String, String> where, String key, long otherwise, String what) {
        String text = where.get(key);
        try {
            return text == null ? otherwise : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(what + ": " + key + " is `" + text + "`, no number", e);
        }
    }

    /** The file of a location: by its real path inside of the folder. */
    private Path file(String location, String what) throws IOException {
        Path real;
        Path inside = folder.toRealPath();
        try {
            Path relative = Paths.get(location);
            if (location.isEmpty() || relative.isAbsolute()) {
                throw new IllegalArgumentException(what + " is in the file `" + location + "`, which is not in the model's folder");
            }
            real = inside.resolve(relative).toRealPath();
        } catch (java.nio.file.InvalidPathException e) {
            throw new IllegalArgumentException(what + " is in `" + location + "`, which is no path", e);
        } catch (java.nio.file.NoSuchFileException e) {
            throw new UncheckedIOException(what + " is in `" + location + "`, which is not there", e);
        }
        if (!real.startsWith(inside) || !Files.isRegularFile(real)) {
            throw new IllegalArgumentException(what + " is in the file `" + location + "`, which is not in the model's folder");
        }
        return real;
    }

    private static void fill(TensorData<?> data, FileChannel channel, long offset, long bytes, String what) {
        ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(bytes, CHUNK)).order(ByteOrder.LITTLE_ENDIAN);
        long done = 0;
        try {
            while (done < bytes) {
                chunk.clear();
                chunk.limit((int) Math.min(chunk.capacity(), bytes - done));
                while (chunk.hasRemaining()) {
                    if (channel.read(chunk, offset + done + chunk.position()) < 0) {
                        throw new IOException(what + ": the file ends at " + (offset + done + chunk.position()));
                    }
                }
                chunk.flip();
                put(data, chunk.slice().order(ByteOrder.LITTLE_ENDIAN), done / data.dataType().byteSize());
                done += chunk.limit();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /** A sparse tensor made dense. */
    Tensor<?> read(SparseTensorProto proto, String what) {
        long[] shape = shape(proto.getDimsList(), what);
        int size = Shapes.intSize(shape);
        try (Tensor<?> values = read(proto.getValues(), what + ", its values");
                Tensor<?> indices = read(proto.getIndices(), what + ", its indices")) {
            long[] at = Data.longs(indices.data());
            long count = values.numElements();
            boolean flat = indices.rank() == 1;
            if (!flat && (indices.rank() != 2 || indices.size(1) != shape.length) || indices.size(0) != count) {
                throw new IllegalArgumentException(what + " has " + count + " values, and indices of shape "
                    + java.util.Arrays.toString(indices.shape()));
            }
            long[] from = new long[size];
            java.util.Arrays.fill(from, -1);
            long[] strides = Shapes.strides(shape);
            for (int n = 0; n < count; n++) {
                long position = flat ? at[n] : 0;
                for (int d = 0; !flat && d < shape.length; d++) {
                    long index = at[n * shape.length + d];
                    if (index < 0 || index >= shape[d]) {
                        throw new IllegalArgumentException(what + ": index " + index + " is not in axis " + d + " of " + shape[d]);
                    }
                    position += index * strides[d];
                }
                if (position < 0 || position >= size) {
                    throw new IllegalArgumentException(what + ": position " + position + " is not in " + size + " elements");
                }
                from[(int) position] = n;
            }
            return Data.picked(values.data(), from, shape).copy();
        }
    }
}
