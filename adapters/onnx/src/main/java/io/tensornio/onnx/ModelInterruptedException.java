package io.tensornio.onnx;

/** A run of a model that has ended early because its thread was interrupted. The thread's status stays set. */
public final class ModelInterruptedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Makes one.
     *
     * @param message where the run was
     */
    public ModelInterruptedException(String message) {
        super(message);
    }
}
