package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;

/**
 * {@code float} data that takes indices as an array: {@code get}, {@code put} and {@code slice} of each number of indices are those of an array of
 * as many. What has a shorter way for some number overrides it.
 */
public abstract class FloatIndexed implements FloatTensorData {
    FloatIndexed() {
    }

    /** {@link #get(int...)} of an array that nobody else has. */
    float getOwn(int... own) {
        return get(own);
    }

    /** {@link #put(float, int...)} at an array that nobody else has. */
    void putOwn(float value, int... own) {
        put(value, own);
    }

    @Override
    public float get() {
        return getOwn(new int[0]);
    }

    @Override
    public float get(int i) {
        return getOwn(new int[] {i});
    }

    @Override
    public float get(int i, int j) {
        return getOwn(new int[] {i, j});
    }

    @Override
    public float get(int i, int j, int k) {
        return getOwn(new int[] {i, j, k});
    }

    @Override
    public float get(int i, int j, int k, int l) {
        return getOwn(new int[] {i, j, k, l});
    }

    @Override
    public void put(float value) {
        putOwn(value, new int[0]);
    }

    @Override
    public void put(float value, int i) {
        putOwn(value, new int[] {i});
    }

    @Override
    public void put(float value, int i, int j) {
        putOwn(value, new int[] {i, j});
    }

    @Override
    public void put(float value, int i, int j, int k) {
        putOwn(value, new int[] {i, j, k});
    }

    @Override
    public void put(float value, int i, int j, int k, int l) {
        putOwn(value, new int[] {i, j, k, l});
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
