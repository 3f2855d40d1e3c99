package io.tensornio.internal.graph;

import io.tensornio.DataType;
import io.tensornio.LongTensorData;
import io.tensornio.internal.data.WritableTensor;
import java.util.List;

/** The next batch, written to memory: by binders, or as the numbers of rows of columns. */
final class Feed implements AutoCloseable {
    final Batches batches;
    private final Turn binders;
    private final List<Variable> inputs;
    /** Of examples, else null. */
    private Rows rows;
    private boolean isClosed;
    /** The numbers of rows of columns, else null. */
    private final WritableTensor numbers;
    private final LongTensorData written;
    private final Runnable fill = this::fill;
    /** Which batch is here, or is being written; -1 for none. */
    private long batch = -1;
    private int count;
    private boolean isLast;
    private Throwable failure;

    /** One for batches; if these are of columns in place, which rows they are. */
    Feed(Batches batches, boolean isColumnar, List<Variable> inputs, Turn binders) {
        this.batches = batches;
        this.inputs = inputs;
        this.binders = binders;
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
            batches.loading.enter();
            try {
                load();
            } finally {
                batches.loading.leave();
            }
        } catch (Throwable e) {
            failure = e;                    // it is thrown by the step that takes this batch
        }
    }

    private void load() {
        count = batches.load(batch);
        isLast = batches.isLast();
        if (numbers == null) {
            write(reserve(Math.max(count, batches.most())));
        } else {
            int[] order = batches.order();
            for (int n = 0; n < count; n++) {
                written.put(order[batches.from() + n], n);
            }
        }
    }

    private void write(Rows to) {
        if (batches.order() != null) {
            to.copy(batches.columns(), batches.order(), batches.from(), count);
            return;
        }
        binders.enter();
        try {
            to.fill(batches.examples(), batches.from(), count);
        } finally {
            binders.leave();
        }
    }

    /** Memory for so many examples. */
    synchronized Rows reserve(int examples) {
        if (isClosed) {
            throw new IllegalStateException("the compute graph is closed");
        }
        if (rows == null || rows.capacity < examples) {
            Rows larger = new Rows(inputs, examples, batches.columns());
            if (rows != null) {
                rows.close();
            }
            rows = larger;
        }
        return rows;
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

    /** For so many examples there is memory. */
    synchronized int capacity() {
        return rows == null ? 0 : rows.capacity;
    }

    /** Takes the batch away; throws what happened as it was written. */
    void take() {
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

    /** Throws a checked exception that a binder could not declare, as Kotlin and Scala let it. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable e) throws E {
        throw (E) e;
    }

    synchronized WritableTensor memory(Variable input) {
        return rows.memory(input);
    }

    /** The batch of an input, as an operand. */
    synchronized Object operand(Variable input) {
        return rows.operand(input, count);
    }

    WritableTensor numbers() {
        return numbers;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (rows != null) {
            rows.close();
        }
        if (numbers != null) {
            numbers.close();
        }
    }
}
