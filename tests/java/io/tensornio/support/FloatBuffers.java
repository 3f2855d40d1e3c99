package io.tensornio.support;

//#if buffer
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Buffers of {@code float} of every kind that {@code java.nio} has. */
public final class FloatBuffers {
    private static final ByteOrder SWAPPED = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    /** How much lies before and behind what remains, to see that it is left alone. */
    public static final int MARGIN = 3;

    /** Every kind of a buffer that can be written. */
    public static final List<String> KINDS = Collections.unmodifiableList(Arrays.asList("heap", "heap with an array offset",
        "direct", "direct, swapped", "direct, not aligned", "bytes on the heap", "bytes on the heap, swapped"));

    private FloatBuffers() {
    }

    /** Writable buffers by the name of their kind, in each of which {@code n} elements remain between margins. */
    public static Map<String, FloatBuffer> all(int n) {
        Map<String, FloatBuffer> all = new LinkedHashMap<>();
        for (String kind : KINDS) {
            all.put(kind, of(kind, n));
        }
        return all;
    }

    /** A writable buffer of one of {@link #KINDS}, in which {@code n} elements remain between margins. */
    public static FloatBuffer of(String kind, int n) {
        FloatBuffer buffer = make(kind, n + 2 * MARGIN);
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, FloatValues.OWN);
        }
        window(buffer, n);
        return buffer;
    }

    /** As {@link #of}, of a random kind. */
    public static FloatBuffer any(Random random, int n) {
        return of(KINDS.get(random.nextInt(KINDS.size())), n);
    }

    private static FloatBuffer make(String kind, int capacity) {
        switch (kind) {
            case "heap":
                return FloatBuffer.allocate(capacity);
            case "heap with an array offset":
                return FloatBuffer.wrap(new float[capacity + 7], 5, capacity).slice();
            case "direct":
                return FloatValues.view(ByteBuffer.allocateDirect(capacity * Float.BYTES).order(ByteOrder.nativeOrder()));
            case "direct, swapped":
                return FloatValues.view(ByteBuffer.allocateDirect(capacity * Float.BYTES).order(SWAPPED));
            case "direct, not aligned":
                return FloatValues.view(after(1, ByteBuffer.allocateDirect(capacity * Float.BYTES + 1)).order(ByteOrder.nativeOrder()));
            case "bytes on the heap":
                return FloatValues.view(ByteBuffer.allocate(capacity * Float.BYTES).order(ByteOrder.nativeOrder()));
            case "bytes on the heap, swapped":
                return FloatValues.view(ByteBuffer.allocate(capacity * Float.BYTES).order(SWAPPED));
            default:
                throw new AssertionError(kind);
        }
    }

    /** The same kinds holding the values of {@code from}, {@code from + 1}..., and read-only ones of the same. */
    public static Map<String, FloatBuffer> filled(int from, int n) {
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
    public static float[] withMargins(float... array) {
        float[] all = FloatValues.filled(array.length + 2 * MARGIN, FloatValues.OWN);
        System.arraycopy(array, 0, all, MARGIN, array.length);
        return all;
    }

    /** Everything in a buffer, whatever its position and limit. */
    public static float[] content(FloatBuffer buffer) {
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
