package io.tensornio.internal.graph;

import io.tensornio.internal.memory.NativeMemory;

/** The native method that reads headers of safetensors files; it checks all that it is given. */
final class NativeCheckpoint {
    static {
        NativeMemory.load();
    }

    private NativeCheckpoint() {
    }

    /**
     * Reads a header.
     *
     * @param json its text
     * @return lines: the number of steps and the rule in its metadata, empty if there are none, and the number of names, between tabs; for each name
     *     its key and itself, in which \\, newline and tab are escaped, between tabs; then for each tensor, by its place, its key, type, shape, and
     *     where it begins and ends, between tabs
     * @throws IllegalArgumentException if it is none, a key is there twice, or tensors overlap, leave holes or have other sizes than their shapes
     */
    static native String header(String json);
}
