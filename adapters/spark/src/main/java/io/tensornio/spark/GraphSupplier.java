package io.tensornio.spark;

import io.tensornio.graph.ComputeGraph;
import java.io.Serializable;

/** What compiles a graph, in each executor JVM once for each task that runs there at the same time. */
@FunctionalInterface
public interface GraphSupplier extends Serializable {
    /**
     * Compiles the graph.
     *
     * @return a new compute graph, always of the same network; it is closed by the caller
     * @throws Exception whatever goes wrong
     */
    ComputeGraph get() throws Exception;
}
