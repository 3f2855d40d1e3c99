package io.tensornio;

//#if buffer
import java.nio.FloatBuffer;
//#end

/** Data whose elements are accessed by way of a view of them, which the library made. */
abstract class FloatForwarding extends AbstractTensorData<FloatTensorData> implements FloatTensorData {
    /** Data of a shape that the caller may keep, and may not change. */
    FloatForwarding(long... shape) {
        super(shape);
    }

    @Override
    public float get() {
        return whole().get();
    }

    @Override
    public float get(int i) {
        return whole().get(i);
    }

    @Override
    public float get(int i, int j) {
        return whole().get(i, j);
    }

    @Override
    public float get(int i, int j, int k) {
        return whole().get(i, j, k);
    }

    @Override
    public float get(int i, int j, int k, int l) {
        return whole().get(i, j, k, l);
    }

    @Override
    public float get(int... indices) {
        return whole().get(indices);
    }

    @Override
    public void put(float value) {
        whole().put(value);
    }

    @Override
    public void put(float value, int i) {
        whole().put(value, i);
    }

    @Override
    public void put(float value, int i, int j) {
        whole().put(value, i, j);
    }

    @Override
    public void put(float value, int i, int j, int k) {
        whole().put(value, i, j, k);
    }

    @Override
    public void put(float value, int i, int j, int k, int l) {
        whole().put(value, i, j, k, l);
    }

    @Override
    public void put(float value, int... indices) {
        whole().put(value, indices);
    }

    @Override
    public void get(float[] array, int... indices) {
        whole().get(array, indices);
    }

    @Override
    public void put(float[] array, int... indices) {
        whole().put(array, indices);
    }

    //#if buffer
    @Override
    public void get(FloatBuffer buffer, int... indices) {
        whole().get(buffer, indices);
    }

    @Override
    public void put(FloatBuffer buffer, int... indices) {
        whole().put(buffer, indices);
    }
    //#end

    @Override
    public void get(FloatTensorData tensor, int... indices) {
        whole().get(tensor, indices);
    }

    @Override
    public void put(FloatTensorData tensor, int... indices) {
        whole().put(tensor, indices);
    }

    @Override
    public FloatTensorIterator scalars() {
        return whole().scalars();
    }

    @Override
    public FloatTensorElements elements() {
        return whole().elements();
    }
}
