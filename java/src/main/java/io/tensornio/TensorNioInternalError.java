package io.tensornio;

/**
 * Thrown when the library itself is at fault: an invariant does not hold, or native code panicked, in which case the message says
 * with what message and where. The arguments of the call are not to blame, and what it should have done may be done in part.
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
