package io.tensornio.spark;

import io.tensornio.AnyTensor;
import io.tensornio.graph.ComputeGraph;
import io.tensornio.value.Value;
import java.io.ByteArrayInputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** A graph and its parameters. Calls on a compute graph are serialised, so each task that runs has one of its own. */
final class GraphModel implements Model {
    private static final long serialVersionUID = 1;

    private final GraphSupplier supplier;
    private final byte[] checkpoint;

    GraphModel(GraphSupplier supplier, byte[] checkpoint) {
        this.supplier = supplier;
        this.checkpoint = checkpoint;
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public Copy copy(String... outputs) throws Exception {
        ComputeGraph cg = supplier.get();
        try {
            cg.load(new ByteArrayInputStream(checkpoint));
        } catch (Throwable e) {
            cg.close();
            throw e;
        }
        return new Copy() {
            @Override
            public Map<String, ? extends AnyTensor<?>> run(Map<String, AnyTensor<?>> inputs) {
                Map<String, Value> values = new LinkedHashMap<>();
                inputs.forEach((name, tensor) -> values.put(name, Value.of(tensor)));
                return Outputs.tensors(cg.run(values, outputs));
            }

            @Override
            public void close() {
                cg.close();
            }
        };
    }
}
