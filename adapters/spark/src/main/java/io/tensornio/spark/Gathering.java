package io.tensornio.spark;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.Tensors;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;

/** Gathers the rows of one column for a batch, and makes a tensor of them. */
final class Gathering {
    /** How many elements an array of Java can have. */
    static final int LARGEST = Integer.MAX_VALUE - 8;

    private final Input input;
    private final Element element;
    /** How many arrays are in one another; 0 for a single element. */
    private final int depth;
    private final boolean isVector;
    /** The number of elements of a row, or of what is inside of the ragged axes. */
    private final int step;
    /** All elements so far; only the first ones are there. */
    private Object values;
    private int count;
    /** For each ragged axis where its rows so far begin and end. */
    private final Splits[] splits;

    /** What is to be read of a column of a type, or an error that says why it cannot be. */
    Gathering(Input input, org.apache.spark.sql.types.DataType type) {
        this.input = input;
        org.apache.spark.sql.types.DataType inner = type;
        int arrays = 0;
        while (inner instanceof ArrayType) {
            inner = ((ArrayType) inner).elementType();
            arrays++;
        }
        isVector = Vectors.isType(inner);
        element = isVector ? Element.DOUBLE : Element.of(inner);
        if (element == null) {
            throw new IllegalArgumentException("column " + input.column + " is " + type.simpleString()
                + ": inputs are numbers, booleans, strings, binary, vectors of MLlib, and arrays of these; decimals are to be cast");
        }
        depth = isVector || element == Element.OCTET ? arrays + 1 : arrays;
        int rank = input.sizes.length;
        int ragged = input.ragged();
        if (ragged == 0 && depth == 1 ? rank == 0 : depth != rank) {
            throw new IllegalArgumentException("column " + input.column + " is " + type.simpleString() + ", of which a row has rank " + depth
                + "; the input " + Arrays.toString(input.sizes) + " has rank " + rank);
        }
        try {
            int size = 1;
            for (int axis = ragged; axis < rank; axis++) {
                size = Math.toIntExact(Math.multiplyExact(size, input.sizes[axis]));
            }
            step = size;
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("column " + input.column + ": a row of the input " + Arrays.toString(input.sizes)
                + " has more elements than an array can hold");
        }
        splits = new Splits[ragged];
        Arrays.setAll(splits, axis -> new Splits());
        values = element.array(0);
    }

    /** Forgets the rows so far. */
    void clear() {
        count = 0;
        for (Splits own : splits) {
            own.rows = 0;
        }
    }

    /** Adds the value of a row, as it was read. What it throws says what is wrong with the value. */
    void add(Object value) {
        if (value == null) {
            throw new IllegalArgumentException("is null");
        }
        if (isVector && depth == 1) {
            append(Vectors.values(value), 0);
        } else if (value instanceof byte[]) {
            append(value, 0);
        } else if (value instanceof RawArray) {
            Object primitives = depth == 1 ? ((RawArray) value).primitives(element) : null;
            if (primitives != null) {
                append(primitives, 0);
            } else {
                addArray(((RawArray) value).data, 0);
            }
        } else if (depth == 0) {
            grow(1);
            java.lang.reflect.Array.set(values, count++, value);
        } else {
            addList(Rows.list(value), 0);
        }
    }

    private void addArray(ArrayData data, int axis) {
        for (int i = 0; i < data.numElements(); i++) {
            if (data.isNullAt(i)) {
                throw new IllegalArgumentException("has a null at position " + i);
            }
        }
        if (axis == depth - 1) {
            append(element.read(data), axis);
            return;
        }
        length(data.numElements(), axis);
        for (int i = 0; i < data.numElements(); i++) {
            addArray(data.getArray(i), axis + 1);
        }
    }

    /** What is no array of primitives: strings, binaries, vectors, and arrays of arrays of them. */
    private void addList(List<?> items, int axis) {
        int at = items.indexOf(null);
        if (at >= 0) {
            throw new IllegalArgumentException("has a null at position " + at);
        }
        if (element == Element.STRING && axis == depth - 1) {
            append(items.toArray(new String[0]), axis);
            return;
        }
        length(items.size(), axis);
        for (Object item : items) {
            if (item instanceof byte[]) {
                append(item, axis + 1);
            } else if (isVector && axis == depth - 2) {
                append(Vectors.values(item), axis + 1);
            } else {
                addList(Rows.list(item), axis + 1);
            }
        }
    }

    /** Checks, or keeps, the length of an array that has others inside. */
    private void length(int length, int axis) {
        if (axis < splits.length) {
            splits[axis].add(length);
        } else if (length != input.sizes[axis]) {
            throw new IllegalArgumentException("has " + length + " rows on axis " + axis + ", not " + input.sizes[axis]);
        }
    }

    private void append(Object row, int axis) {
        int length = java.lang.reflect.Array.getLength(row);
        if (axis < splits.length) {
            splits[axis].add(length);
        } else {
            long wanted = depth == 1 ? step : input.sizes[axis];
            if (length != wanted) {
                throw new IllegalArgumentException("has " + length + " elements, not " + wanted);
            }
        }
        grow(length);
        System.arraycopy(row, 0, values, count, length);
        count += length;
    }

    private void grow(int more) {
        int needed = sum(count, more);
        int length = java.lang.reflect.Array.getLength(values);
        if (needed > length) {
            Object larger = element.array((int) Math.max(needed, Math.min(LARGEST, 2L * length)));
            System.arraycopy(values, 0, larger, 0, count);
            values = larger;
        }
    }

    /** How many elements there are with those of one more row, or an error. */
    static int sum(int count, int more) {
        if (more > LARGEST - count) {
            throw new IllegalArgumentException("makes the batch " + ((long) count + more) + " elements, where an array can hold " + LARGEST
                + ": batchSize(rows) is to be less");
        }
        return count + more;
    }

    /** The tensor of the rows, of the type that is asked for. */
    AnyTensor<?> tensor(int rows) {
        Object exact = values;
        if (java.lang.reflect.Array.getLength(values) != count) {
            exact = element.array(count);
            System.arraycopy(values, 0, exact, 0, count);
            if (splits.length == 0) {
                values = exact;             // the next batch is as long, as a rule
            }
        }
        int ragged = splits.length;
        long[] shape = new long[input.sizes.length - Math.max(0, ragged - 1) + (ragged > 0 ? 0 : 1)];
        System.arraycopy(input.sizes, ragged, shape, 1, input.sizes.length - ragged);
        shape[0] = ragged == 0 ? rows : splits[ragged - 1].last();
        TensorData<?> data = element.wrap(exact, shape);
        DataType type = input.type == null ? element.dataType : input.type;
        if (ragged == 0) {
            return type == element.dataType ? data.copy() : Tensors.convert(data, type);
        }
        try (Tensor<?> all = type == element.dataType ? data.copy() : Tensors.convert(data, type)) {
            return RaggedTensor.fromRowSplits(all.data(), Arrays.stream(splits).map(Splits::copy).toArray(long[][]::new));
        }
    }

    /** The row splits of an axis, to which rows are added one by one. */
    private static final class Splits {
        private long[] all = new long[16];
        private int rows;

        void add(int length) {
            long end = last() + length;
            if (++rows == all.length) {
                all = Arrays.copyOf(all, 2 * rows);
            }
            all[rows] = end;
        }

        /** Where the last row ends. */
        long last() {
            return all[rows];
        }

        long[] copy() {
            return Arrays.copyOf(all, rows + 1);
        }
    }
}
