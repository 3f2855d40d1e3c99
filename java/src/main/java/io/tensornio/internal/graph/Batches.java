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

/** What a minibatch gives, batch by batch, and where it is. */
public abstract class Batches {
    /** The last step that can be gone to: there are always as many again before the number of a batch overflows. */
    private static final long FARTHEST = 1L << 62;

    /** So many examples a batch has, but for the last of an epoch. */
    final int size;
    /** Held from the load of a batch to the last use of what was loaded. */
    final Turn loading = new Turn();
    /** The next batch, counted from 0 over all epochs. */
    private long position;

    Batches(int size) {
        if (size <= 0) {
            throw new IllegalArgumentException("a batch of " + size + " examples: there is to be at least one");
        }
        this.size = size;
    }

    /** For so many examples memory is needed; after {@link #load}. */
    int most() {
        return size;
    }

    /** The number of the next batch. */
    public final synchronized long position() {
        return position;
    }

    /** Goes to a batch. */
    public final synchronized void seek(long to) {
        if (to < 0) {
            throw new IllegalArgumentException("seek to step " + to + ": steps count from 0");
        }
        if (to > FARTHEST) {
            throw new IllegalArgumentException("seek to step " + to + ": no training has more than 2^62 steps");
        }
        position = to;
    }

    /** Goes to the next batch. */
    final synchronized void advance() {
        position++;
    }

    /** How many examples a batch has; it is ready to be read then, until the next one is asked for. */
    abstract int load(long batch);

    /** Whether the batch that was loaded last is the last of its epoch. */
    abstract boolean isLast();

    /** The examples of the batch that was loaded last: from {@link #from()} on. */
    abstract List<?> examples();

    abstract int from();

    /** The numbers of the rows of the batch that was loaded last, from {@link #from()} on; null if it is not of columns. */
    int[] order() {
        return null;
    }

    /** The columns; of none if it is not of columns. */
    Map<Variable, TensorData<?>> columns() {
        return Collections.emptyMap();
    }

    /** Whether it is of columns all of which are in native memory, where they can be read in place. */
    boolean isInPlace() {
        return false;
    }

    /** A column that is in place, which is to be pinned while it is read. */
    StridedOperand column(Variable input) {
        throw new IllegalStateException("the column of " + input + " is not in place");
    }

    private static Iterator<?> iterator(Iterable<?> all) {
        return Objects.requireNonNull(all.iterator(), "iterator() of the examples gave null");
    }

    static IllegalArgumentException none() {
        return new IllegalArgumentException("there are no examples");
    }

    /** Of numbers from 0, in an order of each epoch's own. */
    private abstract static class Shuffled extends Batches {
        final int[] order;
        private final long seed;
        private long epoch = -1;
        private long inEpoch;

        Shuffled(int count, int size, long seed) {
            super(Math.min(size, Math.max(count, 1)));       // memory for no more examples than there are
            if (count == 0) {
                throw none();
            }
            order = new int[count];
            this.seed = seed;
        }

        private long perEpoch() {
            return (order.length - 1L) / size + 1;
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

    /** Of examples that are collected once, in an order of each epoch's own. */
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

    /** Of the rows of columns, in an order of each epoch's own. */
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

    /** The columns if all are in place, else null. */
    private static Map<Variable, StridedOperand> inPlace(Map<Variable, TensorData<?>> columns) {
        Map<Variable, StridedOperand> all = new HashMap<>();
        for (Map.Entry<Variable, TensorData<?>> column : columns.entrySet()) {
            StridedOperand operand = StridedOperand.inPlace(column.getValue());
            if (operand == null) {
                return null;
            }
            operand.close();                // it is pinned by each step
            all.put(column.getKey(), operand);
        }
        return all;
    }

    /** Of examples in their order, iterated afresh for each epoch. */
    public static Batches inOrder(Iterable<?> all, int size) {
        return new Batches(size) {
            private final List<Object> batch = new ArrayList<>();
            private Iterator<?> iterator;
            /** The batch that was loaded last. */
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
                    loaded = -1;            // whoever goes on begins anew
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
                return batch.size();        // nobody knows how many there are
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
