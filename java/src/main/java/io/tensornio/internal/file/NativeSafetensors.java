package io.tensornio.internal.file;

import io.tensornio.internal.memory.NativeMemory;

/** The native method that reads headers of safetensors files; it checks all that it is given. */
final class NativeSafetensors {
    static {
        NativeMemory.load();
    }

    private NativeSafetensors() {
    }

    /**
     * Reads a header.
     *
     * @param json its text
     * @return lines: the number of entries of the metadata; each of them, key and text; then for each tensor, by its place, its key, type, shape, and
     *     where it begins and ends. All between tabs; in keys and texts \\, newline and tab are escaped
     * @throws IllegalArgumentException if it is none, a key is there twice, or tensors overlap, leave holes or have other sizes than their shapes
     */
    static native String header(String json);
}
