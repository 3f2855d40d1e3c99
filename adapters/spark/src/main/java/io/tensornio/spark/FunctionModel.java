package io.tensornio.spark;

import io.tensornio.AnyTensor;
import java.util.Map;

/** A function of the caller's: it is its own copy. */
final class FunctionModel implements Model {
    private static final long serialVersionUID = 1;

    private final ModelFunction function;

    FunctionModel(ModelFunction function) {
        this.function = function;
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public Copy copy(String... outputs) {
        return new Copy() {
            @Override
            public Map<String, ? extends AnyTensor<?>> run(Map<String, AnyTensor<?>> inputs) throws Exception {
                return function.apply(inputs);
            }

            @Override
            public void close() {
                if (function instanceof AutoCloseable) {
                    try {
                        ((AutoCloseable) function).close();
                    } catch (Exception e) {
                        throw new IllegalStateException("the function does not close: " + e.getMessage(), e);
                    }
                }
            }
        };
    }
}
