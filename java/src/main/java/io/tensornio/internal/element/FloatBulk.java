//#if buffer
package io.tensornio.internal.element;

import java.nio.FloatBuffer;

/** Absolute bulk copies between arrays and buffers. From Java 13 on it is replaced by the class of this name in java13, which is faster. */
public final class FloatBulk {
    private FloatBulk() {
    }

    /** Copies {@code n} elements from index {@code at} of a buffer to index {@code place} of an array. */
    public static void get(FloatBuffer from, int at, float[] to, int place, int n) {
        FloatBuffer start = from.duplicate();
        start.position(at);
        start.get(to, place, n);
    }

    /** Copies {@code n} elements from index {@code place} of an array to index {@code at} of a buffer. */
    public static void put(FloatBuffer to, int at, float[] from, int place, int n) {
        FloatBuffer start = to.duplicate();
        start.position(at);
        start.put(from, place, n);
    }
}
//#end
