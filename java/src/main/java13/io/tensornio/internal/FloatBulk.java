//#if buffer
package io.tensornio.internal;

import java.nio.FloatBuffer;

/** Copies between arrays and places in a buffer, by the calls that take the place, which came with Java 13: a duplicate costs a third of copying 64 elements. */
final class FloatBulk {
    private FloatBulk() {
    }

    /** Copies {@code n} elements from a position on to the start of an array. */
    static void get(FloatBuffer from, int at, float[] to, int n) {
        from.get(at, to, 0, n);
    }

    /** Copies an array to a position. */
    static void put(FloatBuffer to, int at, float[] from) {
        to.put(at, from, 0, from.length);
    }
}
//#end
