package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorElements;
import io.tensornio.FloatTensorIterator;
//#if buffer
import java.nio.FloatBuffer;
//#end
import java.util.Iterator;

/** A cursor over the sub-tensors along the first axis of {@link FloatData}. */
final class FloatElementsCursor extends ElementsCursor<FloatTensorData> implements FloatTensorElements {
    private final FloatData data;

    FloatElementsCursor(FloatData data) {
        super(data);
        this.data = data;
    }

    @Override
    public FloatTensorIterator scalars() {
        FloatTensorIterator scalars = current().scalars();
        advance();
        return scalars;
    }

    @Override
    public FloatTensorElements put(float[] array) {
        targetData(array, "array").put(array, target());
        advance();
        return this;
    }

    //#if buffer
    @Override
    public FloatTensorElements put(FloatBuffer buffer) {
        targetData(buffer, "buffer").put(buffer, target());
        advance();
        return this;
    }
    //#end

    @Override
    public FloatTensorElements put(FloatTensorData tensor) {
        targetData(tensor, "tensor").put(tensor, target());
        advance();
        return this;
    }

    @Override
    public Iterator<FloatTensorData> iterator() {
        return new FloatElementsCursor(data);
    }
}
