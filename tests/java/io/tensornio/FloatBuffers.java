package io.tensornio;

//#if buffer
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/** Buffers of {@code float} of every kind that {@code java.nio} has. */
final class FloatBuffers {
    private static final ByteOrder SWAPPED = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    /** How much lies before and behind what remains, to see that it is left alone. */
    static final int MARGIN = 3;

    private FloatBuffers() {
    }

    /** Writable buffers by the name of their kind, in each of which {@code n} elements remain between margins. */
    static Map<String, FloatBuffer> all(int n) {
        int capacity = n + 2 * MARGIN;
        Map<String, FloatBuffer> all = new LinkedHashMap<>();
        all.put("heap", FloatBuffer.allocate(capacity));
        all.put("heap with an array offset", FloatBuffer.wrap(new float[capacity + 7], 5, capacity).slice());
        all.put("direct", FloatValues.view(ByteBuffer.allocateDirect(capacity * Float.BYTES).order(ByteOrder.nativeOrder())));
        all.put("direct, swapped", FloatValues.view(ByteBuffer.allocateDirect(capacity * Float.BYTES).order(SWAPPED)));
        all.put("direct, not aligned", FloatValues.view(after(1, ByteBuffer.allocateDirect(capacity * Float.BYTES + 1)).order(ByteOrder.nativeOrder())));
        all.put("bytes on the heap", FloatValues.view(ByteBuffer.allocate(capacity * Float.BYTES).order(ByteOrder.nativeOrder())));
        all.put("bytes on the heap, swapped", FloatValues.view(ByteBuffer.allocate(capacity * Float.BYTES).order(SWAPPED)));
        for (FloatBuffer buffer : all.values()) {
            for (int i = 0; i < capacity; i++) {
                buffer.put(i, FloatValues.OWN);
            }
            window(buffer, n);
        }
        return all;
    }

    /** The same kinds holding the values of {@code from}, {@code from + 1}..., and read-only ones of the same. */
    static Map<String, FloatBuffer> filled(int from, int n) {
        Map<String, FloatBuffer> all = new LinkedHashMap<>();
        all(n).forEach((kind, buffer) -> {
            for (int i = 0; i < n; i++) {
                buffer.put(MARGIN + i, FloatValues.of(from + i));
            }
            all.put(kind, buffer);
            all.put(kind + ", read-only", buffer.asReadOnlyBuffer());
        });
        return all;
    }

    /** The buffer that one of {@link #all} should be after {@code array} was written to what remained. */
    static float[] withMargins(float... array) {
        float[] all = FloatValues.filled(array.length + 2 * MARGIN, FloatValues.OWN);
        System.arraycopy(array, 0, all, MARGIN, array.length);
        return all;
    }

    /** Everything in a buffer, whatever its position and limit. */
    static float[] content(FloatBuffer buffer) {
        float[] all = new float[buffer.capacity()];
        FloatBuffer whole = buffer.duplicate();
        whole.clear();
        for (int i = 0; i < all.length; i++) {
            all[i] = whole.get(i);
        }
        return all;
    }

    private static void window(FloatBuffer buffer, int n) {
        buffer.limit(MARGIN + n);
        buffer.position(MARGIN);
    }

    private static ByteBuffer after(int n, ByteBuffer bytes) {
        bytes.position(n);
        return bytes.slice();
    }
}
//#end
