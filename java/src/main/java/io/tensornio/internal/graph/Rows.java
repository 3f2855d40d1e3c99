package io.tensornio.internal.graph;

import io.tensornio.AnyTensor;
import io.tensornio.IntTensorData;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.StoredOperand;
import io.tensornio.internal.data.WritableTensor;
import io.tensornio.internal.memory.Storage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The examples of a batch, a row for each: memory which binders write, and of inputs with varying axes ragged tensors, which are made for each
 * batch. Of ragged and sparse columns only the rows are chosen.
 */
final class Rows implements AutoCloseable {
    private static final byte[] ZEROS = new byte[4096];

    final List<Variable> inputs;
    /** The capacity in examples. */
    final int capacity;
    private final WritableTensor[] memory;
    /** The bytes of each, kept so that clearing them makes no objects. */
    private final ByteBuffer[][] bytes;
    private final TensorData<?>[][] rows;
    /** The batch of each input that has no memory: a ragged tensor, or the rows of a column. */
    private final Object[] batches;
    private boolean isClosed;

    /** Allocates memory for examples of inputs. */
    Rows(List<Variable> inputs, int capacity) {
        this(inputs, capacity, Collections.emptyMap());
    }

    /** The same for rows of columns: none for those that are ragged or sparse. */
    Rows(List<Variable> inputs, int capacity, Map<Variable, TensorData<?>> columns) {
        this.inputs = inputs;
        this.capacity = capacity;
        memory = new WritableTensor[inputs.size()];
        bytes = new ByteBuffer[memory.length][];
        rows = new TensorData<?>[memory.length][capacity];
        batches = new Object[memory.length];
        try {
            for (int n = 0; n < memory.length; n++) {
                Variable input = inputs.get(n);
                if (input.isVarying() || StoredOperand.is(columns.get(input))) {
                    continue;
                }
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

    /** The batch of an input, of so many examples. */
    Object operand(Variable input, int count) {
        int n = inputs.indexOf(input);
        return batches[n] != null ? batches[n] : memory[n].data().slice(TensorIndex.range(0, count));
    }

    /** Zeroes the first rows, and writes examples to them. */
    void fill(List<?> examples, int from, int count) {
        drop();
        for (int n = 0; n < memory.length; n++) {
            if (memory[n] != null) {
                clear(n, memory[n].numBytes() / Math.max(capacity, 1) * count);
            }
        }
        try {
            grow(0, examples, from, count);
            Lengths.check(inputs, batches, count);
            checkOpen();
        } catch (Throwable e) {
            drop();
            throw e;
        }
    }

    /** Has ragged tensors grow, from that of an input on, as examples are written. */
    private void grow(int input, List<?> examples, int from, int count) {
        int n = input;
        while (n < memory.length && memory[n] != null) {
            n++;
        }
        if (n == memory.length) {
            write(examples, from, count);
            return;
        }
        int at = n;
        batches[at] = Tensors.ragged(inputs.get(at).fed(), with(count, inputs.get(at).shape()), data -> {
            for (int row = 0; row < count; row++) {
                rows[at][row] = (TensorData<?>) data.slice(row);
            }
            grow(at + 1, examples, from, count);
        });
        Arrays.fill(rows[at], null);
    }

    private void write(List<?> examples, int from, int count) {
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
        copy(columns, chosen, count);
    }

    private void copy(Map<Variable, TensorData<?>> columns, TensorIndex chosen, int count) {
        drop();
        TensorIndex first = TensorIndex.range(0, count);
        for (int n = 0; n < memory.length; n++) {
            TensorData<?> some = (TensorData<?>) columns.get(inputs.get(n)).slice(chosen);
            if (memory[n] == null) {
                batches[n] = some;
            } else {
                AnyData.copy(some, (TensorData<?>) memory[n].data().slice(first));
            }
        }
        Lengths.check(inputs, batches, count);
    }

    /** What is closed meanwhile keeps no tensors. */
    private synchronized void checkOpen() {
        if (isClosed) {
            throw new IllegalStateException("the compute graph is closed");
        }
    }

    /** Closes the ragged tensors of a batch. */
    private synchronized void drop() {
        for (int n = 0; n < batches.length; n++) {
            if (batches[n] instanceof AnyTensor) {
                ((AnyTensor<?>) batches[n]).close();
            }
            batches[n] = null;
        }
    }

    /** Copies rows of columns, from one on, to the first rows. */
    void copy(Map<Variable, TensorData<?>> columns, int from, int count) {
        copy(columns, TensorIndex.range(from, from + count), count);
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
    public synchronized void close() {
        isClosed = true;
        drop();
        Model.closeAll(memory);
    }

    @Override
    public String toString() {
        return capacity + " examples of " + Arrays.toString(inputs.toArray());
    }
}
