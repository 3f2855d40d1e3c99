package io.tensornio.bench;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The same over a buffer, nested arrays, an {@code NdArray} and a tensor, which is held against the {@code NdArray}. */
final class Comparison implements Promise {
    static final String[] COLUMNS = {"what", "buffer", "float[][]", "NdArray", "tensors", "of NdArray", "bar"};

    private final String what;
    /** Null where there is no such thing. */
    private final String raw;
    private final String arrays;
    private final String ndArray;
    private final String tensors;
    private final double most;

    /** The tensor may take {@code most} times as long as the {@code NdArray}. */
    Comparison(double most, String what, String raw, String arrays, String ndArray, String tensors) {
        this.most = most;
        this.what = what;
        this.raw = raw;
        this.arrays = arrays;
        this.ndArray = ndArray;
        this.tensors = tensors;
    }

    @Override
    public List<String> benchmarks() {
        return Stream.of(raw, arrays, ndArray, tensors).filter(Objects::nonNull).collect(Collectors.toList());
    }

    @Override
    public Row row(Results results) {
        double ratio = results.compare(tensors, ndArray, (a, b) -> a / b);
        return Row.judged(ratio <= most, what, time(results, raw), time(results, arrays), time(results, ndArray), time(results, tensors),
            String.format(Locale.ROOT, "%.2fx", ratio), String.format(Locale.ROOT, "%.2fx", most));
    }

    private static String time(Results results, String benchmark) {
        return benchmark == null ? "" : Results.time(results.nanos(benchmark));
    }

    @Override
    public String toString() {
        return tensors + " against " + ndArray;
    }
}
