package io.tensornio.internal.graph;

import io.tensornio.DataType;
import io.tensornio.LongTensorData;
import io.tensornio.TensorData;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.StridedOperand;
import io.tensornio.internal.data.WritableTensor;
import java.util.List;
import java.util.Map;

/** The next batch, written to memory: by binders, or as the numbers of rows of columns. */
final class Feed implements AutoCloseable {
    final Batches batches;
    private final Rows rows;
    /** The numbers of rows of columns, else null. */
    private final WritableTensor numbers;
    private final LongTensorData written;
    private final Runnable fill = this::fill;
    /** Which batch is here, or is being written; -1 for none. */
    private long batch = -1;
    private int count;
    private boolean isLast;
    private Throwable failure;
    /** Which batch was taken last. */
    private long taken = -1;

    Feed(Batches batches, List<Variable> inputs) {
        this.batches = batches;
        boolean isColumnar = batches.order() != null;
        rows = isColumnar ? null : new Rows(inputs, batches.size);
        numbers = isColumnar ? WritableTensor.allocate(DataType.INT64, batches.size) : null;
        written = isColumnar ? (LongTensorData) numbers.data() : null;
    }

    /** The work of writing a batch. */
    Runnable fill(long of) {
        batch = of;
        return fill;
    }

    private void fill() {
        failure = null;
        count = 0;
        try {
            // Of another training the next batch may be written ahead by a thread of its own.
            synchronized (batches.loading) {
                load();
            }
        } catch (Throwable e) {
            failure = e;                    // it is thrown by the step that takes this batch
        }
    }

    private void load() {
        count = batches.load(batch);
        isLast = batches.isLast();
        if (rows != null) {
            rows.fill(batches.examples(), batches.from(), count);
        } else {
            int[] order = batches.order();
            for (int n = 0; n < count; n++) {
                written.put(order[batches.from() + n], n);
            }
        }
    }

    /** Whether a batch is here. */
    boolean has(Batches of, long number) {
        return of == batches && number == batch;
    }

    int count() {
        return count;
    }

    boolean isLast() {
        return isLast;
    }

    /** Takes the batch away; throws what happened as it was written. */
    void take() {
        taken = batch;
        batch = -1;
        Throwable happened = failure;
        if (happened instanceof RuntimeException) {
            throw (RuntimeException) happened;
        }
        if (happened instanceof Error) {
            throw (Error) happened;
        }
        if (happened != null) {
            Feed.<RuntimeException>sneak(happened);
        }
    }

    /** Which batch was taken last, counted from 0. */
    long taken() {
        return taken;
    }

    /** Throws a checked exception that a binder could not declare, as Kotlin and Scala let it. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable e) throws E {
        throw (E) e;
    }

    WritableTensor memory(Variable input) {
        return rows.memory(input);
    }

    WritableTensor numbers() {
        return numbers;
    }

    /** The data of a column. */
    static StridedOperand column(Map<Variable, TensorData<?>> columns, Variable input) {
        return AnyData.operand(columns.get(input));
    }

    @Override
    public void close() {
        if (rows != null) {
            rows.close();
        } else {
            numbers.close();
        }
    }
}
