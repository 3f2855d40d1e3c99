package io.tensornio;

/**
 * Thrown when the library itself is at fault: an invariant does not hold, or native code panicked; then the message has that of the panic
 * and its place. The arguments of the call are not the cause. The call may have been carried out in part.
 */
public class TensorNioInternalError extends Error {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the error.
     *
     * @param message what went wrong, and where
     */
    public TensorNioInternalError(String message) {
        super(message);
    }
}
