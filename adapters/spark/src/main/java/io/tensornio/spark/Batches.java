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
 * <p>Whoever reads the rows may be another thread than that in which the task ends, as it is where the next step runs in Python; so what ends with the
 * task waits for a batch that is being computed.
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

    Batches(Iterator<Row> rows, @Nullable TaskContext task, Models.Borrowed model, StructType schema, Input[] inputs, Output[] outputs, int batchSize) {
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
        synchronized (this) {
            if (isClosed) {
                return false;
            }
            before += batch.size();
            batch.clear();
            next = 0;
            if (!rows.hasNext()) {
                close();
                return false;
            }
            if (task != null && task.isInterrupted()) {
                throw new TaskKilledException();
            }
            compute();
            return true;
        }
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

    private void compute() {
        for (Gathering gathering : gatherings) {
            gathering.clear();
        }
        while (batch.size() < batchSize && rows.hasNext()) {
            batch.add(values(rows.next()));
        }
        Map<String, AnyTensor<?>> given = new LinkedHashMap<>();
        Set<AnyTensor<?>> made = Collections.newSetFromMap(new IdentityHashMap<>());
        try {
            for (int i = 0; i < inputs.length; i++) {
                AnyTensor<?> tensor = gatherings[i].tensor(batch.size());
                made.add(tensor);
                given.put(inputs[i].name, tensor);
            }
            Map<String, ? extends AnyTensor<?>> results = model.copy.run(Collections.unmodifiableMap(given));
            made.addAll(results.values());
            for (int i = 0; i < outputs.length; i++) {
                AnyTensor<?> tensor = results.get(outputs[i].name);
                if (tensor == null) {
                    throw new IllegalArgumentException("there is no output " + outputs[i].name + "; there are " + results.keySet());
                }
                Object[] column = Outputs.rows(outputs[i], tensor, batch.size());
                for (int row = 0; row < column.length; row++) {
                    Object[] values = batch.get(row);
                    values[types.length + i] = column[row];
                }
            }
        } catch (TaskKilledException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the model failed on the " + batch.size() + " rows from " + place(0) + " on: " + e.getMessage(), e);
        } finally {
            made.forEach(AnyTensor::close);
        }
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
                ? Columns.external(((RawArray) value).data, ((ArrayType) types[i]).elementType(), elements[i]) : value;
        }
        return values;
    }
}
