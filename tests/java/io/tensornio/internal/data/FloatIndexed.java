package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.internal.layout.FourIndices;

/**
 * {@code float} data whose {@code get}, {@code put} and {@code slice} for each number of indices delegate to a general
 * form. Subclasses override those for which they have a faster way.
 */
public abstract class FloatIndexed implements FloatTensorData {
    FloatIndexed() {
    }

    /** The element at the first {@code n} of four indices. */
    float getBy(int n, int i, int j, int k, int l) {
        return get(FourIndices.array(n, i, j, k, l));
    }

    /** Writes the element at the first {@code n} of four indices. */
    void putBy(float value, int n, int i, int j, int k, int l) {
        put(value, FourIndices.array(n, i, j, k, l));
    }

    @Override
    public float get() {
        return getBy(0, 0, 0, 0, 0);
    }

    @Override
    public float get(int i) {
        return getBy(1, i, 0, 0, 0);
    }

    @Override
    public float get(int i, int j) {
        return getBy(2, i, j, 0, 0);
    }

    @Override
    public float get(int i, int j, int k) {
        return getBy(3, i, j, k, 0);
    }

    @Override
    public float get(int i, int j, int k, int l) {
        return getBy(4, i, j, k, l);
    }

    @Override
    public void put(float value) {
        putBy(value, 0, 0, 0, 0, 0);
    }

    @Override
    public void put(float value, int i) {
        putBy(value, 1, i, 0, 0, 0);
    }

    @Override
    public void put(float value, int i, int j) {
        putBy(value, 2, i, j, 0, 0);
    }

    @Override
    public void put(float value, int i, int j, int k) {
        putBy(value, 3, i, j, k, 0);
    }

    @Override
    public void put(float value, int i, int j, int k, int l) {
        putBy(value, 4, i, j, k, l);
    }

    @Override
    public abstract FloatTensorData slice(int... indices);

    @Override
    public FloatTensorData slice(int i) {
        return slice(new int[] {i});
    }

    @Override
    public FloatTensorData slice(int i, int j) {
        return slice(new int[] {i, j});
    }

    @Override
    public FloatTensorData slice(int i, int j, int k) {
        return slice(new int[] {i, j, k});
    }

    @Override
    public FloatTensorData slice(int i, int j, int k, int l) {
        return slice(new int[] {i, j, k, l});
    }
}
