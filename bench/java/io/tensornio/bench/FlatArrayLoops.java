package io.tensornio.bench;

/** Loops over one array, row by row. */
final class FlatArrayLoops extends Loops<float[]> {
    FlatArrayLoops(int rows, int columns) {
        super(rows, columns);
    }

    @Override
    void copy(float[] from, float[] to) {
        int columns = this.columns;
        for (int i = 0, rows = this.rows; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                to[i * columns + j] = from[i * columns + j];
            }
        }
    }

    @Override
    void put(float[] to) {
        int columns = this.columns;
        for (int i = 0, rows = this.rows; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                to[i * columns + j] = i + j;
            }
        }
    }

    @Override
    float max(float[] from) {
        int columns = this.columns;
        float max = Float.NEGATIVE_INFINITY;
        for (int i = 0, rows = this.rows; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                float value = from[i * columns + j];
                if (value > max) {
                    max = value;
                }
            }
        }
        return max;
    }
}
