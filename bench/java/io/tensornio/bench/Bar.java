package io.tensornio.bench;

import java.util.Locale;
import java.util.Map;

/** A benchmark, the one that it is held against, and how often as long it may take. */
final class Bar {
    private final String what;
    /** The benchmarks, as {@link Bars} names them. */
    private final String tensors;
    private final String against;
    /** The most that the ratio may be; infinite if nothing was promised. */
    private final double most;

    private Bar(String what, String tensors, String against, double most) {
        this.what = what;
        this.tensors = tensors;
        this.against = against;
        this.most = most;
    }

    static Bar atMost(double most, String what, String tensors, String against) {
        return new Bar(what, tensors, against, most);
    }

    static Bar none(String what, String tensors, String against) {
        return new Bar(what, tensors, against, Double.POSITIVE_INFINITY);
    }

    boolean isMeasured(Map<String, Double> nanos) {
        return nanos.containsKey(tensors) && nanos.containsKey(against);
    }

    Row row(Map<String, Double> nanos) {
        double ratio = nanos.get(tensors) / nanos.get(against);
        boolean promised = most < Double.POSITIVE_INFINITY;
        return new Row(what, time(nanos.get(tensors)), time(nanos.get(against)), String.format(Locale.ROOT, "%.3f", ratio), promised ? String.format(Locale.ROOT, "%.2f", most) : "",
            !promised ? "" : ratio <= most ? Row.PASS : Row.MISS);
    }

    private static String time(double nanos) {
        return nanos < 10 ? String.format(Locale.ROOT, "%.3f ns", nanos)
            : nanos < 1e4 ? String.format(Locale.ROOT, "%.1f ns", nanos)
            : nanos < 1e6 ? String.format(Locale.ROOT, "%.1f us", nanos / 1e3)
            : String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
    }

    @Override
    public String toString() {
        return tensors + " against " + against;
    }
}
