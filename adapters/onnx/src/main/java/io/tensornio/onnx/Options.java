package io.tensornio.onnx;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * How a model is loaded. Immutable: each method gives others.
 *
 * <pre>{@code
 * OnnxModel.load(path, Options.freeze("batch", 1).andFreeze("length", 576))
 * }</pre>
 */
public final class Options {
    private static final Options DEFAULTS = new Options(Collections.emptyMap());

    private final Map<String, Long> lengths;

    private Options(Map<String, Long> lengths) {
        this.lengths = lengths;
    }

    /**
     * What holds without options: axes are as the model has them.
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
        return new Options(Collections.unmodifiableMap(all));
    }

    Map<String, Long> lengths() {
        return lengths;
    }
}
