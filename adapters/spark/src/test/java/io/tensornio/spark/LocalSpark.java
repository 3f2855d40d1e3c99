package io.tensornio.spark;

import org.apache.spark.sql.SparkSession;

/** The session of tests in this JVM, with two threads. */
final class LocalSpark {
    private LocalSpark() {
    }

    static synchronized SparkSession session() {
        return SparkSession.builder().master("local[2]").appName("tests").config("spark.ui.enabled", false)
            .config("spark.sql.shuffle.partitions", 2).config("spark.driver.host", "localhost").config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate();
    }
}
