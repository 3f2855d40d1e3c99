package app;

import io.tensornio.Tensor;
import io.tensornio.Tensors;
import io.tensornio.spark.TensorTransform;
import java.io.IOException;
import java.util.Collections;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A job: the model runs on executors, and what comes back is printed. */
public final class Main {
    private Main() {
    }

    public static void main(String[] arguments) throws IOException {
        try (SparkSession spark = SparkSession.builder().getOrCreate()) {
            Dataset<Row> rows = spark.range(0, 2, 1, 2).selectExpr("id", "IF(id = 0, 1, 6) AS x");
            TensorTransform twice = TensorTransform.of(inputs -> Collections.singletonMap("y",
                Tensors.ofNested(inputs.get("x").intData().stream().map(x -> 2 * x).toArray())));
            int[] found = twice.input("x").output("y").transform(rows).orderBy("id").collectAsList().stream()
                .mapToInt(row -> row.getInt(2)).toArray();
            try (Tensor<Integer> tensor = Tensors.ofNested(found)) {
                System.out.println(tensor);
            }
        }
    }
}
