package io.tensornio.io;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.file.Chunks;
import io.tensornio.value.Value;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Values as bytes, all numbers big-endian: what kind it is, as a byte; of a tensor the name of its type, the rank and the sizes, and then its
 * elements; of others how many values there are inside, and these, by name in a dictionary. Dense tensors have their elements as streams have them,
 * but strings have four bytes for their length. Sparse ones have coordinates and elements, two dense tensors; ragged ones row splits of each ragged
 * axis, and values.
 */
final class ValueBytes {
    private static final int DENSE = 0;
    private static final int SPARSE = 1;
    private static final int RAGGED = 2;
    private static final int LIST = 3;
    private static final int DICT = 4;
    private static final int OPTIONAL = 5;
    /** How deep values may be: what somebody else has written is not to use up the stack. */
    private static final int DEEPEST = 64;

    private ValueBytes() {
    }

    /** Writes a value. */
    static void write(Value value, Chunks.Out out) {
        try {
            write(value, new DataOutputStream(out), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Value value, DataOutputStream out, int depth) throws IOException {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("the value is more than " + DEEPEST + " deep");
        }
        switch (value.kind()) {
            case TENSOR:
                write(value.asTensor(), out);
                break;
            case DICT:
                out.writeByte(DICT);
                out.writeInt(value.asDict().size());
                for (Map.Entry<String, Value> entry : value.asDict().entrySet()) {
                    bytes(utf8(entry.getKey()), out);
                    write(entry.getValue(), out, depth + 1);
                }
                break;
            default:
                List<Value> items = value.kind() == Value.Kind.LIST ? value.asList() : new ArrayList<>();
                if (value.kind() == Value.Kind.OPTIONAL && value.isPresent()) {
                    items.add(value.get());
                }
                out.writeByte(value.kind() == Value.Kind.LIST ? LIST : OPTIONAL);
                out.writeInt(items.size());
                for (Value item : items) {
                    write(item, out, depth + 1);
                }
                break;
        }
    }

    private static void write(AnyTensor<?> tensor, DataOutputStream out) throws IOException {
        out.writeByte(tensor instanceof SparseTensor ? SPARSE : tensor instanceof RaggedTensor ? RAGGED : DENSE);
        out.writeUTF(tensor.dataType().name());
        out.writeInt(tensor.rank());
        for (long size : tensor.shape()) {
            out.writeLong(size);
        }
        if (tensor instanceof SparseTensor) {
            write(((SparseTensor<?>) tensor).indices(), out);
            write(((SparseTensor<?>) tensor).values(), out);
        } else if (tensor instanceof RaggedTensor) {
            for (int axis = 0; axis < tensor.rank(); axis++) {
                if (tensor.size(axis) < 0) {
                    write(((RaggedTensor<?>) tensor).rowSplits(axis), out);
                }
            }
            write(((RaggedTensor<?>) tensor).values(), out);
        } else if (tensor.dataType() == DataType.STRING) {
            StringTensorData strings = tensor.stringData().flatten();
            for (int i = 0; i < strings.totalSize(); i++) {
                bytes(strings.getBytes(i), out);
            }
        } else {
            tensor.data().writeTo(out);
        }
    }

    private static void bytes(byte[] utf8, DataOutputStream out) throws IOException {
        out.writeInt(utf8.length);
        out.write(utf8);
    }

    private static byte[] utf8(String key) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(key));
            return Arrays.copyOf(encoded.array(), encoded.limit());
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the name \"" + key + "\" has half a surrogate pair", e);
        }
    }

    /** Reads a value; whatever is wrong with the bytes is an {@code IllegalArgumentException}. */
    static Value read(byte[][] chunks) {
        if (chunks == null || Arrays.asList(chunks).contains(null)) {
            throw new IllegalArgumentException("malformed bytes of a tensor: an array is missing");
        }
        List<AnyTensor<?>> made = new ArrayList<>();
        try {
            Chunks.In in = new Chunks.In(chunks);
            Value value = new Reader(in, made).value(0);
            if (in.left() > 0) {
                throw new IllegalArgumentException("there are " + in.left() + " bytes behind the value");
            }
            return value;
        } catch (Throwable e) {
            made.forEach(AnyTensor::close);
            if (e instanceof Error) {
                throw (Error) e;
            }
            throw new IllegalArgumentException("malformed bytes of a tensor: " + (e instanceof EOFException ? "they end early" : e.getMessage()), e);
        }
    }

    /** What reads one value. */
    private static final class Reader {
        private final Chunks.In bytes;
        private final DataInputStream in;
        private final List<AnyTensor<?>> made;

        Reader(Chunks.In bytes, List<AnyTensor<?>> made) {
            this.bytes = bytes;
            this.made = made;
            in = new DataInputStream(bytes);
        }

        private <T extends AnyTensor<?>> T add(T tensor) {
            made.add(tensor);
            return tensor;
        }

        Value value(int depth) throws IOException {
            if (depth > DEEPEST) {
                throw new IllegalArgumentException("the value is more than " + DEEPEST + " deep");
            }
            int kind = in.readByte();
            if (kind >= DENSE && kind <= RAGGED) {
                return Value.of(add(tensor(kind)));
            }
            if (kind < DENSE || kind > OPTIONAL) {
                throw new IllegalArgumentException("there is no value of kind " + kind);
            }
            int count = count(in.readInt());
            if (kind == OPTIONAL && count > 1) {
                throw new IllegalArgumentException("an optional value is " + count + " values");
            }
            Map<String, Value> dict = new LinkedHashMap<>();
            List<Value> list = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                if (kind != DICT) {
                    list.add(value(depth + 1));
                } else {
                    String key = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes())).toString();
                    if (dict.put(key, value(depth + 1)) != null) {
                        throw new IllegalArgumentException("two entries \"" + key + "\"");
                    }
                }
            }
            switch (kind) {
                case DICT:
                    return Value.dict(dict);
                case LIST:
                    return Value.list(list);
                default:
                    return Value.optional(count == 0 ? null : list.get(0));
            }
        }

        /** A number of things that have a byte each, at least. */
        private int count(long count) {
            if (count < 0 || count > bytes.left()) {
                throw new IllegalArgumentException("there are " + count + " of something, and " + bytes.left() + " bytes left");
            }
            return Math.toIntExact(count);
        }

        private byte[] bytes() throws IOException {
            byte[] read = new byte[count(in.readInt())];
            in.readFully(read);
            return read;
        }

        private AnyTensor<?> tensor(int kind) throws IOException {
            DataType type = DataType.valueOf(in.readUTF());
            long[] shape = new long[count((long) Long.BYTES * in.readInt()) / Long.BYTES];
            for (int axis = 0; axis < shape.length; axis++) {
                shape[axis] = in.readLong();
            }
            if (kind == SPARSE) {
                try (Tensor<?> indices = dense(); Tensor<?> values = dense()) {
                    check(values, type);
                    return AnyData.sparse((LongTensorData) indices.data(), values.data(), shape);
                }
            }
            return kind == RAGGED ? ragged(type, shape) : dense(type, shape);
        }

        private Tensor<?> dense() throws IOException {
            if (in.readByte() != DENSE) {
                throw new IllegalArgumentException("what is stored of a tensor is dense");
            }
            return (Tensor<?>) tensor(DENSE);
        }

        private static void check(Tensor<?> values, DataType type) {
            if (values.dataType() != type) {
                throw new IllegalArgumentException("elements are " + values.dataType() + ", and the tensor is " + type);
            }
        }

        private Tensor<?> dense(DataType type, long[] shape) {
            long size = 1;
            for (long each : shape) {
                if (each < 0) {
                    throw new IllegalArgumentException("a size of " + each);
                }
                size = Math.multiplyExact(size, each);
            }
            int width = type == DataType.STRING ? 4 : type.byteSize();          // a string has its length, at least
            if (Math.multiplyExact(size, width) > bytes.left()) {
                throw new IllegalArgumentException(type + Arrays.toString(shape) + " does not fit in " + bytes.left() + " bytes");
            }
            if (type != DataType.STRING) {
                return Tensors.dense(type, shape, data -> data.readFrom(bytes));
            }
            int strings = Math.toIntExact(size);
            return Tensors.denseString(shape, data -> {
                int[] at = new int[shape.length];
                try {
                    for (int i = 0; i < strings; i++) {
                        data.putBytes(bytes(), at);
                        for (int axis = at.length - 1; axis >= 0 && ++at[axis] == shape[axis]; axis--) {
                            at[axis] = 0;
                        }
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }

        private AnyTensor<?> ragged(DataType type, long[] shape) throws IOException {
            LongTensorData[] splits = new LongTensorData[shape.length];
            List<Tensor<?>> parts = new ArrayList<>();
            try {
                long rows = 1;
                int last = 0;
                for (int axis = 0; axis < shape.length; axis++) {
                    if (shape[axis] < (axis == 0 ? 0 : -1)) {
                        throw new IllegalArgumentException("axis " + axis + " has the size " + shape[axis]);
                    }
                    if (shape[axis] < 0) {
                        parts.add(dense());
                        splits[axis] = (LongTensorData) parts.get(parts.size() - 1).data();
                        rows = check(splits[axis], rows);
                        last = axis;
                    } else if (last == 0 || Arrays.stream(shape, axis, shape.length).anyMatch(size -> size < 0)) {
                        rows = Math.multiplyExact(rows, shape[axis]);
                    }
                }
                Tensor<?> values = dense();
                parts.add(values);
                check(values, type);
                long[] sizes = Arrays.copyOfRange(shape, last, shape.length);
                sizes[0] = rows;
                if (last == 0 || !Arrays.equals(sizes, values.shape())) {
                    throw new IllegalArgumentException("the values of " + Arrays.toString(shape) + " have the shape "
                        + Arrays.toString(values.shape()));
                }
                return of(type, shape, splits, last, values.data());
            } finally {
                parts.forEach(Tensor::close);
            }
        }

        /** Checks the row splits of so many rows; returns how many rows, or values, they have inside. */
        private static long check(LongTensorData splits, long rows) {
            long before = 0;
            if (splits.rank() != 1 || splits.size(0) - 1 != rows || splits.get(0) != 0) {
                throw new IllegalArgumentException("row splits of " + rows + " rows have the shape " + Arrays.toString(splits.shape()));
            }
            for (int row = 1; row <= rows; row++) {
                if (splits.get(row) < before) {
                    throw new IllegalArgumentException("row splits fall from " + before + " to " + splits.get(row));
                }
                before = splits.get(row);
            }
            return before;
        }
    }

    /** A ragged tensor of what was checked: as a whole, if its ragged axes follow one another, else row by row. */
    private static AnyTensor<?> of(DataType type, long[] shape, LongTensorData[] splits, int last, TensorData<?> values) {
        long[][] own = new long[last][];
        for (int axis = 1; axis <= last; axis++) {
            if (splits[axis] == null) {
                Rows rows = new Rows(shape, splits, last, values);
                return type == DataType.STRING ? Tensors.raggedString(shape, data -> rows.put(data, 0, 0))
                    : Tensors.ragged(type, shape, data -> rows.put(data, 0, 0));
            }
            own[axis - 1] = (long[]) splits[axis].toNested();
        }
        return RaggedTensor.fromRowSplits(values, own);
    }

    /** Puts values into the rows of a ragged tensor one by one. */
    private static final class Rows {
        private final long[] shape;
        private final LongTensorData[] splits;
        private final int last;
        private final TensorData<?> values;
        private final int[] at;

        Rows(long[] shape, LongTensorData[] splits, int last, TensorData<?> values) {
            this.shape = shape;
            this.splits = splits;
            this.last = last;
            this.values = values;
            at = new int[last];
        }

        /** Puts what is on an axis, and on those after it, of the row of a number. */
        void put(TensorData<?> data, int axis, long row) {
            long from = splits[axis] == null ? row * shape[axis] : splits[axis].get((int) row);
            long to = splits[axis] == null ? from + shape[axis] : splits[axis].get((int) row + 1);
            if (axis < last) {
                for (long each = from; each < to; each++) {
                    at[axis] = (int) (each - from);
                    put(data, axis + 1, each);
                }
            } else {
                data.putNested(values.slice(TensorIndex.range(from, to)).toNested(), at);
            }
        }
    }
}
