package io.tensornio.internal.graph;

import io.tensornio.TensorData;
import io.tensornio.internal.data.StridedOperand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The batches of a minibatch source, and the current position in it. */
public abstract class Batches {
    /** The maximum step for {@code seek}: as many again remain before the number of a batch overflows. */
    private static final long FARTHEST = 1L << 62;

    /** The number of examples of a batch, except for the last of an epoch. */
    final int size;
    /** Held from the load of a batch to the last use of it. */
    final Turn loading = new Turn();
    /** The next batch, counted from 0 over all epochs. */
    private long position;

    Batches(int size) {
        if (size <= 0) {
            throw new IllegalArgumentException("a batch of " + size + " examples: there is to be at least one");
        }
        this.size = size;
    }

    /** The number of examples for which memory is needed; after {@link #load}. */
    int most() {
        return size;
    }

    /** The number of the next batch. */
    public final synchronized long position() {
        return position;
    }

    /** Sets the next batch. */
    public final synchronized void seek(long to) {
        if (to < 0) {
            throw new IllegalArgumentException("seek to step " + to + ": steps count from 0");
        }
        if (to > FARTHEST) {
            throw new IllegalArgumentException("seek to step " + to + ": no training has more than 2^62 steps");
        }
        position = to;
    }

    /** Advances to the next batch. */
    final synchronized void advance() {
        position++;
    }

    /** The number of examples of an epoch; -1 if it is unknown. */
    public int count() {
        return -1;
    }

    /** The number of batches of an epoch; -1 if it is unknown. */
    public final long perEpoch() {
        return count() < 0 ? -1 : (count() - 1L) / size + 1;
    }

    /** The largest number of examples of a batch. */
    public final int size() {
        return size;
    }

    /** Batches of the same examples, which are loaded from the beginning without disturbing these: itself, if any batch is found at once. */
    Batches again() {
        return this;
    }

    /** Loads a batch; returns its number of examples. It stays loaded until the next call. */
    abstract int load(long batch);

    /** Whether the loaded batch is the last of its epoch. */
    abstract boolean isLast();

    /** The examples of the loaded batch, starting at {@link #from()}. */
    abstract List<?> examples();

    abstract int from();

    /** The row numbers of the loaded batch, starting at {@link #from()}; null if this is not columnar. */
    int[] order() {
        return null;
    }

    /** The columns; empty if this is not columnar. */
    Map<Variable, TensorData<?>> columns() {
        return Collections.emptyMap();
    }

    /** Whether this is columnar, and columns are ragged or sparse. */
    final boolean isStored() {
        return Columns.isStored(columns());
    }

    /** Whether this is columnar, and all columns are in native memory, where they can be read in place. */
    boolean isInPlace() {
        return false;
    }

    /** A column that is read in place; the caller pins it. */
    StridedOperand column(Variable input) {
        throw new IllegalStateException("the column of " + input + " is not in place");
    }

    private static Iterator<?> iterator(Iterable<?> all) {
        return Objects.requireNonNull(all.iterator(), "iterator() of the examples gave null");
    }

    static IllegalArgumentException none() {
        return new IllegalArgumentException("there are no examples");
    }

    /** Batches of indices in a different order for each epoch. */
    private abstract static class Shuffled extends Batches {
        final int[] order;
        private final long seed;
        private long epoch = -1;
        private long inEpoch;

        Shuffled(int count, int size, long seed) {
            super(Math.min(size, Math.max(count, 1)));       // no more memory than for all examples
            if (count == 0) {
                throw none();
            }
            order = new int[count];
            this.seed = seed;
        }

        @Override
        public final int count() {
            return order.length;
        }

        @Override
        final int load(long batch) {
            long wanted = batch / perEpoch();
            inEpoch = batch % perEpoch();
            if (wanted != epoch) {
                shuffle(wanted);
                epoch = wanted;
            }
            return (int) Math.min(size, order.length - inEpoch * size);
        }

