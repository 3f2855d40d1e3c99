//#if buffer
package io.tensornio.internal;

import java.nio.FloatBuffer;

/** Copies between arrays and places in a buffer that is not moved. From Java 13 on another class of this name, in java13, does it faster. */
final class FloatBulk {
    private FloatBulk() {
    }

    /** Copies {@code n} elements from a position on to the start of an array. */
    static void get(FloatBuffer from, int at, float[] to, int n) {
        FloatBuffer start = from.duplicate();
        start.position(at);
        start.get(to, 0, n);
    }

    /** Copies an array to a position. */
    static void put(FloatBuffer to, int at, float[] from) {
        FloatBuffer start = to.duplicate();
        start.position(at);
        start.put(from, 0, from.length);
    }
}
//#end
