package io.tensornio.onnx;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * How a model is loaded. Immutable: each method gives others.
 *
 * <pre>{@code
 * OnnxModel.load(path, Options.freeze("batch", 1).threads(2))
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
     * What holds without options: axes are as the model has them, and as many threads compute as the library has.
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
     * Limits how many threads compute one run at most.
     *
     * @param most 1 or more; never more than the library has, see the property {@code tensornio.threads}
     * @return options
     * @throws IllegalArgumentException if it is less than 1
     */
    public Options threads(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("a run needs a thread at least, not " + most);
        }
        return new Options(lengths, most);
    }

    Map<String, Long> lengths() {
        return lengths;
    }

    int threads() {
        return threads;
    }
}