        void shuffle(long of) {
            Arrays.setAll(order, n -> n);
            long state = Mix.mix(Mix.mix(seed) + of);
            for (int n = order.length - 1; n > 0; n--) {
                state = Mix.mix(state);
                int other = (int) ((state >>> 33) % (n + 1));
                int kept = order[n];
                order[n] = order[other];
                order[other] = kept;
            }
        }

        @Override
        final boolean isLast() {
            return inEpoch == perEpoch() - 1;
        }

        @Override
        final int from() {
            return (int) (inEpoch * size);
        }
    }

    /** Batches of examples that are collected once, shuffled for each epoch. */
    public static Batches shuffled(Iterable<?> all, int size, long seed) {
        List<Object> collected = new ArrayList<>();
        iterator(all).forEachRemaining(collected::add);
        Object[] ordered = new Object[collected.size()];
        List<Object> view = Arrays.asList(ordered);
        return new Shuffled(ordered.length, size, seed) {
            @Override
            void shuffle(long of) {
                super.shuffle(of);
                for (int n = 0; n < ordered.length; n++) {
                    ordered[n] = collected.get(order[n]);
                }
            }

            @Override
            List<?> examples() {
                return view;
            }
        };
    }

    /** Batches of the rows of columns, shuffled for each epoch. */
    public static Batches columns(Map<Variable, TensorData<?>> columns, int size, long seed) {
        int count = columns.isEmpty() ? 0 : (int) columns.values().iterator().next().size(0);
        Map<Variable, StridedOperand> inPlace = inPlace(columns);
        return new Shuffled(count, size, seed) {
            @Override
            List<?> examples() {
                throw new IllegalStateException("columns have no examples");
            }

            @Override
            boolean isInPlace() {
                return inPlace != null;
            }

            @Override
            StridedOperand column(Variable input) {
                return inPlace.get(input);
            }

            @Override
            int[] order() {
                return order;
            }

            @Override
            Map<Variable, TensorData<?>> columns() {
                return columns;
            }
        };
    }

    /** The operands of the columns if all can be read in place, else null. */
    private static Map<Variable, StridedOperand> inPlace(Map<Variable, TensorData<?>> columns) {
        Map<Variable, StridedOperand> all = new HashMap<>();
        for (Map.Entry<Variable, TensorData<?>> column : columns.entrySet()) {
            StridedOperand operand = StridedOperand.inPlace(column.getValue());
            if (operand == null) {
                return null;
            }
            operand.close();                // each step pins it
            all.put(column.getKey(), operand);
        }
        return all;
    }

    /** Batches of examples in order, with a new iterator for each epoch. */
    public static Batches inOrder(Iterable<?> all, int size) {
        return new Batches(size) {
            private final List<Object> batch = new ArrayList<>();
            private Iterator<?> iterator;
            /** The loaded batch. */
            private long loaded = -1;

            @Override
            int load(long wanted) {
                if (wanted < loaded || loaded < 0) {
                    iterator = null;
                    loaded = -1;
                }
                while (loaded < wanted) {
                    read();
                    loaded++;
                }
                return batch.size();
            }

            @Override
            Batches again() {
                return inOrder(all, size);
            }

            private void read() {
                try {
                    if (iterator == null || !iterator.hasNext()) {
                        iterator = iterator(all);
                    }
                    batch.clear();
                    while (batch.size() < size && iterator.hasNext()) {
                        batch.add(iterator.next());
                    }
                } catch (Throwable e) {
                    loaded = -1;            // the next load starts a new iterator
                    throw e;
                }
                if (batch.isEmpty()) {
                    loaded = -1;
                    throw none();
                }
            }

            @Override
            boolean isLast() {
                return !iterator.hasNext();
            }

            @Override
            int most() {
                return batch.size();        // the number of examples is unknown
            }

            @Override
            List<?> examples() {
                return batch;
            }

            @Override
            int from() {
                return 0;
            }
        };
    }
}
