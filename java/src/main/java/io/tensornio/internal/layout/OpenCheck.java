package io.tensornio.internal.layout;

import io.tensornio.TensorData;

/** Data of a tensor that somebody may close. */
public interface OpenCheck {
    /**
     * Sees to it that data is still there; a user's own always is, as far as we know.
     *
     * @throws io.tensornio.TensorClosedException if its tensor is closed
     */
    static void check(TensorData<?> data) {
        if (data instanceof OpenCheck) {
            ((OpenCheck) data).checkOpen();
        }
    }

    /**
     * Sees to it that this data is still there.
     *
     * @throws io.tensornio.TensorClosedException if its tensor is closed
     */
    void checkOpen();
}
