package io.tensornio.bench;

import io.tensornio.FloatConsumer;
import io.tensornio.FloatSupplier;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import org.tensorflow.ndarray.FloatNdArray;

/** Passes by iterators, of this library and of TensorFlow's. What they put is a count. */
final class Scalars {
    private Scalars() {
    }

    /** By {@code scalars()}. */
    static float byIterator(Does does, FloatTensorData data, float[] array) {
        FloatTensorIterator scalars = data.scalars();
        float max = Float.NEGATIVE_INFINITY;
        int at = 0;
        switch (does) {
            case COPY:
                while (scalars.hasMoreElements()) {
                    array[at++] = scalars.get();
                }
                return at;
            case PUT:
                while (scalars.hasMoreElements()) {
                    scalars.put(at++);
                }
                return at;
            default:
                while (scalars.hasMoreElements()) {
                    float value = scalars.get();
                    if (value > max) {
                        max = value;
                    }
                }
                return max;
        }
    }

    /** By {@code forEach} and {@code onEach}. */
    static float byEach(Does does, FloatTensorData data, float[] array) {
        switch (does) {
            case COPY:
                data.scalars().forEach(new Copy(array));
                return array[0];
            case PUT:
                data.scalars().onEach(new Count());
                return 0;
            default:
                Max max = new Max();
                data.scalars().forEach(max);
                return max.max;
        }
    }

    /** By {@code scalars()} of TensorFlow's. */
    static float byIterator(Does does, FloatNdArray data, float[] array) {
        float max = Float.NEGATIVE_INFINITY;
        int at = 0;
        switch (does) {
            case COPY:
                for (FloatNdArray scalar : data.scalars()) {
                    array[at++] = scalar.getFloat();
                }
                return at;
            case PUT:
                for (FloatNdArray scalar : data.scalars()) {
                    scalar.setFloat(at++);
                }
                return at;
            default:
                for (FloatNdArray scalar : data.scalars()) {
                    float value = scalar.getFloat();
                    if (value > max) {
                        max = value;
                    }
                }
                return max;
        }
    }

    /** By {@code forEach} of TensorFlow's, which has no {@code onEach}. */
    static float byEach(Does does, FloatNdArray data, float[] array) {
        switch (does) {
            case COPY:
                Copy copy = new Copy(array);
                data.scalars().forEach(scalar -> copy.accept(scalar.getFloat()));
                return array[0];
            case PUT:
                Count count = new Count();
                data.scalars().forEach(scalar -> scalar.setFloat(count.getAsFloat()));
                return 0;
            default:
                Max max = new Max();
                data.scalars().forEach(scalar -> max.accept(scalar.getFloat()));
                return max.max;
        }
    }

    /** Takes values into an array. */
    private static final class Copy implements FloatConsumer {
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
    private static final class Count implements FloatSupplier {
        private int next;

        @Override
        public float getAsFloat() {
            return next++;
        }
    }

    /** Looks for the largest. */
    private static final class Max implements FloatConsumer {
        private float max = Float.NEGATIVE_INFINITY;

        @Override
        public void accept(float value) {
            if (value > max) {
                max = value;
            }
        }
    }
}
