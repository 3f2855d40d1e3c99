package io.tensornio.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/** The example in Scala, which the build compiles for the Spark that has that Scala. */
class ScalaTest {
    @Test
    @SuppressWarnings("unchecked")          // what the example gives
    void theExampleRuns() throws Exception {
        Class<?> example;
        try {
            example = Class.forName("io.tensornio.spark.ScalaExample");
        } catch (ClassNotFoundException e) {
            assumeTrue(false, "the example is not compiled for this Spark");
            return;
        }
        Dataset<Row> df = LocalSpark.column(DataTypes.createArrayType(DataTypes.FloatType), new float[] {3, 4}, new float[] {0, 2});
        Dataset<Row> out = (Dataset<Row>) example.getMethod("norms", Dataset.class).invoke(null, df.withColumnRenamed("x", "features"));
        assertEquals("[5.0, 2.0]", out.collectAsList().stream().map(row -> row.getFloat(1)).collect(Collectors.toList()).toString());
    }

    @Test
    void thePageHasTheExample() throws Exception {
        Path source = Paths.get("src/test/scala/ScalaExample.scala");
        List<String> lines = Files.readAllLines(source);
        int from = lines.indexOf("  def norms(df: DataFrame): DataFrame =");
        String shown = lines.subList(from, lines.size() - 1).stream().map(line -> "  " + line).collect(Collectors.joining("\n"));
        assertTrue(new String(Files.readAllBytes(Paths.get("../../docs/spark.md")), StandardCharsets.UTF_8).contains(shown), shown);
    }
}
