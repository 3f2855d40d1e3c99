package io.tensornio.programs;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AnyTensor;
import io.tensornio.TensorClosedException;
import io.tensornio.support.Expect;
import java.util.Random;

/** A tensor of a random program, and what is known of it. */
abstract class Held {
    private final AnyTensor<?> tensor;
    /** Set before the tensor is closed. */
    private volatile boolean closing;
    /** Set after the tensor was closed: until then another thread may find some of its blocks open. */
    private volatile boolean closed;

    Held(AnyTensor<?> tensor) {
        this.tensor = tensor;
    }

    final AnyTensor<?> tensor() {
        return tensor;
    }

    final synchronized void close() {
        closing = true;
        tensor.close();
        closed = true;
    }

    /** Uses the tensor in some ways; each must give what is known of it, or say that it is closed, if it is. */
    final void use(Random random, StringBuilder done) {
        if (closed) {
            done.append(" closed");
            assertTrue(tensor.isClosed());
            Expect.says(assertThrows(TensorClosedException.class, this::useClosed), tensor.dataType().toString());
            return;
        }
        try {
            read(random, done);
        } catch (TensorClosedException | AssertionError e) {
            // Another thread may close it meanwhile: then a read has old values, zeros, or this exception.
            if (!closing) {
                throw e;
            }
        }
    }

    abstract void read(Random random, StringBuilder done);

    /** Something that must throw when the tensor is closed. */
    abstract void useClosed();
}
