package io.tensornio.spark;

import static org.apache.spark.sql.types.DataTypes.createArrayType;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class ColumnsTest {
    /** Lists of Java, however deep, of what rows have for arrays; other values as they are. */
    private static Object plain(Object value) {
        if (value instanceof byte[]) {
            return Arrays.toString((byte[]) value);
        }
        if (value == null || value instanceof String || value instanceof Number || value instanceof Boolean) {
            return value;
        }
        List<Object> all = new ArrayList<>();
        Rows.list(value).forEach(item -> all.add(plain(item)));
        return all;
    }

    /** Echoes a column, and checks that the output, and the column beside it, have what it has. */
    private static void echo(org.apache.spark.sql.types.DataType type, String made, long[] sizes, Object... values) {
        Dataset<Row> df = LocalSpark.column(type, values);
        Dataset<Row> out = TensorTransform.of(LocalSpark.ECHO).input("x", sizes).output("ox").batchSize(2).transform(df);
        assertEquals(made, out.schema().apply("ox").dataType().simpleString());
        assertEquals(type, out.schema().apply("x").dataType());
        List<Row> rows = out.collectAsList();
        List<Row> before = df.collectAsList();
        assertEquals(values.length, rows.size());
        for (int i = 0; i < values.length; i++) {
            assertEquals(plain(before.get(i).get(0)), plain(rows.get(i).get(0)));
            assertEquals(plain(before.get(i).get(0)), plain(rows.get(i).get(1)));
        }
    }

    @Test
    void elementsAndArraysOfEachTypeComeBack() {
        echo(DataTypes.FloatType, "float", new long[0], 1.5f, Float.NaN, -2f);
        echo(DataTypes.DoubleType, "double", new long[0], 1.5, -0., 3e300);
        echo(DataTypes.LongType, "bigint", new long[0], Long.MIN_VALUE, 2L, 3L);
        echo(DataTypes.IntegerType, "int", new long[0], 1, Integer.MAX_VALUE, 3);
        echo(DataTypes.ShortType, "smallint", new long[0], (short) 1, (short) -7, (short) 3);
        echo(DataTypes.ByteType, "tinyint", new long[0], (byte) 1, (byte) -7, (byte) 3);
        echo(DataTypes.BooleanType, "boolean", new long[0], true, false, true);
        echo(DataTypes.StringType, "string", new long[0], "", "\u00e9\ud83d\ude00", "a");
        echo(DataTypes.BinaryType, "binary", new long[] {2}, new byte[] {1, -1}, new byte[] {0, 5}, new byte[] {7, 7});
        echo(createArrayType(DataTypes.FloatType), "array<float>", new long[] {2}, new float[] {1, 2}, new float[] {3, 4}, new float[] {5, 6});
        echo(createArrayType(DataTypes.DoubleType), "array<double>", new long[] {1}, new double[] {1}, new double[] {3}, new double[] {5});
        echo(createArrayType(DataTypes.LongType), "array<bigint>", new long[] {0}, new long[0], new long[0], new long[0]);
        echo(createArrayType(DataTypes.ShortType), "array<smallint>", new long[] {2}, new short[] {1, 2}, new short[] {3, 4}, new short[] {5, 6});
        echo(createArrayType(DataTypes.ByteType), "array<tinyint>", new long[] {2}, new Byte[] {1, 2}, new Byte[] {3, -4}, new Byte[] {5, 6});
        echo(createArrayType(DataTypes.BooleanType), "array<boolean>", new long[] {2}, new boolean[] {true, false}, new boolean[2]);
        echo(createArrayType(DataTypes.StringType), "array<string>", new long[] {2}, new String[] {"a", ""}, new String[] {"b", "cc"});
    }

    @Test
    void arraysOfArraysAndRaggedOnesComeBack() {
        echo(createArrayType(createArrayType(DataTypes.IntegerType)), "array<array<int>>", new long[] {2, 1}, new int[][] {{1}, {2}},
            new int[][] {{3}, {4}}, new int[][] {{5}, {6}});
        echo(createArrayType(DataTypes.LongType), "array<bigint>", new long[] {-1}, new long[] {1, 2}, new long[0], new long[] {3});
        echo(createArrayType(createArrayType(DataTypes.FloatType)), "array<array<float>>", new long[] {-1, 2}, new float[][] {{1, 2}, {3, 4}},
            new float[0][], new float[][] {{5, 6}});
        echo(createArrayType(createArrayType(DataTypes.FloatType)), "array<array<float>>", new long[] {-1, -1}, new float[][] {{1, 2, 3}, {}, {4}},
            new float[0][], new float[][] {{5}});
        echo(createArrayType(DataTypes.StringType), "array<string>", new long[] {-1}, new String[] {"a", "b"}, new String[0], new String[] {"c"});
        echo(createArrayType(DataTypes.BinaryType), "array<binary>", new long[] {-1, 2}, new byte[][] {{1, 2}}, new byte[][] {{3, 4}, {5, 6}});
    }

    @Test
    void smallNumbersThatAreRaggedInsideOfARowComeBack() {
        echo(createArrayType(createArrayType(DataTypes.ShortType)), "array<array<smallint>>", new long[] {-1, -1},
            new short[][] {{1, -2, 3}, {}, {4}}, new short[0][], new short[][] {{5}});
        echo(createArrayType(createArrayType(DataTypes.ByteType)), "array<array<tinyint>>", new long[] {-1, -1},
            new Byte[][] {{1, -2, 3}, {}, {4}}, new Byte[0][], new Byte[][] {{5}});
        echo(createArrayType(createArrayType(createArrayType(DataTypes.ShortType))), "array<array<array<smallint>>>", new long[] {-1, -1, -1},
            new short[][][] {{{1, 2}, {}}, {}}, new short[0][][], new short[][][] {{{3}}, {{4}, {5, 6}}});
        echo(createArrayType(createArrayType(DataTypes.StringType)), "array<array<string>>", new long[] {-1, -1},
            new String[][] {{"a", "b"}, {}}, new String[0][], new String[][] {{"c"}});
        echo(createArrayType(DataTypes.BinaryType), "array<binary>", new long[] {-1, -1}, new byte[][] {{1, -2}, {}}, new byte[0][],
            new byte[][] {{3}});
        ModelFunction made = inputs -> Collections.<String, AnyTensor<?>>singletonMap("y", RaggedTensor.fromRowLengths(
            IntTensorData.ofInt16(new short[] {7, 8, 9}, 3), new long[] {2, 0}, new long[] {1, 2}));
        List<Row> rows = TensorTransform.of(made).input("x").output("y", DataType.INT16, 2).transform(LocalSpark.column(DataTypes.IntegerType, 1, 2))
            .collectAsList();
        assertEquals("[[7], [8, 9]]", plain(rows.get(0).get(1)).toString());
        assertEquals("[]", plain(rows.get(1).get(1)).toString());
    }

    @Test
    void raggedRowsOfNothingComeBack() {
        echo(createArrayType(createArrayType(DataTypes.FloatType)), "array<array<float>>", new long[] {-1, 0}, new float[2][0], new float[0][0],
            new float[3][0]);
    }

    @Test
    void arraysOfVectorsAreOneAxisMore() {
        org.apache.spark.ml.linalg.Vector dense = org.apache.spark.ml.linalg.Vectors.dense(1, new double[] {2, 3});
        org.apache.spark.ml.linalg.Vector sparse = org.apache.spark.ml.linalg.Vectors.sparse(3, new int[] {1}, new double[] {7});
        org.apache.spark.sql.types.DataType vectors = createArrayType(SQLDataTypes.VectorType());
        Dataset<Row> df = LocalSpark.column(vectors, (Object) new Object[] {dense, sparse}, new Object[] {sparse, sparse});
        List<Row> rows = TensorTransform.of(LocalSpark.ECHO).input("x", 2, 3).output("ox").transform(df).collectAsList();
        assertEquals("[[1.0, 2.0, 3.0], [0.0, 7.0, 0.0]]", plain(rows.get(0).get(1)).toString());
        assertEquals("[[0.0, 7.0, 0.0], [0.0, 7.0, 0.0]]", plain(rows.get(1).get(1)).toString());
        assertEquals(df.collectAsList().get(0).getList(0), rows.get(0).getList(0));
        Dataset<Row> ragged = LocalSpark.column(vectors, (Object) new Object[] {dense, sparse}, new Object[0], new Object[] {sparse});
        rows = TensorTransform.of(LocalSpark.ECHO).input("x", DataType.FLOAT, -1, 3).output("ox").transform(ragged).collectAsList();
        assertEquals("[[1.0, 2.0, 3.0], [0.0, 7.0, 0.0]]", plain(rows.get(0).get(1)).toString());
        assertEquals("[]", plain(rows.get(1).get(1)).toString());
        assertEquals("[[0.0, 7.0, 0.0]]", plain(rows.get(2).get(1)).toString());
        String said = LocalSpark.fault(TensorTransform.of(LocalSpark.ECHO).input("x", 2, 2).output("ox", DataType.DOUBLE, 2).transform(df));
        assertTrue(said.contains("column x of row 0 of partition 0 has 3 elements, not 2"), said);
        said = LocalSpark.fault(TensorTransform.of(LocalSpark.ECHO).input("x", 2, 3).output("ox", DataType.DOUBLE, 2).transform(
            LocalSpark.column(vectors, (Object) new Object[] {dense, null})));
        assertTrue(said.contains("column x of row 0 of partition 0 has a null at position 1"), said);
    }

    @Test
    void aRowThatNoArrayHoldsIsRefusedByName() {
        org.apache.spark.sql.types.DataType floats = createArrayType(DataTypes.FloatType);
        TensorTransform echo = TensorTransform.of(LocalSpark.ECHO);
        refused("column x: a row of the input [1099511627776, 1099511627776] has more elements than an array can hold",
            echo.input("x", 1L << 40, 1L << 40).output("ox"), LocalSpark.column(createArrayType(floats), (Object) new float[1][1]));
        refused("column x: a row of the input [2147483648] has more elements than an array can hold",
            echo.input("x", 1L << 31).output("ox"), LocalSpark.column(floats, new float[1]));
    }

    @Test
    void aBatchThatNoArrayHoldsIsRefusedByName() {
        assertEquals(Integer.MAX_VALUE - 8, Gathering.sum(Integer.MAX_VALUE - 9, 1));
        assertEquals("makes the batch 2147483648 elements, where an array can hold 2147483639: batchSize(rows) is to be less",
            assertThrows(IllegalArgumentException.class, () -> Gathering.sum(Integer.MAX_VALUE, 1)).getMessage());
        ModelFunction wide = inputs -> Collections.singletonMap("y", Tensors.sparseFloat(new long[] {inputs.get("x").size(0), 1L << 30}, 0,
            data -> { }));
        String said = LocalSpark.fault(TensorTransform.of(wide).input("x").output("y", DataType.FLOAT, 1)
            .transform(LocalSpark.column(DataTypes.IntegerType, 1, 2)));
        assertTrue(said.contains("output y has the shape [2, 1073741824], of 2147483648 elements, where an array can hold 2147483639"), said);
    }

    @Test
    void anArrayOfOneLevelMayHaveSeveralAxes() {
        ModelFunction rows = inputs -> Collections.singletonMap("y", Tensors.convert(inputs.get("x").data().slice(io.tensornio.TensorIndex.all(),
            io.tensornio.TensorIndex.at(1)), DataType.FLOAT));
        Dataset<Row> df = LocalSpark.column(createArrayType(DataTypes.FloatType), new float[] {1, 2, 3, 4, 5, 6});
        Row row = TensorTransform.of(rows).input("x", 2, 3).output("y").transform(df).collectAsList().get(0);
        assertEquals(Arrays.asList(4f, 5f, 6f), row.getList(1));
    }

    @Test
    void vectorsAreDoublesOrWhatIsAskedFor() {
        Dataset<Row> df = LocalSpark.column(SQLDataTypes.VectorType(), org.apache.spark.ml.linalg.Vectors.dense(1, new double[] {2, 3}),
            org.apache.spark.ml.linalg.Vectors.sparse(3, new int[] {1}, new double[] {7}));
        List<Row> rows = TensorTransform.of(LocalSpark.ECHO).input("x", 3).output("ox").transform(df).collectAsList();
        assertEquals(Arrays.asList(1., 2., 3.), rows.get(0).getList(1));
        assertEquals(Arrays.asList(0., 7., 0.), rows.get(1).getList(1));
        assertEquals(df.collectAsList().get(1).get(0), rows.get(1).get(0));
        List<Row> floats = TensorTransform.of(LocalSpark.ECHO).input("x", DataType.FLOAT, 3).output("ox").transform(df).collectAsList();
        assertEquals(Arrays.asList(0f, 7f, 0f), floats.get(1).getList(1));
        Dataset<Row> ragged = LocalSpark.column(createArrayType(DataTypes.DoubleType), new double[] {1}, new double[] {2, 3});
        assertEquals(Arrays.asList(2f, 3f), TensorTransform.of(LocalSpark.ECHO).input("x", DataType.FLOAT, -1).output("ox").transform(ragged)
            .collectAsList().get(1).getList(1));
    }

    @Test
    void outputsOfOtherTypesAndKindsBecomeColumns() {
        Dataset<Row> df = LocalSpark.column(DataTypes.IntegerType, 1, 2, 200);
        ModelFunction half = inputs -> Collections.singletonMap("y", Tensors.convert(inputs.get("x").data(), DataType.FLOAT16));
        assertEquals(200f, TensorTransform.of(half).input("x").output("y").transform(df).collectAsList().get(2).getFloat(1));
        ModelFunction octet = inputs -> Collections.singletonMap("y", Tensors.convert(inputs.get("x").data(), DataType.UINT8));
        assertEquals((short) 200, TensorTransform.of(octet).input("x").output("y").transform(df).collectAsList().get(2).getShort(1));
        ModelFunction sparse = inputs -> Collections.singletonMap("y", Tensors.sparseFloat(new long[] {inputs.get("x").size(0), 2}, 1,
            data -> data.put(5, 0, 1)));
        assertEquals(Arrays.asList(0f, 5f), TensorTransform.of(sparse).input("x").output("y", DataType.FLOAT, 1).transform(df).collectAsList().get(0)
            .getList(1));
        ModelFunction bits = inputs -> Collections.singletonMap("y", Tensors.convert(inputs.get("x").data(), DataType.UINT64));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> TensorTransform.of(bits).input("x").output("y").transform(df)).getMessage()
            .contains("UINT64"));
    }

    @Test
    void aFileOfPandasIsRead() throws Exception {
        String file = java.nio.file.Paths.get(ColumnsTest.class.getResource("/pandas.parquet").toURI()).toString();
        Dataset<Row> df = LocalSpark.session().read().parquet(file);
        ModelFunction sums = inputs -> {
            FloatTensorData x = inputs.get("features").floatData();
            float[] sum = new float[(int) x.size(0)];
            for (int i = 0; i < sum.length; i++) {
                sum[i] = (float) x.slice(i).stream().sum() + inputs.get("tokens").longData().slice(i).stream().sum();
            }
            return Collections.<String, AnyTensor<?>>singletonMap("sum", Tensors.ofNested(sum));
        };
        Dataset<Row> out = TensorTransform.of(sums).input("features", 4).input("tokens", -1).input("bytes", 2).input("name").input("doubles", 3)
            .output("sum").batchSize(2).transform(df);
        List<Row> rows = out.orderBy("id").collectAsList();
        float[] found = new float[5];
        for (int i = 0; i < 5; i++) {
            found[i] = rows.get(i).getFloat(7);
            assertEquals(Arrays.asList(0f + i, 1f + i, 2f + i, 3f + i), rows.get(i).getList(1));
            assertEquals(i, rows.get(i).getList(5).size());
        }
        assertArrayEquals(new float[] {6, 10, 15, 21, 28}, found);
        java.nio.file.Path written = java.nio.file.Files.createTempDirectory("rows").resolve("out");
        out.write().parquet(written.toString());
        assertEquals(rows, LocalSpark.session().read().parquet(written.toString()).orderBy("id").collectAsList());
    }

    /** The file has what resources/make.py says of the row n. */
    @Test
    void aFileOfPySparkIsRead() throws Exception {
        String file = java.nio.file.Paths.get(ColumnsTest.class.getResource("/pyspark.parquet").toURI()).toString();
        Dataset<Row> df = LocalSpark.session().read().parquet(file).orderBy("id");
        Dataset<Row> out = TensorTransform.of(LocalSpark.ECHO).input("features", 3).input("image", DataType.FLOAT, 2, 3).input("vector", 2)
            .input("vectors", -1, 2).input("tokens", -1).input("pixels", 2).input("name")
            .output("ofeatures").output("oimage").output("ovector").output("ovectors").output("otokens").output("opixels").output("oname")
            .batchSize(2).transform(df);
        List<Row> rows = out.collectAsList();
        assertEquals(5, rows.size());
        for (int n = 0; n < 5; n++) {
            List<Object> vectors = new ArrayList<>();
            for (int k = 0; k < n; k++) {
                vectors.add(Arrays.asList((double) k, (double) n));
            }
            List<Object> tokens = new ArrayList<>();
            for (int k = -n; k < n; k++) {
                tokens.add((byte) k);
            }
            List<Object> expected = Arrays.asList(Arrays.asList(n + .5f, -(float) n, .25f),
                Arrays.asList(Arrays.asList((float) n, (float) -n, 7f), Arrays.asList(1f, 2f, (float) (-300 * n))),
                n % 2 == 0 ? Arrays.asList(0., n + .25) : Arrays.asList((double) n, n + 1.), vectors, tokens,
                "[" + n + ", " + (byte) (255 - n) + "]", "r\u00f6w " + n);
            for (int i = 0; i < expected.size(); i++) {
                assertEquals(expected.get(i), plain(rows.get(n).get(9 + i)), "row " + n + ", output " + i);
            }
            assertEquals(n == 3 ? null : n / 4f, rows.get(n).get(8));
        }
        String said = LocalSpark.fault(TensorTransform.of(LocalSpark.ECHO).input("weight").output("oweight", DataType.FLOAT, 0)
            .transform(df.filter("id > 1").coalesce(1)));
        assertTrue(said.contains("column weight of row 1 of partition 0 is null"), said);
    }

    @Test
    void otherColumnsStayWithTheirNulls() {
        Dataset<Row> df = LocalSpark.session().sql("SELECT 1f AS x, CAST(null AS string) AS s, array(1, null, 3) AS a, array(array(1f), null) AS n, "
            + "named_struct('p', 1.5BD, 'q', date'2020-01-02') AS t, map('k', array(2D)) AS m, CAST(null AS array<float>) AS z").coalesce(1);
        Dataset<Row> out = TensorTransform.of(LocalSpark.ECHO).input("X").named("x").output("ox").transform(df);
        Row expected = df.collectAsList().get(0);
        Row row = out.collectAsList().get(0);
        for (int i = 0; i < expected.size(); i++) {
            assertEquals(expected.get(i), row.get(i));
        }
    }

    @Test
    void whatIsWrongWithARowNamesColumnAndRow() {
        org.apache.spark.sql.types.DataType floats = createArrayType(DataTypes.FloatType);
        TensorTransform two = TensorTransform.of(LocalSpark.ECHO).input("x", 2).output("ox", DataType.FLOAT, 1).batchSize(2);
        float[] good = {1, 2};
        String said = LocalSpark.fault(two.transform(LocalSpark.column(floats, good, good, good, new float[3])));
        assertTrue(said.contains("column x of row 3 of partition 0 has 3 elements, not 2"), said);
        said = LocalSpark.fault(two.transform(LocalSpark.column(floats, good, null)));
        assertTrue(said.contains("column x of row 1 of partition 0 is null"), said);
        said = LocalSpark.fault(two.transform(LocalSpark.column(floats, good, new Float[] {1f, null})));
        assertTrue(said.contains("column x of row 1 of partition 0 has a null at position 1"), said);
        said = LocalSpark.fault(TensorTransform.of(LocalSpark.ECHO).input("x").output("ox", DataType.INT32, 0).transform(
            LocalSpark.column(DataTypes.IntegerType, 1, null)));
        assertTrue(said.contains("column x of row 1 of partition 0 is null"), said);
        said = LocalSpark.fault(TensorTransform.of(LocalSpark.ECHO).input("x", 1, 2).output("ox", DataType.FLOAT, 2).transform(
            LocalSpark.column(createArrayType(floats), (Object) new float[][] {{1, 2}, {3, 4}})));
        assertTrue(said.contains("has 2 rows on axis 0, not 1"), said);
    }

    @Test
    void whatAModelThrowsNamesTheFirstRowOfTheBatch() {
        ModelFunction failing = inputs -> {
            if (inputs.get("x").intData().get(0) == 5) {
                throw new java.io.IOException("no five");
            }
            return LocalSpark.ECHO.apply(inputs);
        };
        Dataset<Row> df = LocalSpark.column(DataTypes.IntegerType, 1, 2, 3, 4, 5, 6);
        String said = LocalSpark.fault(TensorTransform.of(failing).input("x").output("ox").batchSize(2).transform(df));
        assertTrue(said.contains("the model failed on the 2 rows from row 4 of partition 0 on: no five"), said);
        ModelFunction shorter = inputs -> Collections.singletonMap("y", Tensors.ofNested(new int[1]));
        said = LocalSpark.fault(TensorTransform.of(shorter).input("x").output("y").transform(df));
        assertTrue(said.contains("where the batch has 6 rows"), said);
        said = LocalSpark.fault(TensorTransform.of(shorter).input("x").output("z", DataType.INT32, 0).transform(df));
        assertTrue(said.contains("there is no output z; there are [y]"), said);
        said = LocalSpark.fault(TensorTransform.of(shorter).input("x").output("y", DataType.FLOAT, 0).transform(df));
        assertTrue(said.contains("is INT32[1], where FLOAT of rank 1 was known"), said);
    }

    private static void refused(String part, TensorTransform transform, Dataset<Row> df) {
        String said = assertThrows(IllegalArgumentException.class, () -> transform.transform(df)).getMessage();
        assertTrue(said.contains(part), said);
    }

    @Test
    void whatCannotBeIsRefusedOnTheDriver() {
        Dataset<Row> df = LocalSpark.column(createArrayType(DataTypes.FloatType), new float[] {1});
        TensorTransform echo = TensorTransform.of(LocalSpark.ECHO);
        refused("there is no column z; there are [x]", echo.input("z").output("oz"), df);
        refused("there is a column x already", echo.input("x", 1).output("x"), df);
        refused("0 inputs and 1 outputs", echo.output("x"), df);
        refused("two inputs are named x", echo.input("x", 1).input("x", 1).output("ox"), df);
        refused("of which a row has rank 1; the input [] has rank 0", echo.input("x").output("ox"), df);
        refused("there is no output q; there are [ox]", echo.input("x", 1).output("q"), df);
        refused("decimals are to be cast", echo.input("x").output("ox"), LocalSpark.session().sql("SELECT 1.5BD AS x"));
        assertThrows(IllegalArgumentException.class, () -> echo.input("x", 3, -1));
        assertThrows(IllegalArgumentException.class, () -> echo.input("x", -2));
        assertThrows(IllegalArgumentException.class, () -> echo.batchSize(0));
        assertThrows(IllegalArgumentException.class, () -> echo.output("y", DataType.UINT64, 0));
        assertThrows(IllegalArgumentException.class, () -> echo.output("y", DataType.FLOAT, -1));
        assertThrows(IllegalStateException.class, () -> echo.named("a"));
    }
}
