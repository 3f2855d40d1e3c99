package io.tensornio.internal.op;

import io.tensornio.AnyTensor;
import io.tensornio.Tensor;
import io.tensornio.internal.data.TensorPublisher;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.EarlyCollection;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Owns and closes the results of operations. It refers to the memory of each weakly, so that unreachable ones are collected before. Thread-safe.
 */
public final class Scope {
    private static final int FEWEST = 64;

    /** The object that owns this scope. */
    private final Object owner;
    /** The results so far, without those found to be gone; null once this is closed. Guarded by this. */
    private Entry[] entries = new Entry[FEWEST];
    private int count;

    /**
     * Makes a scope.
     *
     * @param owner its owner
     */
    public Scope(Object owner) {
        this.owner = owner;
    }

    /** A scope's weak reference to the memory of a result. */
    static final class Entry extends WeakReference<Block> {
        private boolean kept;
        /** A ragged or sparse tensor, which has other memory besides; null if it is dense. */
        private final WeakReference<AnyTensor<?>> stored;

        private Entry(AnyTensor<?> tensor) {
            super(TensorPublisher.adopt(tensor));
            stored = tensor instanceof Tensor ? null : new WeakReference<>(tensor);
        }

        synchronized void keep(AnyTensor<?> tensor) {
            if (!kept) {
                Block block = get();
                block.pin().unpin();            // throws if it is closed
                TensorPublisher.release(tensor);
                kept = true;
                clear();
            }
        }

        private synchronized void close() {
            Block block = get();
            if (block == null) {
                return;
            }
            AnyTensor<?> tensor = stored == null ? null : stored.get();
            if (tensor == null) {
                block.close();
            } else {
                tensor.close();
            }
        }

        /** Whether the result was collected, closed or kept. */
        boolean isGone() {
            Block block = get();
            return block == null || block.isClosed();
        }
    }

    /** The object that owns this scope. */
    public Object owner() {
        return owner;
    }

    /**
     * Checks that this is open.
     *
     * @throws IllegalStateException if it is closed
     */
    public synchronized void check() {
        if (entries == null) {
            throw closed();
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("this Ops is closed: make another by Ops.create()");
    }

    /**
     * Computes.
     *
     * @param <T> the element type of the result
     * @param operation the operation
     * @param form the parameters
     * @param operands the operands
     * @return the result
     * @throws IllegalArgumentException if the operands do not fit the operation
     * @throws IllegalStateException if this is closed
     */
    public <T> Made<T> run(Operation operation, Form form, AnyTensor<?>... operands) {
        check();
        return own(operation.run(form, operands));
    }

    /**
     * Computes an operation whose form is made from its arguments, which may throw.
     *
     * @param <T> the element type of the result
     * @param operation the operation
     * @param form the parameters
     * @param operands the operands
     * @return the result
     * @throws IllegalArgumentException if the operands do not fit the operation
     * @throws IllegalStateException if this is closed
     */
    public <T> Made<T> run(Operation operation, Supplier<Form> form, AnyTensor<?>... operands) {
        check();
        return own(operation.run(form, operands));
    }

    /**
     * Runs an operation that is not a comprehension.
     *
     * @param <T> the element type of the result
     * @param operation the operation
     * @param how makes the tensor
     * @param operands the operands
     * @return the result
     * @throws IllegalArgumentException if the operands do not fit the operation
     * @throws IllegalStateException if this is closed
     */
    public <T> Made<T> make(Operation operation, Supplier<Tensor<?>> how, Tensor<?>... operands) {
        check();
        return own(operation.make(how, operands));
    }

    /**
     * The same of several results.
     *
     * @param operation the operation
     * @param how makes the tensors
     * @param operands the operands
     * @return the results
     * @throws IllegalArgumentException if the operands do not fit the operation
     * @throws IllegalStateException if this is closed
     */
    public Made<?>[] makeAll(Operation operation, Supplier<Tensor<?>[]> how, Tensor<?>... operands) {
        check();
        Tensor<?>[] tensors = operation.makeAll(how, operands);
        Made<?>[] made = new Made<?>[tensors.length];
        int n = 0;
        try {
            for (; n < made.length; n++) {
                made[n] = own(tensors[n]);
            }
            return made;
        } catch (Throwable e) {
            while (++n < made.length) {
                tensors[n].close();         // those before are the scope's, or closed
            }
            throw e;
        }
    }

    /**
     * Takes ownership of a tensor.
     *
     * @param <T> its element type, which the caller knows
     * @param tensor the tensor, which this closes from now on
     * @return the tensor in this scope
     * @throws IllegalStateException if this is closed; then the tensor is closed, too
     */
    @SuppressWarnings("unchecked")              // as the caller says
    public <T> Made<T> own(AnyTensor<?> tensor) {
        Entry entry = new Entry(tensor);
        long bytes = tensor.numBytes();
        boolean isOpen;
        synchronized (this) {
            isOpen = entries != null;
            if (isOpen) {
                add(entry);
            }
        }
        if (!isOpen) {
            tensor.close();
            throw closed();
        }
        EarlyCollection.made(bytes);
        return new Made<>(this, (AnyTensor<T>) tensor, entry);
    }

    /**
     * Wraps a tensor without ownership.
     *
     * @param <T> its element type
     * @param tensor the tensor, which this does not close
     * @return the tensor in this scope
     * @throws IllegalStateException if this is closed
     */
    public <T> Made<T> borrow(AnyTensor<T> tensor) {
        check();
        TensorPublisher.adopt(tensor);
        return new Made<>(this, tensor, null);
    }

    private void add(Entry entry) {
        if (count == entries.length) {
            int left = 0;
            for (Entry one : entries) {
                if (!one.isGone()) {
                    entries[left++] = one;
                }
            }
            Arrays.fill(entries, left, count, null);
            count = left;
            if (left > entries.length / 2) {
                entries = Arrays.copyOf(entries, 2 * entries.length);
            } else if (left < entries.length / 8 && entries.length > FEWEST) {
                entries = Arrays.copyOf(entries, entries.length / 2);
            }
        }
        entries[count++] = entry;
    }

    /** Closes the results. Closing again does nothing. */
    public void close() {
        Entry[] all;
        synchronized (this) {
            all = entries;
            entries = null;
        }
        for (int n = 0; all != null && n < count; n++) {
            all[n].close();
        }
    }

    /** The number of entries, including some that are gone; for tests. */
    synchronized int size() {
        return entries == null ? 0 : count;
    }
}
