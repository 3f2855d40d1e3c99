package io.tensornio.bench;

/** Loops over nested arrays. */
final class ArrayLoops extends Loops<float[][]> {
    ArrayLoops(int rows, int columns) {
        super(rows, columns);
    }

    @Override
    void copy(float[][] from, float[] to) {
        int columns = this.columns;
        for (int i = 0, rows = this.rows; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                to[i * columns + j] = from[i][j];
            }
        }
    }

    @Override
    void put(float[][] to) {
        int columns = this.columns;
        for (int i = 0, rows = this.rows; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                to[i][j] = i + j;
            }
        }
    }

    @Override
    float max(float[][] from) {
        int columns = this.columns;
        float max = Float.NEGATIVE_INFINITY;
        for (int i = 0, rows = this.rows; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                float value = from[i][j];
                if (value > max) {
                    max = value;
                }
            }
        }
        return max;
    }
}
