package io.tensornio.spark;

import io.tensornio.graph.ComputeGraph;
import io.tensornio.graph.Gradients;
import io.tensornio.graph.Minibatch;
import io.tensornio.graph.SGD;
import io.tensornio.io.TensorBytes;
import io.tensornio.value.Value;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.*;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;

final class DataParallel {
    /** Graphs of this JVM that no task has. */
    private static final Queue<ComputeGraph> IDLE = new ConcurrentLinkedQueue<>();

    static TensorBytes gradients(Iterator<Row> partition, GraphSupplier network, byte[] parameters) throws Exception {
        List<Row> rows = new ArrayList<>();
        partition.forEachRemaining(rows::add);
        ComputeGraph idle = IDLE.poll(), cg = idle != null ? idle : network.get();
        List<Gradients> parts = new ArrayList<>();
        try {
            cg.load(new ByteArrayInputStream(parameters));
            Minibatch batches = Minibatch.inOrder(rows, 1024);
            for (int row = 0; row < rows.size(); row += 1024) {
                parts.add(cg.gradients(batches));
            }
            try (Gradients all = Gradients.sum(parts); Value value = all.toValue()) {
                return TensorBytes.of(value);
            }
        } finally {
            parts.forEach(Gradients::close);
            IDLE.add(cg);
        }
    }

    static TensorBytes sum(TensorBytes a, TensorBytes b) {
        try (Gradients one = Gradients.of(a.value()); Gradients other = Gradients.of(b.value());
            Gradients both = Gradients.sum(Arrays.asList(one, other)); Value value = both.toValue()) {
            return TensorBytes.of(value);
        }
    }

    static double step(JavaRDD<Row> rows, GraphSupplier network, ComputeGraph cg, SGD descent) {
        ByteArrayOutputStream now = new ByteArrayOutputStream();
        cg.save(now);
        Broadcast<byte[]> parameters = JavaSparkContext.fromSparkContext(rows.context()).broadcast(now.toByteArray());
        TensorBytes all = rows.mapPartitions(part -> part.hasNext()
            ? Collections.singleton(gradients(part, network, parameters.value())).iterator() : Collections.emptyIterator())
            .treeReduce(DataParallel::sum);
        parameters.destroy();
        try (Gradients gradients = Gradients.of(all.value())) {
            descent.apply(gradients);
            return gradients.loss();
        }
    }
}
