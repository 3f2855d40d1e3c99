//#if buffer
package io.tensornio.internal.element;

import java.nio.FloatBuffer;

/**
 * Copies between arrays and places in a buffer, by the calls that take the place, which came with Java 13: a duplicate costs a third of copying 64
 * elements.
 */
public final class FloatBulk {
    private FloatBulk() {
    }

    /** Copies {@code n} elements from a position on to a place in an array. */
    public static void get(FloatBuffer from, int at, float[] to, int place, int n) {
        from.get(at, to, place, n);
    }

    /** Copies {@code n} elements from a place in an array on to a position. */
    public static void put(FloatBuffer to, int at, float[] from, int place, int n) {
        to.put(at, from, place, n);
    }
}
//#end
