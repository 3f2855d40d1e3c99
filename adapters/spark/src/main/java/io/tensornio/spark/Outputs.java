package io.tensornio.spark;

import io.tensornio.AnyTensor;
import io.tensornio.RaggedTensor;
import io.tensornio.TensorData;
import io.tensornio.value.Value;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** The outputs of a batch as values of its rows. */
final class Outputs {
    private Outputs() {
    }

    /** The tensors among values; others are an error, and all are closed. */
    static Map<String, AnyTensor<?>> tensors(Map<String, Value> values) {
        Map<String, AnyTensor<?>> tensors = new LinkedHashMap<>();
        for (Map.Entry<String, Value> entry : values.entrySet()) {
            if (entry.getValue().kind() != Value.Kind.TENSOR) {
                values.values().forEach(Value::close);
                throw new IllegalArgumentException("output " + entry.getKey() + " is a " + entry.getValue().kind() + ", no tensor");
            }
            tensors.put(entry.getKey(), entry.getValue().asTensor());
        }
        return tensors;
    }

    /** The output of a name, or an error that says what a model returned instead. */
    static AnyTensor<?> named(String name, Map<String, ? extends AnyTensor<?>> results) {
        AnyTensor<?> tensor = results.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException(results.containsKey(name) ? "output " + name + " is null"
                : "there is no output " + name + "; there are " + results.keySet());
        }
        return tensor;
    }

    /** Closes what a model was given or has returned, where it is not null. */
    static void close(Collection<? extends AnyTensor<?>> tensors) {
        for (AnyTensor<?> tensor : tensors) {
            if (tensor != null) {
                tensor.close();
            }
        }
    }

    /** The value of each row in the column of an output. */
    static Object[] rows(Output output, AnyTensor<?> tensor, int rows) {
        check(output, tensor, rows);
        Object[] values = new Object[rows];
        TensorData<?> data = tensor.data();
        if (tensor instanceof RaggedTensor) {
            for (int row = 0; row < rows; row++) {
                values[row] = nested(output.element(), data.slice(row));
            }
            return values;
        }
        Object all = output.element().values(data);
        long[] shape = tensor.shape();
        int step = 1;
        for (int axis = 1; axis < shape.length; axis++) {
            step = Math.toIntExact(step * shape[axis]);
        }
        for (int row = 0; row < rows; row++) {
            values[row] = nested(output.element(), all, row * step, shape, 1);
        }
        return values;
    }

    private static void check(Output output, AnyTensor<?> tensor, int rows) {
        if (tensor.dataType() != output.type || tensor.rank() != output.rank + 1) {
            throw new IllegalArgumentException("output " + output.name + " is " + tensor.dataType() + Arrays.toString(tensor.shape()) + ", where "
                + output.type + " of rank " + (output.rank + 1) + " was known, with the axis of the rows");
        }
        if (tensor.size(0) != rows) {
            throw new IllegalArgumentException("output " + output.name + " has the shape " + Arrays.toString(tensor.shape())
                + ", where the batch has " + rows + " rows: its first axis is to be that of the rows");
        }
        if (!(tensor instanceof RaggedTensor) && tensor.data().totalSize() > Gathering.LARGEST) {
            throw new IllegalArgumentException("output " + output.name + " has the shape " + Arrays.toString(tensor.shape()) + ", of "
                + tensor.data().totalSize() + " elements, where an array can hold " + Gathering.LARGEST + ": batchSize(rows) is to be less");
        }
    }

    /** A row of a ragged tensor, in which axes may be ragged as well. */
    private static Object nested(Element element, TensorData<?> row) {
        long[] shape = row.shape();
        if (Arrays.stream(shape).noneMatch(size -> size < 0)) {
            return nested(element, element.values(row), 0, shape, 0);
        }
        Object[] items = new Object[Math.toIntExact(shape[0])];
        for (int i = 0; i < items.length; i++) {
            items[i] = nested(element, row.slice(i));
        }
        return items;
    }

    /** The part of an array from a position on that has the sizes of the axes from one on. */
    private static Object nested(Element element, Object all, int from, long[] shape, int axis) {
        if (axis == shape.length) {
            Object value = java.lang.reflect.Array.get(all, from);
            return element == Element.OCTET ? Short.valueOf((short) ((Byte) value & 0xff)) : value;
        }
        int size = (int) shape[axis];
        if (axis == shape.length - 1) {
            Object row = element.array(size);
            System.arraycopy(all, from, row, 0, size);
            return row;
        }
        int step = 1;
        for (int inner = axis + 1; inner < shape.length; inner++) {
            step *= (int) shape[inner];
        }
        Object[] rows = new Object[size];
        for (int i = 0; i < size; i++) {
            rows[i] = nested(element, all, from + i * step, shape, axis + 1);
        }
        return rows;
    }
}
