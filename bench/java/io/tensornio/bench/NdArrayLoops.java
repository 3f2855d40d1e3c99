package io.tensornio.bench;

import java.util.Arrays;
import org.tensorflow.ndarray.FloatNdArray;
import org.tensorflow.ndarray.NdArrays;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.index.Index;
import org.tensorflow.ndarray.index.Indices;

/** Loops over TensorFlow's {@code NdArray}, in memory of its own choice. */
final class NdArrayLoops {
    private NdArrayLoops() {
    }

    static FloatNdArray array(long... shape) {
        FloatNdArray array = NdArrays.ofFloats(Shape.of(shape));
        int next = 0;
        for (FloatNdArray scalar : array.scalars()) {
            scalar.setFloat(OpenTensor.value(next++));
        }
        return array;
    }

    /** Every second position on the last axis. */
    static FloatNdArray every2nd(long... shape) {
        long[] wide = shape.clone();
        wide[wide.length - 1] *= 2;
        Index[] indices = new Index[wide.length];
        Arrays.fill(indices, Indices.all());
        indices[indices.length - 1] = Indices.step(2);
        return array(wide).slice(indices);
    }

    /** The elements of a matrix. */
    static Loops.Contents contents(FloatNdArray matrix) {
        int columns = (int) matrix.shape().get(1);
        return p -> matrix.getFloat(p / columns, p % columns);
    }

    /** {@code getFloat(i, j)} and {@code setFloat(v, i, j)}. */
    static final class ByCoordinates extends Loops<FloatNdArray> {
        ByCoordinates(int rows, int columns) {
            super(rows, columns);
        }

        @Override
        void copy(FloatNdArray from, float[] to) {
            int columns = this.columns;
            for (int i = 0, rows = this.rows; i < rows; i++) {
                for (int j = 0; j < columns; j++) {
                    to[i * columns + j] = from.getFloat(i, j);
                }
            }
        }

        @Override
        void put(FloatNdArray to) {
            int columns = this.columns;
            for (int i = 0, rows = this.rows; i < rows; i++) {
                for (int j = 0; j < columns; j++) {
                    to.setFloat(i + j, i, j);
                }
            }
        }

        @Override
        float max(FloatNdArray from) {
            int columns = this.columns;
            float max = Float.NEGATIVE_INFINITY;
            for (int i = 0, rows = this.rows; i < rows; i++) {
                for (int j = 0; j < columns; j++) {
                    float value = from.getFloat(i, j);
                    if (value > max) {
                        max = value;
                    }
                }
            }
            return max;
        }
    }

    /** {@code scalars()}. */
    static final class Scalars extends Loops<FloatNdArray> {
        Scalars(int rows, int columns) {
            super(rows, columns);
        }

        @Override
        float written(int p) {
            return p;
        }

        @Override
        void copy(FloatNdArray from, float[] to) {
            int at = 0;
            for (FloatNdArray scalar : from.scalars()) {
                to[at++] = scalar.getFloat();
            }
        }

        @Override
        void put(FloatNdArray to) {
            int next = 0;
            for (FloatNdArray scalar : to.scalars()) {
                scalar.setFloat(next++);
            }
        }

        @Override
        float max(FloatNdArray from) {
            float max = Float.NEGATIVE_INFINITY;
            for (FloatNdArray scalar : from.scalars()) {
                float value = scalar.getFloat();
                if (value > max) {
                    max = value;
                }
            }
            return max;
        }
    }

    /** {@code scalars().forEach}, for {@code onEach}, too. */
    static final class Each extends Loops<FloatNdArray> {
        Each(int rows, int columns) {
            super(rows, columns);
        }

        @Override
        float written(int p) {
            return p;
        }

        @Override
        void copy(FloatNdArray from, float[] to) {
            TensorLoops.Copy copy = new TensorLoops.Copy(to);
            from.scalars().forEach(scalar -> copy.accept(scalar.getFloat()));
        }

        @Override
        void put(FloatNdArray to) {
            TensorLoops.Count count = new TensorLoops.Count();
            to.scalars().forEach(scalar -> scalar.setFloat(count.getAsFloat()));
        }

        @Override
        float max(FloatNdArray from) {
            TensorLoops.Max max = new TensorLoops.Max();
            from.scalars().forEach(scalar -> max.accept(scalar.getFloat()));
            return max.max;
        }
    }

    /** Rows that {@code elements(0)} gives. */
    static final class Elements extends Loops<FloatNdArray> {
        Elements(int rows, int columns) {
            super(rows, columns);
        }

        @Override
        void copy(FloatNdArray from, float[] to) {
            int columns = this.columns;
            int at = 0;
            for (FloatNdArray row : from.elements(0)) {
                for (int j = 0; j < columns; j++) {
                    to[at++] = row.getFloat(j);
                }
            }
        }

        @Override
        void put(FloatNdArray to) {
            int columns = this.columns;
            int i = 0;
            for (FloatNdArray row : to.elements(0)) {
                for (int j = 0; j < columns; j++) {
                    row.setFloat(i + j, j);
                }
                i++;
            }
        }

        @Override
        float max(FloatNdArray from) {
            int columns = this.columns;
            float max = Float.NEGATIVE_INFINITY;
            for (FloatNdArray row : from.elements(0)) {
                for (int j = 0; j < columns; j++) {
                    float value = row.getFloat(j);
                    if (value > max) {
                        max = value;
                    }
                }
            }
            return max;
        }
    }
}
