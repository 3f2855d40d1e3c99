package io.tensornio.spark;

import io.tensornio.graph.CGInit;
import io.tensornio.graph.ComputeGraph;
import io.tensornio.graph.Gradients;
import io.tensornio.graph.Minibatch;
import io.tensornio.graph.SGD;
import io.tensornio.io.TensorBytes;
import io.tensornio.value.Value;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * Measures the job of docs/spark.md, and simulates training on more executors by what is measured: {@code ./gradlew :spark:sparkMeasure}, with the
 * number of rows as {@code -Prows}.
 */
final class Measure {
    private Measure() {
    }

    /** The least of so many runs, in seconds. */
    private static double seconds(int runs, Supplier<?> work) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < runs; i++) {
            long start = System.nanoTime();
            work.get();
            least = Math.min(least, (System.nanoTime() - start) * 1e-9);
        }
        return least;
    }

    private static Object written(Dataset<Row> rows, Path folder, String name) {
        rows.write().mode("overwrite").parquet(folder.resolve(name).toString());
        return name;
    }

    /** Computes rows, and writes them nowhere. */
    private static Object computed(Dataset<Row> rows) {
        rows.write().format("noop").mode("overwrite").save();
        return rows;
    }

    public static void main(String[] arguments) throws Exception {
        SparkSession spark = SparkSession.builder().master("local[*]").appName("measure").config("spark.ui.enabled", false)
            .config("spark.driver.host", "localhost").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate();
        int copies = Integer.parseInt(arguments[1]) / 1797;
        Path folder = Files.createTempDirectory("digits");
        Dataset<Row> digits = spark.read().option("inferSchema", "true").csv(arguments[0]);
        Column[] pixels = IntStream.range(0, 64).mapToObj(i -> functions.col("_c" + i).divide(16).cast("float")).toArray(Column[]::new);
        Dataset<Row> named = digits.select(functions.array(pixels).as("features"), functions.col("_c64").as("label"));
        written(spark.range(copies).crossJoin(named), folder, "rows");
        Dataset<Row> rows = spark.read().parquet(folder.resolve("rows").toString());
        try (ComputeGraph cg = DigitsJob.network()) {
            CGInit.glorot(cg, 1);
            TensorTransform transform = TensorTransform.of(DigitsJob::network, cg).input("features", 64).output("probabilities");
            double alone = seconds(3, () -> written(rows, folder, "copied"));
            double scored = seconds(3, () -> written(transform.batchSize(1024).transform(rows), folder, "scored"));
            Dataset<Row> fewer = rows.limit(Math.min(1797 * copies, 500_000)).cache();
            fewer.count();
            // What it takes to go through them alone is no part of either.
            double through = seconds(3, () -> computed(fewer));
            double single = seconds(3, () -> computed(transform.batchSize(1).transform(fewer))) - through;
            double batches = seconds(3, () -> computed(transform.batchSize(1024).transform(fewer))) - through;
            print("rows %d: read and written %.2f s, scored too %.2f s: ratio %.2f; one call a row is %.1f times slower", 1797L * copies, alone,
                scored, scored / alone, single / batches);
            simulate(cg);
        }
        spark.stop();
    }

    private static void print(String text, Object... values) {
        System.out.println(String.format(Locale.ROOT, text, values));
    }

    /** Training by steps of all rows: what a step takes of one executor, and of many. */
    private static void simulate(ComputeGraph cg) {
        int count = 4096;
        List<float[]> examples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            float[] example = new float[64];
            Arrays.fill(example, i % 17);
            examples.add(example);
        }
        Minibatch minibatch = Minibatch.inOrder(examples, 1024);
        double row = seconds(20, () -> {
            cg.gradients(minibatch).close();
            return null;
        }) / 1024;
        ByteArrayOutputStream parameters = new ByteArrayOutputStream();
        double save = seconds(20, () -> {
            parameters.reset();
            cg.save(parameters);
            return null;
        });
        double load = seconds(20, () -> {
            cg.load(new ByteArrayInputStream(parameters.toByteArray()));
            return null;
        });
        try (Gradients gradients = cg.gradients(minibatch); Value value = gradients.toValue()) {
            TensorBytes bytes = TensorBytes.of(value);
            double sum = seconds(20, () -> DataParallel.sum(bytes, bytes));
            SGD descent = SGD.adam(cg);
            double apply = seconds(20, () -> {
                descent.apply(gradients);
                return null;
            });
            print("measured: gradient %.2e s a row, parameters %d bytes, save %.2e s, load %.2e s, sum of two %.2e s, apply %.2e s", row,
                parameters.size(), save, load, sum, apply);
            double start = .1;                  // a job of Spark, until its tasks run and after they have ended
            double network = 1.25e8;            // bytes a second: 1 Gbit/s
            print("executors  step  of one   (2,000,000 rows a step, %.1f s for a job, 1 Gbit/s; skewed: the largest partition is twice the"
                + " others)", start);
            double one = save + load + 2e6 * row + apply;
            for (int executors : new int[] {1, 2, 10, 30, 100, 300}) {
                double depth = Math.ceil(Math.log(executors) / Math.log(2));
                double move = parameters.size() / network;
                // A torrent reaches twice as many with each round; treeReduce goes back in two levels, whose fan-in is the root.
                double broadcast = depth * move;
                double fanIn = Math.ceil(Math.sqrt(executors));
                double reduce = 2 * fanIn * (move + sum);
                double step = start + save + broadcast + load + 2e6 * row / executors + reduce + apply;
                double skewed = step + 2e6 * row * (2. / (executors + 1) - 1. / executors);
                print("%9d %5.2f s %6.1f times faster; skewed %5.2f s", executors, step, one / step, skewed);
            }
        }
    }
}
