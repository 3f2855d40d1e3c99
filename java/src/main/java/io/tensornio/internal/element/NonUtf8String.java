package io.tensornio.internal.element;

import java.util.Arrays;

/** The value of an element whose bytes are not valid UTF-8. */
public final class NonUtf8String {
    /** Not to be changed. */
    public final byte[] bytes;

    /** Keeps the array. */
    public NonUtf8String(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NonUtf8String && Arrays.equals(bytes, ((NonUtf8String) other).bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
