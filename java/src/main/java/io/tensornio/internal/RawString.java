package io.tensornio.internal;

import java.util.Arrays;

/** An element that is no text: its bytes as a value. */
final class RawString {
    /** Not to be changed. */
    final byte[] bytes;

    RawString(byte[] bytes) {
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
