package io.tensornio.bench;

import java.nio.FloatBuffer;

/**
 * Passes over a matrix, row by row, as they are written by hand: what all else is held against. {@link Loops} would not do for these, since the JVM
 * makes vectors of a copy between arrays only where it sees that both indices are the same.
 */
final class ByHand {
    private ByHand() {
    }

    /** Over a buffer. The lengths are not known when the loops are compiled. */
    static Pass<FloatBuffer> buffer(int rows, int columns) {
        return (does, buffer, array) -> buffer(does, buffer, array, rows, columns);
    }

    /** Over one array, likewise. */
    static Pass<float[]> array(int rows, int columns) {
        return (does, values, array) -> array(does, values, array, rows, columns);
    }

    private static float buffer(Does does, FloatBuffer buffer, float[] array, int rows, int columns) {
        float max = Float.NEGATIVE_INFINITY;
        switch (does) {
            case COPY:
                for (int i = 0; i < rows; i++) {
                    for (int j = 0; j < columns; j++) {
                        array[i * columns + j] = buffer.get(i * columns + j);
                    }
                }
                return array[0];
            case PUT:
                for (int i = 0; i < rows; i++) {
                    for (int j = 0; j < columns; j++) {
                        buffer.put(i * columns + j, i + j);
                    }
                }
                return 0;
            default:
                for (int i = 0; i < rows; i++) {
                    for (int j = 0; j < columns; j++) {
                        float value = buffer.get(i * columns + j);
                        if (value > max) {
                            max = value;
                        }
                    }
                }
                return max;
        }
    }

    private static float array(Does does, float[] values, float[] array, int rows, int columns) {
        float max = Float.NEGATIVE_INFINITY;
        switch (does) {
            case COPY:
                for (int i = 0; i < rows; i++) {
                    for (int j = 0; j < columns; j++) {
                        array[i * columns + j] = values[i * columns + j];
                    }
                }
                return array[0];
            case PUT:
                for (int i = 0; i < rows; i++) {
                    for (int j = 0; j < columns; j++) {
                        values[i * columns + j] = i + j;
                    }
                }
                return 0;
            default:
                for (int i = 0; i < rows; i++) {
                    for (int j = 0; j < columns; j++) {
                        float value = values[i * columns + j];
                        if (value > max) {
                            max = value;
                        }
                    }
                }
                return max;
        }
    }
}
