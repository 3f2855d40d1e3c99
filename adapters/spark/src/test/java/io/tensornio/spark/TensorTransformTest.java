package io.tensornio.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.Tensors;
import io.tensornio.graph.CGInit;
import io.tensornio.graph.ComputeGraph;
import io.tensornio.graph.SGD;
import io.tensornio.io.TensorBytes;
import io.tensornio.value.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

class TensorTransformTest {
    static final StructType SCHEMA = new StructType().add("id", DataTypes.LongType).add("label", DataTypes.IntegerType)
        .add("features", DataTypes.createArrayType(DataTypes.FloatType)).add("name", DataTypes.StringType);

    static List<Row> list(int count) {
        List<Row> rows = new ArrayList<>();
        Random random = new Random(1);
        for (int i = 0; i < count; i++) {
            float[] features = {random.nextFloat(), random.nextFloat(), i / 1000f, -random.nextFloat()};
            rows.add(RowFactory.create((long) i, i % 3, features, "row " + i));
        }
        return rows;
    }

    static Dataset<Row> rows(int count, int partitions) {
        return LocalSpark.session().createDataFrame(list(count), SCHEMA).repartition(partitions);
    }

    @Test
    void aNetworkGivesEachRowWhatItGivesItAlone() {
        try (ComputeGraph cg = Network.compiled()) {
            CGInit.glorot(cg, 7);
            Dataset<Row> out = TensorTransform.of(Network::compiled, cg).input("features", 4).output("probabilities").batchSize(32)
                .transform(rows(1000, 3));
            assertEquals("array<float>", out.schema().apply("probabilities").dataType().simpleString());
            List<Row> all = out.orderBy("id").collectAsList();
            assertEquals(1000, all.size());
            for (int i = 0; i < 1000; i += 37) {
                Row row = all.get(i);
                List<Float> features = row.getList(2);
                assertEquals("row " + i, row.getString(3));
                assertEquals(i / 1000f, features.get(2));
                float[] x = {features.get(0), features.get(1), features.get(2), features.get(3)};
                Value in = Value.of(Tensors.ofNested(x));
                TensorData<?> expected = cg.run(Collections.singletonMap("features", in), "probabilities").get("probabilities").asTensor().data();
                List<Float> given = row.getList(4);
                float[] own = {given.get(0), given.get(1), given.get(2)};
                assertArrayEquals((float[]) expected.toNested(), own, 1e-6f);
            }
        }
    }

    @Test
    void trainingGivesTheSameOnAnyNumberOfPartitions() {
        Dataset<Row> rows = rows(300, 1);
        List<float[]> all = new ArrayList<>();
        for (int partitions : new int[] {1, 2, 5}) {
            try (ComputeGraph cg = Network.compiled()) {
                CGInit.glorot(cg, 3);
                SGD descent = SGD.adam(cg).rate(.05);
                JavaRDD<Row> parts = rows.javaRDD().repartition(partitions).cache();
                double first = DataParallel.step(parts, Network::compiled, cg, descent);
                DataParallel.step(parts, Network::compiled, cg, descent);
                double last = DataParallel.step(parts, Network::compiled, cg, descent);
                assertTrue(last < first, first + " " + last);
                Map<Integer, Tensor<?>> parameters = cg.parameters();
                parameters.values().forEach(each -> all.add((float[]) each.data().flatten().toNested()));
                parameters.values().forEach(Tensor::close);
            }
        }
        int count = all.size() / 3;
        for (int i = 0; i < count; i++) {
            assertArrayEquals(all.get(i), all.get(count + i), 1e-4f);
            assertArrayEquals(all.get(i), all.get(2 * count + i), 1e-4f);
        }
    }

    @Test
    void bytesOfTensorsTravelByKryo() {
        TensorBytes bytes;
        try (Tensor<Float> tensor = Tensors.ofNested(new float[] {1, Float.NaN})) {
            bytes = TensorBytes.of(tensor);
        }
        SerializerInstance kryo = new KryoSerializer(new SparkConf().set("spark.kryo.registrationRequired", "false")).newInstance();
        ClassTag<TensorBytes> tag = ClassTag$.MODULE$.apply(TensorBytes.class);
        try (AnyTensor<?> again = kryo.deserialize(kryo.serialize(bytes, tag), tag).tensor()) {
            assertEquals("FLOAT[2] [ 1., nan]", again.toString());
        }
    }

    @Test
    void theJobOfThePageRuns() throws IOException {
        String folder = Files.createTempDirectory("digits").toString();
        try (ComputeGraph cg = DigitsJob.network()) {
            CGInit.glorot(cg, 1);
            cg.save(Paths.get(folder, "digits.safetensors"));
        }
        DigitsJob.run(LocalSpark.session(), "../../examples/data/digits.csv.gz", folder, 2);
        Dataset<Row> scored = LocalSpark.session().read().parquet(folder + "/scored.parquet");
        assertEquals(2 * 1797, scored.count());
        Row first = scored.first();
        assertEquals(64, first.getList(first.fieldIndex("features")).size());
        List<Float> probabilities = first.getList(first.fieldIndex("probabilities"));
        assertEquals(1, probabilities.stream().mapToDouble(p -> p).sum(), 1e-5);
    }

    @Test
    void thePageHasTheTraining() throws IOException {
        List<String> source = source("DataParallel");
        List<String> shown = source.subList(source.indexOf("final class DataParallel {"), source.size());
        assertTrue(shown.size() <= 60, shown.size() + " lines");
        String page = new String(Files.readAllBytes(Paths.get("../../docs/spark.md")), StandardCharsets.UTF_8);
        assertTrue(page.contains(shown.stream().map(line -> line.isEmpty() ? "" : "    " + line).collect(Collectors.joining("\n"))));
        List<String> job = source("DigitsJob");
        int from = job.indexOf("    static void run(SparkSession spark, String csv, String folder, int copies) {");
        assertTrue(page.contains(String.join("\n", job.subList(from, job.size() - 1))));
    }

    private static List<String> source(String name) throws IOException {
        return Files.readAllLines(Paths.get("src/test/java/io/tensornio/spark/" + name + ".java"));
    }
}
