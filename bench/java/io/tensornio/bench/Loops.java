package io.tensornio.bench;

/**
 * Four loops in each other, of which a matrix uses the inner two. Their lengths are fields, so that they are not known when a loop is compiled. What
 * reads or writes an element is a lambda, of which a fork has one, so that it is compiled into the loop.
 *
 * @param <T> what holds the elements
 */
final class Loops<T> implements Pass<T> {
    /** What is done before each innermost loop. */
    interface Row {
        default void row(int i, int j, int k) {
        }
    }

    /** Reads an element. */
    interface Read<T> extends Row {
        float get(T from, int i, int j, int k, int l);
    }

    /** Writes an element. */
    interface Write<T> extends Row {
        void put(T to, float v, int i, int j, int k, int l);
    }

    private final int n0;
    private final int n1;
    private final int n2;
    private final int n3;
    private final Read<T> read;
    private final Write<T> write;

    Loops(int[] lengths, Read<T> read, Write<T> write) {
        n0 = lengths[0];
        n1 = lengths[1];
        n2 = lengths[2];
        n3 = lengths[3];
        this.read = read;
        this.write = write;
    }

    Loops(int rows, int columns, Read<T> read, Write<T> write) {
        this(new int[] {1, 1, rows, columns}, read, write);
    }

    @Override
    public float run(Does does, T elements, float[] array) {
        switch (does) {
            case COPY:
                copy(elements, array);
                return array[0];
            case PUT:
                put(elements);
                return 0;
            default:
                return max(elements);
        }
    }

    private void copy(T from, float[] to) {
        Read<T> read = this.read;
        int n3 = this.n3;
        int p = 0;
        for (int i = 0; i < n0; i++) {
            for (int j = 0; j < n1; j++) {
                for (int k = 0; k < n2; k++, p += n3) {
                    read.row(i, j, k);
                    for (int l = 0; l < n3; l++) {
                        to[p + l] = read.get(from, i, j, k, l);
                    }
                }
            }
        }
    }

    private void put(T to) {
        Write<T> write = this.write;
        int n3 = this.n3;
        int row = 0;
        for (int i = 0; i < n0; i++) {
            for (int j = 0; j < n1; j++) {
                for (int k = 0; k < n2; k++, row++) {
                    write.row(i, j, k);
                    for (int l = 0; l < n3; l++) {
                        write.put(to, row + l, i, j, k, l);
                    }
                }
            }
        }
    }

    private float max(T from) {
        Read<T> read = this.read;
        int n3 = this.n3;
        float max = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < n0; i++) {
            for (int j = 0; j < n1; j++) {
                for (int k = 0; k < n2; k++) {
                    read.row(i, j, k);
                    for (int l = 0; l < n3; l++) {
                        float value = read.get(from, i, j, k, l);
                        if (value > max) {
                            max = value;
                        }
                    }
                }
            }
        }
        return max;
    }
}
