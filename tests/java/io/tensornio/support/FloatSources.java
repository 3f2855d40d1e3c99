package io.tensornio.support;

import io.tensornio.AbstractFloatTensorData;
import io.tensornio.FloatTensorData;
import java.util.ArrayList;
import java.util.List;
//#if buffer
import java.nio.FloatBuffer;
//#end

/** {@code float} data of every kind that users make of what is theirs. */
public final class FloatSources {
    /** The names of the kinds. */
    public static final List<String> KINDS = kinds();

    /** All elements, to be read and written. */
    public final FloatTensorData data;
    /** The same elements, to be read only. */
    public final FloatTensorData readOnly;
    /** Checks that nothing beside the elements was written. */
    public final Runnable checkMargins;

    private FloatSources(FloatTensorData data, FloatTensorData readOnly, Runnable checkMargins) {
        this.data = data;
        this.readOnly = readOnly;
        this.checkMargins = checkMargins;
    }

    private static List<String> kinds() {
        List<String> kinds = new ArrayList<>();
        kinds.add("array");
        kinds.add("getter");
        //#if buffer
        kinds.addAll(FloatBuffers.KINDS);
        //#end
        return kinds;
    }

    /** Data over something new of a kind. */
    public static FloatSources of(String kind, long... shape) {
        int n = 1;
        for (long size : shape) {
            n *= (int) size;
        }
        if (kind.equals("array")) {
            float[] array = FloatValues.zeros(n);
            return new FloatSources(FloatTensorData.of(array, shape), new Getter(array, shape), () -> { });
        }
        if (kind.equals("getter")) {
            float[] array = FloatValues.zeros(n);
            return new FloatSources(new Own(array, shape), new Getter(array, shape), () -> { });
        }
        //#if buffer
        FloatBuffer buffer = FloatBuffers.of(kind, n);
        int capacity = n + 2 * FloatBuffers.MARGIN;
        return new FloatSources(FloatTensorData.of(buffer, shape), FloatTensorData.of(buffer.asReadOnlyBuffer(), shape), () -> {
            buffer.clear();
            for (int i = 0; i < FloatBuffers.MARGIN; i++) {
                if (buffer.get(i) != FloatValues.OWN || buffer.get(capacity - 1 - i) != FloatValues.OWN) {
                    throw new AssertionError("written beside the elements, to a buffer: " + kind);
                }
            }
        });
        //#end
        //~boolean,string throw new AssertionError(kind);
    }

    /** Data of one's own that can only be read. */
    public static class Getter extends AbstractFloatTensorData {
        public final float[] array;
        private final long[] sizes;

        public Getter(float[] array, long... shape) {
            super(shape);
            this.array = array;
            sizes = shape.clone();
        }

        public final int at(long... indices) {
            if (indices.length != sizes.length) {
                throw new AssertionError("asked for " + indices.length + " indices");
            }
            long at = 0;
            for (int d = 0; d < sizes.length; d++) {
                if (indices[d] < 0 || indices[d] >= sizes[d]) {
                    throw new AssertionError("asked for " + java.util.Arrays.toString(indices));
                }
                at = at * sizes[d] + indices[d];
            }
            return (int) at;
        }

        @Override
        protected float getAt(long[] indices) {
            return array[at(indices)];
        }
    }

    /** Data of one's own. */
    public static final class Own extends Getter {
        public Own(float[] array, long... shape) {
            super(array, shape);
        }

        @Override
        protected void putAt(float value, long[] indices) {
            array[at(indices)] = value;
        }
    }
}
