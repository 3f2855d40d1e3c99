package io.tensornio.spark;

import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;

/** How many threads work on a batch: those that Spark has counted for its task. */
final class Threads {
    private static final String PROPERTY = "tensornio.threads";

    private Threads() {
    }

    /**
     * Has the kernels of an executor's JVM use {@code spark.task.cpus} threads for each task, unless somebody has set the property, or used the
     * library there before. A driver that runs tasks itself is left alone: it may have other work, such as training.
     */
    static void limit(@Nullable TaskContext task) {
        if (task != null && System.getProperty(PROPERTY) == null && !"driver".equals(SparkEnv.get().executorId())) {
            System.setProperty(PROPERTY, String.valueOf(task.cpus()));
        }
    }
}
