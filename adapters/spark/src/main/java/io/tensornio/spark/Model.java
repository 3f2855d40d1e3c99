package io.tensornio.spark;

import io.tensornio.AnyTensor;
import java.io.Serializable;
import java.util.Map;

/** A model as it travels to executors: what a copy of it is made of. */
interface Model extends Serializable {
    /**
     * Makes a copy that can run. One is called by one thread at a time, unless {@link #isShared}.
     *
     * @param outputs the names of the wanted outputs
     */
    Copy copy(String... outputs) throws Exception;

    /** Whether all tasks of a JVM may call one copy at the same time. */
    boolean isShared();

    /** A copy of a model, with its parameters. */
    interface Copy extends AutoCloseable {
        /** Computes a batch; the caller closes inputs and outputs. */
        Map<String, ? extends AnyTensor<?>> run(Map<String, AnyTensor<?>> inputs) throws Exception;

        @Override
        void close();
    }
}
