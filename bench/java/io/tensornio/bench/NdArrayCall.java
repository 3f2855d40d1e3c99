package io.tensornio.bench;

import io.tensornio.FloatTensorData;
import org.tensorflow.ndarray.FloatNdArray;

/** A {@link Call} on an {@code NdArray}, which it holds: the data that the loops hand on is null. Its get and put are {@code long...} at any rank. */
abstract class NdArrayCall extends Call {
    final FloatNdArray array;

    private NdArrayCall(FloatNdArray array) {
        this.array = array;
    }

    static Call on(FloatNdArray array, boolean transposed) {
        switch (array.shape().numDimensions()) {        // no other class is loaded
            case 1:
                return new Rank1(array);
            case 2:
                return transposed ? new Rank2Transposed(array) : new Rank2(array);
            case 3:
                return transposed ? new Rank3Transposed(array) : new Rank3(array);
            default:
                return transposed ? new Rank4Transposed(array) : new Rank4(array);
        }
    }

    private static final class Rank1 extends NdArrayCall {
        Rank1(FloatNdArray array) {
            super(array);
        }

        @Override
        float get(FloatTensorData none, int i, int j, int k, int l) {
            return array.getFloat(l);
        }

        @Override
        void put(FloatTensorData none, float v, int i, int j, int k, int l) {
            array.setFloat(v, l);
        }
    }

    private static final class Rank2 extends NdArrayCall {
        Rank2(FloatNdArray array) {
            super(array);
        }

        @Override
        float get(FloatTensorData none, int i, int j, int k, int l) {
            return array.getFloat(k, l);
        }

        @Override
        void put(FloatTensorData none, float v, int i, int j, int k, int l) {
            array.setFloat(v, k, l);
        }
    }

    private static final class Rank2Transposed extends NdArrayCall {
        Rank2Transposed(FloatNdArray array) {
            super(array);
        }

        @Override
        float get(FloatTensorData none, int i, int j, int k, int l) {
            return array.getFloat(l, k);
        }

        @Override
        void put(FloatTensorData none, float v, int i, int j, int k, int l) {
            array.setFloat(v, l, k);
        }
    }

    private static final class Rank3 extends NdArrayCall {
        Rank3(FloatNdArray array) {
            super(array);
        }

        @Override
        float get(FloatTensorData none, int i, int j, int k, int l) {
            return array.getFloat(j, k, l);
        }

        @Override
        void put(FloatTensorData none, float v, int i, int j, int k, int l) {
            array.setFloat(v, j, k, l);
        }
    }

    private static final class Rank3Transposed extends NdArrayCall {
        Rank3Transposed(FloatNdArray array) {
            super(array);
        }

        @Override
        float get(FloatTensorData none, int i, int j, int k, int l) {
            return array.getFloat(l, k, j);
        }

        @Override
        void put(FloatTensorData none, float v, int i, int j, int k, int l) {
            array.setFloat(v, l, k, j);
        }
    }

    private static final class Rank4 extends NdArrayCall {
        Rank4(FloatNdArray array) {
            super(array);
        }

        @Override
        float get(FloatTensorData none, int i, int j, int k, int l) {
            return array.getFloat(i, j, k, l);
        }

        @Override
        void put(FloatTensorData none, float v, int i, int j, int k, int l) {
            array.setFloat(v, i, j, k, l);
        }
    }

    private static final class Rank4Transposed extends NdArrayCall {
        Rank4Transposed(FloatNdArray array) {
            super(array);
        }

        @Override
        float get(FloatTensorData none, int i, int j, int k, int l) {
            return array.getFloat(l, k, j, i);
        }

        @Override
        void put(FloatTensorData none, float v, int i, int j, int k, int l) {
            array.setFloat(v, l, k, j, i);
        }
    }
}
