package io.tensornio.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.Axis;
import io.tensornio.DataType;
import io.tensornio.MemoryStats;
import io.tensornio.TensorData;
import io.tensornio.graph.CGInit;
import io.tensornio.graph.ComputeGraph;
import io.tensornio.graph.Dense;
import io.tensornio.graph.Sym;
import io.tensornio.graph.TensorContext;
import io.tensornio.graph.TensorGraph;
import io.tensornio.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class TensorTransformTest {
    /** A network of 4 features, 8 hidden units and 3 classes. */
    static ComputeGraph network() {
        TensorContext t = new TensorContext();
        Sym x = t.input("features", DataType.FLOAT, Axis.of("X", 4));
        Sym label = t.input("label", DataType.INT32);
        Dense<Axis> hidden = t.comprehensions().dense(Axis.of("H", 8), x).withTanh();
        Dense<Axis> logits = t.comprehensions().linear(Axis.of("C", 3), hidden.output());
        Sym probabilities = t.comprehensions().softmax(logits.output()).named("probabilities");
        return new TensorGraph(t.comprehensions().softmaxCrossEntropy(logits.output(), label), probabilities).compile();
    }

    static Dataset<Row> rows(int count, int partitions) {
        List<Row> rows = new ArrayList<>();
        Random random = new Random(1);
        for (int i = 0; i < count; i++) {
            rows.add(RowFactory.create((long) i, new float[] {random.nextFloat(), random.nextFloat(), i, -random.nextFloat()}, "row " + i));
        }
        StructType schema = new StructType().add("id", DataTypes.LongType).add("features", DataTypes.createArrayType(DataTypes.FloatType))
            .add("name", DataTypes.StringType);
        return LocalSpark.session().createDataFrame(rows, schema).repartition(partitions);
    }

    @Test
    void aNetworkGivesEachRowWhatItGivesItAlone() {
        long before = MemoryStats.current().bytesInUse();
        try (ComputeGraph cg = network()) {
            CGInit.glorot(cg, 7);
            Dataset<Row> out = TensorTransform.of(TensorTransformTest::network, cg).input("features", 4).output("probabilities").batchSize(32)
                .transform(rows(1000, 3));
            assertEquals("array<float>", out.schema().apply("probabilities").dataType().simpleString());
            List<Row> all = out.orderBy("id").collectAsList();
            assertEquals(1000, all.size());
            for (int i = 0; i < 1000; i += 37) {
                Row row = all.get(i);
                List<Float> features = row.getList(1);
                assertEquals("row " + i, row.getString(2));
                assertEquals(i, features.get(2));
                float[] x = {features.get(0), features.get(1), features.get(2), features.get(3)};
                Value in = Value.of(io.tensornio.Tensors.ofNested(x));
                TensorData<?> expected = cg.run(Collections.singletonMap("features", in), "probabilities").get("probabilities").asTensor().data();
                List<Float> given = row.getList(3);
                float[] own = {given.get(0), given.get(1), given.get(2)};
                assertArrayEquals((float[]) expected.toNested(), own, 1e-6f);
            }
        }
    }
}
