package io.tensornio.onnxruntime;

import ai.onnxruntime.OnnxTensor;

/** A tensor of ONNX Runtime, and the pin of the memory that it reads. */
public final class OrtTensor implements AutoCloseable {
    private final OnnxTensor onnx;
    private final boolean isCopy;
    /** What keeps the memory; nothing if ONNX Runtime has its own. */
    private final AutoCloseable memory;

    OrtTensor(OnnxTensor onnx, boolean isCopy, AutoCloseable memory) {
        this.onnx = onnx;
        this.isCopy = isCopy;
        this.memory = memory;
    }

    /**
     * The tensor as ONNX Runtime has it, closed by this.
     *
     * @return the tensor, to be used as an input, never as an output
     */
    public OnnxTensor onnx() {
        return onnx;
    }

    /**
     * Whether the elements were copied.
     *
     * @return true for strings, and for elements that were not in row-major order; else ONNX Runtime reads them where they are
     */
    public boolean isCopy() {
        return isCopy;
    }

    /** Closes ONNX Runtime's tensor, and then ends the pin. Closing again, by any thread, does nothing. */
    @Override
    public synchronized void close() {
        try {
            if (!onnx.isClosed()) {
                onnx.close();
            }
        } finally {
            OrtTensors.close(memory);
        }
    }
}
