package io.tensornio.bench;

import io.tensornio.FloatTensorData;

/** The get or put inside of four loops, of which a lower rank uses the innermost. A fork has one, so that it is compiled into the loop. */
abstract class Call {
    static Call of(int rank, boolean transposed) {
        switch (rank) {         // no other class is loaded
            case 1:
                return new Rank1();
            case 2:
                return transposed ? new Rank2Transposed() : new Rank2();
            case 3:
                return transposed ? new Rank3Transposed() : new Rank3();
            default:
                return transposed ? new Rank4Transposed() : new Rank4();
        }
    }

    /** What a user does before the innermost loop. */
    void row(int i, int j, int k) {
    }

    abstract float get(FloatTensorData from, int i, int j, int k, int l);

    abstract void put(FloatTensorData to, float v, int i, int j, int k, int l);

    private static final class Rank1 extends Call {
        @Override
        float get(FloatTensorData from, int i, int j, int k, int l) {
            return from.get(l);
        }

        @Override
        void put(FloatTensorData to, float v, int i, int j, int k, int l) {
            to.put(v, l);
        }
    }

    private static final class Rank2 extends Call {
        @Override
        float get(FloatTensorData from, int i, int j, int k, int l) {
            return from.get(k, l);
        }

        @Override
        void put(FloatTensorData to, float v, int i, int j, int k, int l) {
            to.put(v, k, l);
        }
    }

    private static final class Rank2Transposed extends Call {
        @Override
        float get(FloatTensorData from, int i, int j, int k, int l) {
            return from.get(l, k);
        }

        @Override
        void put(FloatTensorData to, float v, int i, int j, int k, int l) {
            to.put(v, l, k);
        }
    }

    private static final class Rank3 extends Call {
        @Override
        float get(FloatTensorData from, int i, int j, int k, int l) {
            return from.get(j, k, l);
        }

        @Override
        void put(FloatTensorData to, float v, int i, int j, int k, int l) {
            to.put(v, j, k, l);
        }
    }

    private static final class Rank3Transposed extends Call {
        @Override
        float get(FloatTensorData from, int i, int j, int k, int l) {
            return from.get(l, k, j);
        }

        @Override
        void put(FloatTensorData to, float v, int i, int j, int k, int l) {
            to.put(v, l, k, j);
        }
    }

    private static final class Rank4 extends Call {
        @Override
        float get(FloatTensorData from, int i, int j, int k, int l) {
            return from.get(i, j, k, l);
        }

        @Override
        void put(FloatTensorData to, float v, int i, int j, int k, int l) {
            to.put(v, i, j, k, l);
        }
    }

    private static final class Rank4Transposed extends Call {
        @Override
        float get(FloatTensorData from, int i, int j, int k, int l) {
            return from.get(l, k, j, i);
        }

        @Override
        void put(FloatTensorData to, float v, int i, int j, int k, int l) {
            to.put(v, l, k, j, i);
        }
    }

    /** The indices in an array that is used again. */
    static final class Varargs extends Call {
        private static final int LOOPS = 4;
        private final int[] index;

        Varargs(int rank) {
            index = new int[rank];
        }

        @Override
        void row(int i, int j, int k) {
            int rank = index.length;
            if (rank >= 2) {
                index[rank - 2] = k;
            }
            if (rank >= 3) {
                index[rank - 3] = j;
            }
            if (rank == LOOPS) {
                index[0] = i;
            }
        }

        @Override
        float get(FloatTensorData from, int i, int j, int k, int l) {
            int[] index = this.index;
            index[index.length - 1] = l;
            return from.get(index);
        }

        @Override
        void put(FloatTensorData to, float v, int i, int j, int k, int l) {
            int[] index = this.index;
            index[index.length - 1] = l;
            to.put(v, index);
        }
    }
}
