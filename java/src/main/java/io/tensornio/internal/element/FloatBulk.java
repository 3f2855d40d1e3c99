//#if buffer
package io.tensornio.internal.element;

import java.nio.FloatBuffer;

/** Copies between arrays and places in a buffer that is not moved. From Java 13 on another class of this name, in java13, does it faster. */
public final class FloatBulk {
    private FloatBulk() {
    }

    /** Copies {@code n} elements from a position on to a place in an array. */
    public static void get(FloatBuffer from, int at, float[] to, int place, int n) {
        FloatBuffer start = from.duplicate();
        start.position(at);
        start.get(to, place, n);
    }

    /** Copies {@code n} elements from a place in an array on to a position. */
    public static void put(FloatBuffer to, int at, float[] from, int place, int n) {
        FloatBuffer start = to.duplicate();
        start.position(at);
        start.put(from, place, n);
    }
}
//#end
