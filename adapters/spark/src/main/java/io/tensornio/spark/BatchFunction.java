package io.tensornio.spark;

import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/** What executors do with the rows of a partition. */
final class BatchFunction implements MapPartitionsFunction<Row, Row> {
    private static final long serialVersionUID = 1;

    private final String transform;
    private final Broadcast<Model> model;
    private final StructType schema;
    private final Input[] inputs;
    private final Output[] outputs;
    private final int batchSize;

    BatchFunction(String transform, Broadcast<Model> model, StructType schema, Input[] inputs, Output[] outputs, int batchSize) {
        this.transform = transform;
        this.model = model;
        this.schema = schema;
        this.inputs = inputs;
        this.outputs = outputs;
        this.batchSize = batchSize;
    }

    @Override
    public Iterator<Row> call(Iterator<Row> rows) throws Exception {
        if (!rows.hasNext()) {
            return Collections.emptyIterator();
        }
        TaskContext task = TaskContext.get();
        Threads.limit(task);
        String[] names = new String[outputs.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = outputs[i].name;
        }
        Models.Borrowed borrowed = Models.borrow(transform, model.value(), names);
        Batches batches;
        try {
            batches = new Batches(rows, task, borrowed, schema, inputs, outputs, batchSize);
        } catch (Throwable e) {
            borrowed.close();
            throw e;
        }
        if (task != null) {
            task.addTaskCompletionListener((org.apache.spark.util.TaskCompletionListener) ended -> batches.close());
        }
        return batches;
    }
}
