package io.tensornio.spark;

import io.tensornio.AnyTensor;
import io.tensornio.MemoryStats;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** The session of tests in this JVM: two threads, and two attempts for each task. */
final class LocalSpark {
    /** Gives its inputs as outputs, by names with an "o" before them. */
    static final ModelFunction ECHO = inputs -> {
        Map<String, AnyTensor<?>> outputs = new LinkedHashMap<>();
        inputs.forEach((name, tensor) -> outputs.put("o" + name, tensor));
        return outputs;
    };

    private LocalSpark() {
    }

    static synchronized SparkSession session() {
        return SparkSession.builder().master("local[2,2]").appName("tests").config("spark.ui.enabled", false)
            .config("spark.sql.shuffle.partitions", 2).config("spark.driver.host", "localhost").config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate();
    }

    /** Rows of one column, x, in one partition. */
    static Dataset<Row> column(DataType type, Object... values) {
        Row[] rows = new Row[values.length];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = RowFactory.create(values[i]);
        }
        return session().createDataFrame(java.util.Arrays.asList(rows), new StructType().add("x", type)).coalesce(1);
    }

    /** What a failing job says. */
    static String fault(Dataset<Row> df) {
        try {
            df.collectAsList();
            return "nothing went wrong";
        } catch (Exception e) {
            StringBuilder all = new StringBuilder();
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                all.append(cause).append('\n');
            }
            return all.toString();
        }
    }

    /** Waits until models that nobody uses are closed, and their memory is as it was. */
    static void awaitMemory(long bytes) throws InterruptedException {
        for (int i = 0; i < 200 && (Models.unused() > 0 || MemoryStats.current().bytesInUse() > bytes); i++) {
            Thread.sleep(50);
        }
        org.junit.jupiter.api.Assertions.assertEquals(0, Models.unused());
        org.junit.jupiter.api.Assertions.assertTrue(MemoryStats.current().bytesInUse() <= bytes, MemoryStats.current() + ", before " + bytes);
    }

}
