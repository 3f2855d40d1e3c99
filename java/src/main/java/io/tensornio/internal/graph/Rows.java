package io.tensornio.internal.graph;

import io.tensornio.IntTensorData;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.WritableTensor;
import io.tensornio.internal.memory.Storage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Memory for the examples of a batch, a row for each, which binders write. */
final class Rows implements AutoCloseable {
    private static final byte[] ZEROS = new byte[4096];

    final List<Variable> inputs;
    /** The capacity in examples. */
    final int capacity;
    private final WritableTensor[] memory;
    /** The bytes of each, kept so that clearing them makes no objects. */
    private final ByteBuffer[][] bytes;
    private final TensorData<?>[][] rows;

    /** Allocates memory for examples of inputs. */
    Rows(List<Variable> inputs, int capacity) {
        this.inputs = inputs;
        this.capacity = capacity;
        memory = new WritableTensor[inputs.size()];
        bytes = new ByteBuffer[memory.length][];
        rows = new TensorData<?>[memory.length][capacity];
        try {
            for (int n = 0; n < memory.length; n++) {
                Variable input = inputs.get(n);
                memory[n] = WritableTensor.zeroed(input.fed(), with(capacity, input.shape()));
                bytes[n] = memory[n].bytes();
                TensorData<?> data = memory[n].data();
                for (int row = 0; row < capacity; row++) {
                    rows[n][row] = (TensorData<?>) data.slice(row);
                }
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /** A shape with another axis before it. */
    static long[] with(long first, long... shape) {
        long[] longer = new long[shape.length + 1];
        longer[0] = first;
        System.arraycopy(shape, 0, longer, 1, shape.length);
        return longer;
    }

    WritableTensor memory(Variable input) {
        return memory[inputs.indexOf(input)];
    }

    /** Zeroes the first rows, and writes examples to them. */
    void fill(List<?> examples, int from, int count) {
        for (int n = 0; n < memory.length; n++) {
            clear(n, memory[n].numBytes() / Math.max(capacity, 1) * count);
        }
        for (int row = 0; row < count; row++) {
            for (int n = 0; n < memory.length; n++) {
                Variable input = inputs.get(n);
                if (input.binder == null) {
                    throw new IllegalArgumentException("input " + input + " has no binder: it is given by name, or in columns");
                }
                input.binder.write(input, examples.get(from + row), rows[n][row]);
            }
        }
    }

    /** Copies rows of columns to the first rows: those listed in {@code order}, starting at {@code from}. */
    void copy(Map<Variable, TensorData<?>> columns, int[] order, int from, int count) {
        TensorIndex chosen = TensorIndex.take(IntTensorData.of(Arrays.copyOfRange(order, from, from + count)));
        TensorIndex first = TensorIndex.range(0, count);
        for (int n = 0; n < memory.length; n++) {
            TensorData<?> to = memory[n].data();
            AnyData.copy((TensorData<?>) columns.get(inputs.get(n)).slice(chosen), (TensorData<?>) to.slice(first));
        }
    }

    /** Copies rows of columns, from one on, to the first rows. */
    void copy(Map<Variable, TensorData<?>> columns, int from, int count) {
        TensorIndex chosen = TensorIndex.range(from, from + count);
        TensorIndex first = TensorIndex.range(0, count);
        for (int n = 0; n < memory.length; n++) {
            TensorData<?> to = memory[n].data();
            AnyData.copy((TensorData<?>) columns.get(inputs.get(n)).slice(chosen), (TensorData<?>) to.slice(first));
        }
    }

    private void clear(int n, long count) {
        Storage pinned = memory[n].pin();           // another thread may close it concurrently
        try {
            long left = count;
            for (ByteBuffer some : bytes[n]) {
                some.clear();
                while (left > 0 && some.hasRemaining()) {
                    int zeros = (int) Math.min(Math.min(left, some.remaining()), ZEROS.length);
                    some.put(ZEROS, 0, zeros);
                    left -= zeros;
                }
            }
        } finally {
            pinned.unpin();
        }
    }

    @Override
    public void close() {
        Model.closeAll(memory);
    }

    @Override
    public String toString() {
        return capacity + " examples of " + Arrays.toString(inputs.toArray());
    }
}
