package io.tensornio.bench;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** A benchmark, the one that it is held against if there is one, and how much it may take. */
final class Bar implements Promise {
    /** More than which nothing is. */
    static final double NONE = Double.POSITIVE_INFINITY;
    static final String[] COLUMNS = {"what", "tensors", "against", "measure", "bar"};
    /** What stands for nothing: a few objects for all elements together, or those of the profiler, are less. */
    private static final double NO_BYTES = 0.01;

    private final Kind kind;
    private final String what;
    /** The benchmarks, as {@link Results} names them. */
    private final String tensors;
    /** Null if the bar is absolute. */
    private final String against;
    /** How many operations of the benchmarks the table takes as one. */
    private final int operations;
    /** The most that the measure may be; infinite if nothing was promised. */
    private final double most;

    private Bar(Kind kind, double most, String what, String tensors, String against, int operations) {
        this.kind = kind;
        this.what = what;
        this.tensors = tensors;
        this.against = against;
        this.operations = operations;
        this.most = most;
    }

    /** The time may be so many times that of the other. */
    static Bar atMost(double most, String what, String tensors, String against) {
        return new Bar(Kind.RATIO, most, what, tensors, against, 1);
    }

    /** The ratio of times, of which nothing is promised. */
    static Bar none(String what, String tensors, String against) {
        return atMost(NONE, what, tensors, against);
    }

    /** An operation may take so long. */
    static Bar within(double nanos, String what, String tensors) {
        return new Bar(Kind.TIME, nanos, what, tensors, null, 1);
    }

    /** So many operations may take so much longer than as many others. */
    static Bar adds(double nanos, String what, int operations, String tensors, String against) {
        return new Bar(Kind.MORE, nanos, what, tensors, against, operations);
    }

    /** An operation may not allocate. */
    static Bar allocatesNothing(String what, String tensors) {
        return new Bar(Kind.BYTES, NO_BYTES, what, tensors, null, 1);
    }

    @Override
    public List<String> benchmarks() {
        return against == null ? Collections.singletonList(tensors) : Arrays.asList(against, tensors);
    }

    /** Held against something that only Python has. */
    @Override
    public boolean isOptional() {
        return against != null && against.startsWith("scipy.");
    }

    @Override
    public Row row(Results results) {
        double ours = results.nanos(tensors) * operations;
        double theirs = against == null ? 0 : results.nanos(against) * operations;
        double measure = kind == Kind.RATIO ? results.compare(tensors, against, (a, b) -> a / b)
            : kind == Kind.MORE ? results.compare(tensors, against, (a, b) -> a - b) * operations
            : kind == Kind.TIME ? ours : results.bytes(tensors);
        String[] cells = {what, Results.time(ours), against == null ? "" : Results.time(theirs), kind.text("%.3f", measure), kind.text("%.2f", most)};
        if (most < NONE) {
            return Row.judged(measure <= most, cells);
        }
        cells[cells.length - 1] = "";
        return Row.told(cells);
    }

    @Override
    public String toString() {
        return against == null ? tensors : tensors + " against " + against;
    }

    private enum Kind {
        RATIO("x"), TIME(" ns"), MORE(" ns more"), BYTES(" bytes");

        private final String unit;

        Kind(String unit) {
            this.unit = unit;
        }

        String text(String format, double measure) {
            return String.format(Locale.ROOT, format, measure) + unit;
        }
    }
}
