package io.tensornio.spark;

import io.tensornio.AnyTensor;
import io.tensornio.onnx.OnnxModel;
import java.util.Map;

/** An ONNX model in bytes. It is loaded once in each JVM: any number of threads may run it. */
final class OnnxBytes implements Model {
    private static final long serialVersionUID = 1;

    private final byte[] bytes;

    OnnxBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public Copy copy(String... outputs) {
        OnnxModel model = OnnxModel.load(bytes);
        return new Copy() {
            @Override
            public Map<String, ? extends AnyTensor<?>> run(Map<String, AnyTensor<?>> inputs) {
                return Outputs.tensors(model.run(inputs, outputs).asDict());
            }

            @Override
            public void close() {
                model.close();
            }
        };
    }
}
