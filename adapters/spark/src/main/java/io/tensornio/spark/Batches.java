package io.tensornio.spark;

import io.tensornio.AnyTensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a partition with the columns of outputs: read by batches, each of which has its tensors only while it is computed.
 *
 * <p>Whoever reads the rows may be another thread than that in which the task ends, as it is where the next step runs in Python; so what ends with
 * the task waits for a batch that is being computed, and for nothing else: rows may never come.
 */
final class Batches implements Iterator<Row>, AutoCloseable {
    private final Iterator<Row> rows;
    private final @Nullable TaskContext task;
    private final Models.Borrowed model;
    private final Input[] inputs;
    private final Output[] outputs;
    private final int batchSize;
    private final DataType[] types;
    private final @Nullable Element[] elements;
    private final int[] positions;
    private final Gathering[] gatherings;
    private final List<Object[]> batch = new ArrayList<>();
    private int next;
    /** How many rows there were before the batch. */
    private long before;
    private boolean isClosed;

    Batches(Iterator<Row> rows, @Nullable TaskContext task, Models.Borrowed model, StructType schema, Input[] inputs, Output[] outputs,
        int batchSize) {
        this.rows = rows;
        this.task = task;
        this.model = model;
        this.inputs = inputs;
        this.outputs = outputs;
        this.batchSize = batchSize;
        types = new DataType[schema.size()];
        elements = new Element[schema.size()];
        for (int i = 0; i < types.length; i++) {
            types[i] = schema.apply(i).dataType();
            elements[i] = Columns.primitive(types[i]);
        }
        positions = new int[inputs.length];
        gatherings = new Gathering[inputs.length];
        for (int i = 0; i < inputs.length; i++) {
            positions[i] = schema.fieldIndex(inputs[i].column);
            gatherings[i] = new Gathering(inputs[i], types[positions[i]]);
        }
    }

    @Override
    public boolean hasNext() {
        if (next < batch.size()) {
            return true;
        }
        before += batch.size();
        batch.clear();
        next = 0;
        if (task != null && task.isInterrupted()) {
            throw new TaskKilledException();
        }
        for (Gathering gathering : gatherings) {
            gathering.clear();
        }
        while (batch.size() < batchSize && rows.hasNext()) {
            batch.add(values(rows.next()));
        }
        if (batch.isEmpty()) {
            close();
            return false;
        }
        return compute();
    }

    @Override
    public Row next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the partition has no more rows");
        }
        Object[] row = batch.get(next);
        batch.set(next++, null);
        return RowFactory.create(row);
    }

    /** Gives the model back. Closing again does nothing. */
    @Override
    public synchronized void close() {
        isClosed = true;
        model.close();
    }

    /** Computes the outputs of a batch; false if the task has ended meanwhile. */
    private synchronized boolean compute() {
        if (isClosed) {
            batch.clear();
            return false;
        }
        Map<String, AnyTensor<?>> given = new LinkedHashMap<>();
        Set<AnyTensor<?>> made = Collections.newSetFromMap(new IdentityHashMap<>());
        boolean isDone = false;
        try {
            for (int i = 0; i < inputs.length; i++) {
                AnyTensor<?> tensor = gatherings[i].tensor(batch.size());
                made.add(tensor);
                given.put(inputs[i].name, tensor);
            }
            Map<String, ? extends AnyTensor<?>> results = Objects.requireNonNull(
                model.copy.run(Collections.unmodifiableMap(given)), "the model returned no map");
            made.addAll(results.values());
            for (int i = 0; i < outputs.length; i++) {
                Object[] column = Outputs.rows(outputs[i], Outputs.named(outputs[i].name, results), batch.size());
                for (int row = 0; row < column.length; row++) {
                    Object[] values = batch.get(row);
                    values[types.length + i] = column[row];
                }
            }
            isDone = true;
            return true;
        } catch (TaskKilledException e) {
            throw e;
        } catch (OutOfMemoryError e) {
            if (isOfTheJvm(e)) {
                throw e;
            }
            // Not as the cause: Spark ends an executor at an OutOfMemoryError, however deep, and the native memory of a batch is back already.
            IllegalStateException failed = new IllegalStateException(failed(e.toString()));
            failed.setStackTrace(e.getStackTrace());
            throw failed;
        } catch (Exception e) {
            throw new IllegalStateException(failed(e.getMessage()), e);
        } finally {
            Outputs.close(made);
            if (!isDone) {
                batch.clear();
            }
        }
    }

    private String failed(String why) {
        return "the model failed on the " + batch.size() + " rows from " + place(0) + " on: " + why;
    }

    /** Whether the JVM's own memory has run out, as HotSpot says it. */
    private static boolean isOfTheJvm(OutOfMemoryError e) {
        String said = String.valueOf(e.getMessage());
        return said.equals("null") || said.startsWith("Java heap space") || said.startsWith("GC overhead") || said.startsWith("Metaspace")
            || said.startsWith("Compressed class space") || said.startsWith("unable to create");
    }

    private String place(int row) {
        return "row " + (before + row) + " of partition " + (task == null ? 0 : task.partitionId());
    }

    /** The values of a row, and room for those of outputs; adds it to the inputs. */
    private Object[] values(Row row) {
        for (int i = 0; i < inputs.length; i++) {
            try {
                gatherings[i].add(row.get(positions[i]));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("column " + inputs[i].column + " of " + place(batch.size()) + " " + e.getMessage());
            }
        }
        Object[] values = new Object[types.length + outputs.length];
        for (int i = 0; i < types.length; i++) {
            Object value = row.get(i);
            values[i] = value instanceof RawArray && elements[i] != null
                ? Columns.external((RawArray) value, ((ArrayType) types[i]).elementType(), elements[i]) : value;
        }
        return values;
    }
}
