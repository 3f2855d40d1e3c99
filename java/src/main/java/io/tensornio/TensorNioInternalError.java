package io.tensornio;

/**
 * Thrown on a bug of the library: an invariant does not hold, or native code panicked; then the message has the panic's
 * message and source location. The arguments of the call are not the cause. The call may have been partly carried out.
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
