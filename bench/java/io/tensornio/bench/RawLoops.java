package io.tensornio.bench;

import java.nio.FloatBuffer;

/** Loops over a buffer, row by row, as they are written by hand: what all else is held against. */
final class RawLoops extends Loops<FloatBuffer> {
    RawLoops(int rows, int columns) {
        super(rows, columns);
    }

    @Override
    void copy(FloatBuffer from, float[] to) {
        int columns = this.columns;
        for (int i = 0, rows = this.rows; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                to[i * columns + j] = from.get(i * columns + j);
            }
        }
    }

    @Override
    void put(FloatBuffer to) {
        int columns = this.columns;
        for (int i = 0, rows = this.rows; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                to.put(i * columns + j, i + j);
            }
        }
    }

    @Override
    float max(FloatBuffer from) {
        int columns = this.columns;
        float max = Float.NEGATIVE_INFINITY;
        for (int i = 0, rows = this.rows; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                float value = from.get(i * columns + j);
                if (value > max) {
                    max = value;
                }
            }
        }
        return max;
    }
}
