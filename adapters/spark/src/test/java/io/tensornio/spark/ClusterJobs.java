package io.tensornio.spark;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.MemoryStats;
import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.graph.CGInit;
import io.tensornio.graph.ComputeGraph;
import io.tensornio.graph.SGD;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilled;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** What {@link ClusterTest} runs: a program whose executors are JVMs of their own. It prints a line for each job. */
public final class ClusterJobs {
    private ClusterJobs() {
    }

    /** Of the driver; executors load this class, too. */
    private static SparkSession session() {
        return SparkSession.builder().getOrCreate();
    }

    /** x + x, and before that what a test does to the task. */
    private static ModelFunction twice(ModelFunction before) {
        return inputs -> {
            before.apply(inputs);
            return Collections.singletonMap("y", Tensors.ofNested(inputs.get("x").intData().stream().map(x -> 2 * x).toArray()));
        };
    }

    private static Dataset<Row> rows(int count) {
        return session().range(0, count, 1, 4).selectExpr("CAST(id AS int) AS x");
    }

    private static void check(String job, ModelFunction before) {
        long sum = TensorTransform.of(twice(before)).input("x").output("y", DataType.INT32, 0).batchSize(10).transform(rows(400))
            .selectExpr("sum(y)").collectAsList().get(0).getLong(0);
        System.out.println(job + ": " + sum);
    }

    /** Whether this is the first attempt at a partition; a stage that is run again, as rows of a dead executor are lost, begins to count anew. */
    private static boolean isFirst(int partition) {
        TaskContext task = TaskContext.get();
        return task.partitionId() == partition && task.attemptNumber() == 0 && task.stageAttemptNumber() == 0;
    }

    /** A model that counts how many times this JVM has read it. */
    static final class Counted implements ModelFunction {
        private static final long serialVersionUID = 1;
        private static final AtomicInteger READ = new AtomicInteger();

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            READ.incrementAndGet();
        }

        @Override
        public Map<String, ? extends AnyTensor<?>> apply(Map<String, AnyTensor<?>> inputs) {
            int[] read = new int[(int) inputs.get("x").size(0)];
            Arrays.fill(read, READ.get());
            return Collections.singletonMap("y", Tensors.ofNested(read));
        }
    }

    private static List<String> onExecutors(MapPartitionsFunction<Row, String> ask) {
        return rows(4).mapPartitions(ask, Encoders.STRING()).distinct().collectAsList();
    }

    private static float[] trained(Dataset<Row> rows) {
        try (ComputeGraph cg = Network.compiled()) {
            CGInit.glorot(cg, 3);
            SGD descent = SGD.adam(cg).rate(.05);
            for (int step = 0; step < 2; step++) {
                DataParallel.step(rows.javaRDD(), Network::compiled, cg, descent);
            }
            Map<Integer, Tensor<?>> parameters = cg.parameters();
            float[] first = (float[]) parameters.values().iterator().next().data().flatten().toNested();
            parameters.values().forEach(Tensor::close);
            return first;
        }
    }

    /** Takes which jobs there are to be: some, all, or those of speculation. */
    public static void main(String[] arguments) throws InterruptedException {
        if (arguments[0].equals("speculation")) {
            speculation();
            session().stop();
            return;
        }
        check("a job", inputs -> inputs);
        System.out.println("read: " + TensorTransform.of(new Counted()).input("x").output("y", DataType.INT32, 0).transform(rows(400))
            .selectExpr("max(y)").collectAsList());
        System.out.println("threads: " + onExecutors(part -> Collections.singleton(System.getProperty("tensornio.threads")).iterator()));
        check("a task that fails in the middle", inputs -> {
            if (isFirst(1) && inputs.get("x").intData().get(0) >= 120) {
                throw new IOException("once");
            }
            return inputs;
        });
        String said = LocalSpark.fault(TensorTransform.of(inputs -> Collections.singletonMap("y",
            Tensors.denseInt(new long[] {100, 1 << 18}, data -> { }))).input("x").output("y", DataType.INT32, 1).transform(rows(400)));
        System.out.println("too much memory: " + said.contains("the model failed on the 100 rows from row 0") + " "
            + said.contains("OutOfMemoryError"));
        if (arguments[0].equals("all")) {
            deeper();
        }
        session().stop();
    }

    /** What executors have a while after a job. */
    private static void left() throws InterruptedException {
        List<String> left = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            left = onExecutors(part -> Collections.singleton(
                Models.unused() + " unused, " + MemoryStats.current().bytesInUse() + " bytes").iterator());
            if (left.equals(Collections.singletonList("0 unused, 0 bytes"))) {
                break;
            }
            Thread.sleep(200);
        }
        System.out.println("left: " + left);
    }

    /** An attempt so slow that Spark starts another, and kills it as soon as that has ended. */
    private static void speculation() throws InterruptedException {
        Queue<String> killed = new ConcurrentLinkedQueue<>();
        SparkListener listener = new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd end) {
                if (end.reason() instanceof TaskKilled) {
                    killed.add(((TaskKilled) end.reason()).reason());
                }
            }
        };
        session().sparkContext().addSparkListener(listener);
        check("a task that is overtaken", inputs -> {
            if (isFirst(3) && inputs.get("x").intData().get(0) >= 320) {
                Thread.sleep(300_000);          // until it is interrupted
            }
            return inputs;
        });
        for (int i = 0; i < 100 && killed.isEmpty(); i++) {
            Thread.sleep(100);
        }
        System.out.println("killed: " + killed);
        left();
    }

    /** Tasks that are killed, executors that die, and what is left. */
    private static void deeper() throws InterruptedException {
        SparkListener killer = new SparkListener() {
            @Override
            public void onTaskStart(SparkListenerTaskStart start) {
                long id = start.taskInfo().taskId();
                if (start.taskInfo().index() == 3 && start.taskInfo().attemptNumber() == 0) {
                    new Timer(true).schedule(new TimerTask() {
                        @Override
                        public void run() {
                            session().sparkContext().killTaskAttempt(id, true, "as if another attempt were faster");
                        }
                    }, 1500);
                }
            }
        };
        session().sparkContext().addSparkListener(killer);
        check("a task that is killed", inputs -> {
            if (isFirst(3)) {
                Thread.sleep(60_000);           // until it is interrupted
            }
            return inputs;
        });
        session().sparkContext().removeSparkListener(killer);
        left();
        check("an executor that dies in the middle", inputs -> {
            if (isFirst(2) && inputs.get("x").intData().get(0) >= 250) {
                Runtime.getRuntime().halt(3);
            }
            return inputs;
        });
        Dataset<Row> rows = session().createDataFrame(TensorTransformTest.list(300), TensorTransformTest.SCHEMA).repartition(3).sort("id");
        float[] expected = trained(rows.coalesce(1));
        // The rows come, of one partition, from an executor that dies.
        float[] found = trained(rows.repartition(3).map((MapFunction<Row, Row>) row -> {
            if (isFirst(1) && !"driver".equals(SparkEnv.get().executorId())) {
                Runtime.getRuntime().halt(3);
            }
            return row;
        }, Encoders.row(TensorTransformTest.SCHEMA)));
        double most = 0;
        for (int i = 0; i < expected.length; i++) {
            most = Math.max(most, Math.abs(expected[i] - found[i]));
        }
        System.out.println("training: " + (most < 1e-4 ? "the same" : "other by " + most));
    }
}
