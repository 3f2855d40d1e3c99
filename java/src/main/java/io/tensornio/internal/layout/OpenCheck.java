package io.tensornio.internal.layout;

/** Data whose tensor can be closed. */
public interface OpenCheck {
    /**
     * Checks that data is open, if it has a tensor; a user's own data counts as open.
     *
     * @throws io.tensornio.TensorClosedException if its tensor is closed
     */
    static void check(Object data) {
        if (data instanceof OpenCheck) {
            ((OpenCheck) data).checkOpen();
        }
    }

    /**
     * Checks that the tensor is open.
     *
     * @throws io.tensornio.TensorClosedException if its tensor is closed
     */
    void checkOpen();
}
