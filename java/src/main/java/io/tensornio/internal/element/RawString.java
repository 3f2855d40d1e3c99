package io.tensornio.internal.element;

import java.util.Arrays;

/** An element that is no text: its bytes as a value. */
public final class RawString {
    /** Not to be changed. */
    public final byte[] bytes;

    /** Keeps the array. */
    public RawString(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RawString && Arrays.equals(bytes, ((RawString) other).bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
