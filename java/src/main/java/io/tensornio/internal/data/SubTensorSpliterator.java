package io.tensornio.internal.data;

import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * A spliterator of sub-tensors by index, so that a stream of them is sized, and runs in parallel without collecting them first.
 *
 * @param <D> the data of a sub-tensor
 */
final class SubTensorSpliterator<D> implements Spliterator<D> {
    private final LongFunction<D> row;
    private final Runnable checkOpen;
    private long i;
    private final long end;

    SubTensorSpliterator(LongFunction<D> row, Runnable checkOpen, long n) {
        this(row, checkOpen, 0, n);
    }

    private SubTensorSpliterator(LongFunction<D> row, Runnable checkOpen, long from, long end) {
        this.row = row;
        this.checkOpen = checkOpen;
        i = from;
        this.end = end;
    }

    @Override
    public boolean tryAdvance(Consumer<? super D> action) {
        Objects.requireNonNull(action, "action");
        if (i >= end) {
            return false;
        }
        D next = row.apply(i);
        i++;
        action.accept(next);
        return true;
    }

    @Override
    public Spliterator<D> trySplit() {
        long from = i;
        long half = (end - from) / 2;
        if (half == 0) {
            return null;
        }
        i += half;
        return new SubTensorSpliterator<>(row, checkOpen, from, i);
    }

    /** Throws for a closed tensor: count() calls nothing else. */
    @Override
    public long estimateSize() {
        checkOpen.run();
        return end - i;
    }

    @Override
    public int characteristics() {
        return ORDERED | SIZED | SUBSIZED | NONNULL;
    }
}
