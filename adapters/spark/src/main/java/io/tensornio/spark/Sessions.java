package io.tensornio.spark;

import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;

/** The application to which rows belong. */
final class Sessions {
    private Sessions() {
    }

    /** The context of an application, through which executors get a model; Spark Connect has none. */
    static JavaSparkContext context(Dataset<?> df) {
        try {
            return JavaSparkContext.fromSparkContext(df.sparkSession().sparkContext());
        } catch (UnsupportedOperationException | LinkageError e) {
            throw new IllegalArgumentException("rows of Spark Connect: a TensorTransform runs in the application that has the executors", e);
        }
    }
}
