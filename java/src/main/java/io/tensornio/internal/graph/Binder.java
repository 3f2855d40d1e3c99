package io.tensornio.internal.graph;

import io.tensornio.TensorData;
import java.util.Objects;
import java.util.function.BiConsumer;

/** Writes an example to the data of an input. */
public final class Binder {
    private final Class<?> type;
    private final BiConsumer<Object, TensorData<?>> write;

    /** A binder for examples of a class. */
    @SuppressWarnings("unchecked")          // the class is checked before each call, the data is of the input's type
    public <I, D extends TensorData<?>> Binder(Class<I> type, BiConsumer<? super I, ? super D> write) {
        this.type = Objects.requireNonNull(type, "type");
        this.write = (BiConsumer<Object, TensorData<?>>) (BiConsumer<?, ?>) Objects.requireNonNull(write, "binder");
    }

    /** Writes an example; exceptions of the user's code are propagated. */
    void write(Variable input, Object example, TensorData<?> to) {
        if (!type.isInstance(example)) {
            throw new IllegalArgumentException("input " + input + " takes examples of " + type.getName() + ", not "
                + (example == null ? "null" : example.getClass().getName()));
        }
        write.accept(example, to);
    }
}
