package io.tensornio.bench;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;

import io.tensornio.FloatConsumer;
import io.tensornio.FloatSupplier;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.TensorIndex;
import java.util.Arrays;
import java.util.stream.LongStream;

/** Loops over a matrix of this library. */
final class TensorLoops {
    private static final int ROUNDS = 8;
    /** No length of an axis here is a multiple. */
    private static final int LIST_STEP = 7;

    private TensorLoops() {
    }

    /** Has a loop compiled for all kinds of data of a shape, which are tensors of their own. */
    static void showAll(Loops<FloatTensorData> loops, Does does, long... shape) {
        FloatTensorData[] kinds = views(shape);
        float[] array = new float[loops.rows * loops.columns];
        for (int round = 0; round < ROUNDS; round++) {
            for (FloatTensorData kind : kinds) {
                loops.run(does, kind, array);
            }
        }
    }

    /** Data of a shape in the order of memory, and in others. */
    static FloatTensorData[] views(long... shape) {
        return new FloatTensorData[] {
            new OpenTensor(shape).data, every2nd(shape).data, last(new OpenTensor(shape).data, flip()), inside(shape)};
    }

    /** {@link #views}, data over an array, and data with a list of positions. */
    static FloatTensorData[] kinds(long... shape) {
        FloatTensorData[] kinds = Arrays.copyOf(views(shape), 6);
        int n = 1;
        for (long size : shape) {
            n *= (int) size;
        }
        long last = shape[shape.length - 1];
        kinds[4] = FloatTensorData.of(new float[n], shape);
        kinds[5] = last(new OpenTensor(shape).data, incl(LongStream.range(0, last).map(i -> i * LIST_STEP % last).toArray()));
        return kinds;
    }

    /** Every second position on the last axis; the buffer has all of them. */
    static OpenTensor every2nd(long... shape) {
        long[] wide = shape.clone();
        wide[wide.length - 1] *= 2;
        OpenTensor tensor = new OpenTensor(wide);
        return new OpenTensor(last(tensor.data, step(2)), tensor.buffer);
    }

    /** All but the outermost positions of a larger tensor. */
    private static FloatTensorData inside(long... shape) {
        TensorIndex[] indices = new TensorIndex[shape.length];
        Arrays.fill(indices, range(1, -1));
        return new OpenTensor(Arrays.stream(shape).map(n -> n + 2).toArray()).data.slice(indices);
    }

    private static FloatTensorData last(FloatTensorData data, TensorIndex index) {
        TensorIndex[] indices = new TensorIndex[data.rank()];
        Arrays.fill(indices, all());
        indices[indices.length - 1] = index;
        return data.slice(indices);
    }

    /** {@code get(i, j)} and {@code put(v, i, j)}. */
    static final class ByCoordinates extends Loops<FloatTensorData> {
        ByCoordinates(int rows, int columns) {
            super(rows, columns);
        }

        @Override
        void copy(FloatTensorData from, float[] to) {
            int columns = this.columns;
            for (int i = 0, rows = this.rows; i < rows; i++) {
                for (int j = 0; j < columns; j++) {
                    to[i * columns + j] = from.get(i, j);
                }
            }
        }

        @Override
        void put(FloatTensorData to) {
            int columns = this.columns;
            for (int i = 0, rows = this.rows; i < rows; i++) {
                for (int j = 0; j < columns; j++) {
                    to.put(i + j, i, j);
                }
            }
        }

        @Override
        float max(FloatTensorData from) {
            int columns = this.columns;
            float max = Float.NEGATIVE_INFINITY;
            for (int i = 0, rows = this.rows; i < rows; i++) {
                for (int j = 0; j < columns; j++) {
                    float value = from.get(i, j);
                    if (value > max) {
                        max = value;
                    }
                }
            }
            return max;
        }
    }

    /** {@code scalars()}. */
    static final class Scalars extends Loops<FloatTensorData> {
        Scalars(int rows, int columns) {
            super(rows, columns);
        }

        @Override
        float written(int p) {
            return p;
        }

        @Override
        void copy(FloatTensorData from, float[] to) {
            int at = 0;
            for (FloatTensorIterator scalars = from.scalars(); scalars.hasMoreElements();) {
                to[at++] = scalars.get();
            }
        }

        @Override
        void put(FloatTensorData to) {
            int next = 0;
            for (FloatTensorIterator scalars = to.scalars(); scalars.hasMoreElements();) {
                scalars.put(next++);
            }
        }

        @Override
        float max(FloatTensorData from) {
            float max = Float.NEGATIVE_INFINITY;
            for (FloatTensorIterator scalars = from.scalars(); scalars.hasMoreElements();) {
                float value = scalars.get();
                if (value > max) {
                    max = value;
                }
            }
            return max;
        }
    }

    /** {@code forEach} and {@code onEach}. */
    static final class Each extends Loops<FloatTensorData> {
        Each(int rows, int columns) {
            super(rows, columns);
        }

        @Override
        float written(int p) {
            return p;
        }

        @Override
        void copy(FloatTensorData from, float[] to) {
            from.scalars().forEach(new Copy(to));
        }

        @Override
        void put(FloatTensorData to) {
            to.scalars().onEach(new Count());
        }

        @Override
        float max(FloatTensorData from) {
            Max max = new Max();
            from.scalars().forEach(max);
            return max.max;
        }
    }

    /** Takes values into an array. */
    static final class Copy implements FloatConsumer {
        private final float[] to;
        private int at;

        Copy(float[] to) {
            this.to = to;
        }

        @Override
        public void accept(float value) {
            to[at++] = value;
        }
    }

    /** Counts from 0. */
    static final class Count implements FloatSupplier {
        private int next;

        @Override
        public float getAsFloat() {
            return next++;
        }
    }

    /** Looks for the largest. */
    static final class Max implements FloatConsumer {
        float max = Float.NEGATIVE_INFINITY;

        @Override
        public void accept(float value) {
            if (value > max) {
                max = value;
            }
        }
    }

    /** Rows that {@code elements()} gives. */
    static final class Elements extends Loops<FloatTensorData> {
        Elements(int rows, int columns) {
            super(rows, columns);
        }

        @Override
        void copy(FloatTensorData from, float[] to) {
            int columns = this.columns;
            int at = 0;
            for (FloatTensorData row : from.elements()) {
                for (int j = 0; j < columns; j++) {
                    to[at++] = row.get(j);
                }
            }
        }

        @Override
        void put(FloatTensorData to) {
            int columns = this.columns;
            int i = 0;
            for (FloatTensorData row : to.elements()) {
                for (int j = 0; j < columns; j++) {
                    row.put(i + j, j);
                }
                i++;
            }
        }

        @Override
        float max(FloatTensorData from) {
            int columns = this.columns;
            float max = Float.NEGATIVE_INFINITY;
            for (FloatTensorData row : from.elements()) {
                for (int j = 0; j < columns; j++) {
                    float value = row.get(j);
                    if (value > max) {
                        max = value;
                    }
                }
            }
            return max;
        }
    }
}
