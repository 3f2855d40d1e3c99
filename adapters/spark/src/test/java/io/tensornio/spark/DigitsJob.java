package io.tensornio.spark;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.col;

import io.tensornio.Axis;
import io.tensornio.graph.ComputeGraph;
import io.tensornio.graph.Dense;
import io.tensornio.graph.Sym;
import io.tensornio.graph.Sym1;
import io.tensornio.graph.TensorContext;
import io.tensornio.graph.TensorGraph;
import java.nio.file.Paths;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The job of docs/spark.md. */
final class DigitsJob {
    private DigitsJob() {
    }

    static ComputeGraph network() {
        TensorContext t = new TensorContext();
        Sym1<Axis> x = t.input(Axis.of("X", 64), float[].class, (features, data) -> data.put(features)).named("features");
        Sym label = t.inputInt(float[].class, (features, data) -> data.put((int) features[0] % 10)).named("label");
        Dense<Axis> hidden = t.comprehensions().dense(Axis.of("H", 128), x).withRelu();
        Dense<Axis> logits = t.comprehensions().linear(Axis.of("C", 10), hidden.output());
        Sym probabilities = t.comprehensions().softmax(logits.output()).named("probabilities");
        return new TensorGraph(t.comprehensions().softmaxCrossEntropy(logits.output(), label), probabilities).compile();
    }

    static void run(SparkSession spark, String csv, String folder, int copies) {
        Dataset<Row> digits = spark.read().option("inferSchema", "true").csv(csv);
        Column[] pixels = IntStream.range(0, 64).mapToObj(i -> col("_c" + i).divide(16).cast("float")).toArray(Column[]::new);
        spark.range(copies).crossJoin(digits.select(array(pixels).as("features"), col("_c64").as("label")))
            .write().parquet(folder + "/digits.parquet");
        try (ComputeGraph cg = network()) {
            cg.load(Paths.get(folder, "digits.safetensors"));
            TensorTransform.of(DigitsJob::network, cg).input("features", 64).output("probabilities").batchSize(1024)
                .transform(spark.read().parquet(folder + "/digits.parquet"))
                .write().parquet(folder + "/scored.parquet");
        }
    }
}
