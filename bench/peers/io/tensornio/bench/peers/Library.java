package io.tensornio.bench.peers;

/** A library that computes at once, with its operands: vectors, the same as rows of up to 256, and a square matrix. */
abstract class Library implements AutoCloseable {
    static final float X = 0.5f;
    static final float Y = 2;
    private static final int LONGEST_ROW = 256;
    private static final int LARGEST_SIDE = 1024;

    /** How many floats there are, and in each row. */
    final int size;
    final int row;
    /** Of the square matrix. */
    final int side;

    Library(int size) {
        this.size = size;
        row = Math.min(size, LONGEST_ROW);
        side = Math.min(LARGEST_SIDE, (int) Math.sqrt(size));
    }

    /**
     * What computes once and drops the result, as users of the library are told to.
     *
     * @param operation one of those of {@link PeersBench}
     */
    abstract Runnable call(String operation);

    final IllegalArgumentException unknown(String operation) {
        return new IllegalArgumentException("no operation is named " + operation);
    }

    @Override
    public abstract void close();
}
