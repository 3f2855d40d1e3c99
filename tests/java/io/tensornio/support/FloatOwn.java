package io.tensornio.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AbstractFloatTensorData;

/** A user's own {@code float} data, writable: elements in an array, in row-major order from a place on. Checks what it is asked for. */
public class FloatOwn extends AbstractFloatTensorData {
    public final float[] values;
    private final int from;
    private final long[] sizes;
    public int reads;
    public int writes;

    public FloatOwn(float[] values, int from, long... shape) {
        super(shape);
        this.values = values;
        this.from = from;
        sizes = shape.clone();
    }

    /** Data of new elements. */
    public static FloatOwn of(long... shape) {
        long n = 1;
        for (long size : shape) {
            n *= size;
        }
        return new FloatOwn(FloatValues.zeros((int) n), 0, shape);
    }

    private int at(long... indices) {
        assertEquals(sizes.length, indices.length);
        long at = 0;
        for (int d = 0; d < sizes.length; d++) {
            assertTrue(indices[d] >= 0 && indices[d] < sizes[d], "outside of the shape");
            at = at * sizes[d] + indices[d];
            indices[d] = Long.MIN_VALUE;            // the array is ours
        }
        return from + (int) at;
    }

    @Override
    protected float getAt(long[] indices) {
        reads++;
        return values[at(indices)];
    }

    @Override
    protected void putAt(float value, long[] indices) {
        writes++;
        values[at(indices)] = value;
    }
}
