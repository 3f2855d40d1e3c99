package io.tensornio.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.MemoryStats;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.Tensors;
import io.tensornio.graph.CGInit;
import io.tensornio.graph.ComputeGraph;
import io.tensornio.value.Value;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Columns of arrays whose lengths differ as inputs of a graph with varying axes: each row has what it has alone, whatever rows are beside it. */
class VaryingTest {
    private static final StructType SCHEMA = new StructType().add("id", DataTypes.LongType)
        .add("tokens", DataTypes.createArrayType(DataTypes.LongType)).add("weights", DataTypes.createArrayType(DataTypes.FloatType));

    /** Rows of 0 to 8 tokens, and some of 100. */
    private static List<Row> list(int count) {
        Random random = new Random(1);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = i % 50 == 7 ? 100 : i % 11 == 3 ? 0 : 1 + random.nextInt(8);
            long[] tokens = random.longs(length, 0, 50).toArray();
            float[] weights = new float[length];
            for (int n = 0; n < length; n++) {
                weights[n] = random.nextFloat();
            }
            rows.add(RowFactory.create((long) i, tokens, weights));
        }
        return rows;
    }

    private static TensorTransform transform(ComputeGraph cg, int batch) {
        return TensorTransform.of(Sentences::compiled, cg).input("tokens", -1).input("weights", -1).output("score").output("share")
            .batchSize(batch);
    }

    private static float[] elements(TensorData<?> data) {
        return (float[]) data.flatten().toNested();
    }

    /** What the graph gives a row that is the only one. */
    private static Map<String, float[]> alone(ComputeGraph cg, Row row) {
        Map<String, Value> inputs = new HashMap<>();
        inputs.put("tokens", Value.of(Tensors.raggedOfNested(new long[][] {(long[]) row.get(1)})));
        inputs.put("weights", Value.of(Tensors.raggedOfNested(new float[][] {(float[]) row.get(2)})));
        Map<String, float[]> found = new HashMap<>();
        cg.run(inputs, "score", "share").forEach((name, value) -> {
            try (AnyTensor<?> tensor = value.asTensor()) {
                found.put(name, elements(tensor instanceof RaggedTensor ? ((RaggedTensor<?>) tensor).values().data() : tensor.data()));
            }
        });
        inputs.values().forEach(Value::close);
        return found;
    }

    private static float[] floats(List<Float> list) {
        float[] values = new float[list.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = list.get(i);
        }
        return values;
    }

    @Test
    void rowsOfAnyLengthGetWhatEachGetsAlone() {
        List<Row> rows = list(300);
        try (ComputeGraph cg = Sentences.compiled()) {
            CGInit.normal(cg, .5, 3);
            for (int batch : new int[] {1, 7, 64, 1000}) {
                Dataset<Row> df = LocalSpark.session().createDataFrame(rows, SCHEMA).repartition(3);
                Dataset<Row> out = transform(cg, batch).transform(df);
                assertEquals("float", out.schema().apply("score").dataType().simpleString());
                assertEquals("array<float>", out.schema().apply("share").dataType().simpleString());
                List<Row> all = out.orderBy("id").collectAsList();
                assertEquals(300, all.size());
                for (int i = 0; i < 300; i++) {
                    Map<String, float[]> expected = alone(cg, rows.get(i));
                    String which = "row " + i + " in batches of " + batch;
                    assertEquals(expected.get("score")[0], all.get(i).<Float>getAs("score"), 1e-6f, which);
                    float[] shares = floats(all.get(i).getList(4));
                    assertEquals(((long[]) rows.get(i).get(1)).length, shares.length, which);
                    assertArrayEquals(expected.get("share"), shares, 1e-6f, which);
                }
            }
        }
    }

    /** Against the formula, by hand: with equal scores of all tokens the shares are the weights over their sum and one. */
    @Test
    void aRowIsWhatTheFormulaSays() {
        try (ComputeGraph cg = Sentences.compiled()) {
            CGInit.zeros(cg);
            Dataset<Row> df = LocalSpark.session().createDataFrame(java.util.Arrays.asList(
                RowFactory.create(0L, new long[] {4, 9}, new float[] {1, 2}), RowFactory.create(1L, new long[0], new float[0]),
                RowFactory.create(2L, new long[] {7}, new float[] {1})), SCHEMA).coalesce(1);
            List<Row> all = transform(cg, 3).transform(df).orderBy("id").collectAsList();
            assertArrayEquals(new float[] {.25f, .5f}, floats(all.get(0).getList(4)));
            assertArrayEquals(new float[0], floats(all.get(1).getList(4)));
            assertArrayEquals(new float[] {.5f}, floats(all.get(2).getList(4)));
            assertEquals(0f, all.get(1).<Float>getAs("score"));
        }
    }

    /** Inputs with one varying axis are equally long in each row: a row where they are not is a fault of the batch. */
    @Test
    void rowsWhoseColumnsDifferInLengthAreRefused() {
        try (ComputeGraph cg = Sentences.compiled()) {
            CGInit.normal(cg, .5, 3);
            Dataset<Row> df = LocalSpark.session().createDataFrame(java.util.Arrays.asList(
                RowFactory.create(0L, new long[] {4, 9}, new float[] {1, 2}), RowFactory.create(1L, new long[] {1, 2, 3}, new float[] {1})),
                SCHEMA).coalesce(1);
            String fault = LocalSpark.fault(transform(cg, 8).transform(df));
            assertTrue(fault.contains("the model failed on the 2 rows from row 0 of partition 0 on"), fault);
        }
    }

    @Test
    void raggedBatchesGiveTheirMemoryBack() throws Exception {
        LocalSpark.awaitMemory(Long.MAX_VALUE);
        try (ComputeGraph cg = Sentences.compiled()) {
            CGInit.normal(cg, .5, 3);
            long before = MemoryStats.current().bytesInUse();
            Dataset<Row> df = LocalSpark.session().createDataFrame(list(500), SCHEMA).repartition(4);
            assertEquals(500, transform(cg, 16).transform(df).collectAsList().size());
            LocalSpark.awaitMemory(before);
        }
    }

    @Test
    void thePageHasTheGraph() throws Exception {
        String source = new String(Files.readAllBytes(Paths.get("src/test/java/io/tensornio/spark/Sentences.java")), StandardCharsets.UTF_8);
        int from = source.indexOf("    static ComputeGraph compiled() {");
        String shown = source.substring(from, source.indexOf("    private static long[] longs"));
        assertTrue(new String(Files.readAllBytes(Paths.get("../../docs/spark.md")), StandardCharsets.UTF_8).contains(shown), shown);
    }
}
