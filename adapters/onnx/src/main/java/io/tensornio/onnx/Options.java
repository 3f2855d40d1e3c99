package io.tensornio.onnx;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * How a model is loaded and run. Immutable: each method gives others.
 *
 * <pre>{@code
 * OnnxModel.load(path, Options.freeze("batch", 1).andFreeze("length", 576).threads(2))
 * }</pre>
 */
public final class Options {
    private static final Options DEFAULTS = new Options(Collections.emptyMap(), 0);

    private final Map<String, Long> lengths;
    private final int threads;

    private Options(Map<String, Long> lengths, int threads) {
        this.lengths = lengths;
        this.threads = threads;
    }

    /**
     * What holds without options: axes are as the model has them, and a run has all threads of the library.
     *
     * @return the options
     */
    public static Options defaults() {
        return DEFAULTS;
    }

    /**
     * Fixes the length of the axes of a name.
     *
     * @param axis a name that the model gives to axes of its inputs
     * @param length their length from now on
     * @return options
     * @throws IllegalArgumentException if the length is negative
     */
    public static Options freeze(String axis, long length) {
        return DEFAULTS.andFreeze(axis, length);
    }

    /**
     * Fixes the length of the axes of one more name.
     *
     * @param axis a name that the model gives to axes of its inputs
     * @param length their length from now on
     * @return options
     * @throws IllegalArgumentException if the length is negative
     */
    public Options andFreeze(String axis, long length) {
        if (length < 0) {
            throw new IllegalArgumentException("axis `" + axis + "` cannot be " + length + " long");
        }
        Map<String, Long> all = new LinkedHashMap<>(lengths);
        all.put(Objects.requireNonNull(axis, "axis"), length);
        return new Options(Collections.unmodifiableMap(all), threads);
    }

    /**
     * Limits the threads that compute a run, so that several runs at once do not disturb each other. The results are the same.
     *
     * @param most how many, the one that calls {@code run} included; where the library has fewer, see {@code tensornio.threads}, as many as it has
     * @return options
     * @throws IllegalArgumentException if it is not positive
     */
    public Options threads(int most) {
        if (most <= 0) {
            throw new IllegalArgumentException("a run takes at least one thread, not " + most);
        }
        return new Options(lengths, most);
    }

    Map<String, Long> lengths() {
        return lengths;
    }

    /** How many threads compute a run at most; 0 for all. */
    int threads() {
        return threads;
    }
}
