package io.tensornio.bench;

import static io.tensornio.bench.Promises.call;
import static io.tensornio.bench.Promises.indices;
import static io.tensornio.bench.Promises.patterns;
import static io.tensornio.bench.Promises.walk;

import java.util.ArrayList;
import java.util.List;

/** What is to take no longer than it does with TensorFlow's {@code NdArray}: less, but where all that is done is one copy. */
final class Comparisons {
    private static final double MOST = 0.75;
    private static final double COPY = 1;
    private static final String MONO = " seen=mono";

    private final List<Promise> comparisons = new ArrayList<>();

    private Comparisons() {
    }

    static List<Promise> all() {
        Comparisons all = new Comparisons();
        all.matrix();
        all.access();
        all.walks();
        all.slices();
        all.streams();
        all.bulk();
        return all.comparisons;
    }

    private void add(String what, String raw, String arrays, String ndArray, String tensors) {
        add(MOST, what, raw, arrays, ndArray, tensors);
    }

    private void add(double most, String what, String raw, String arrays, String ndArray, String tensors) {
        comparisons.add(new Comparison(most, what, raw, arrays, ndArray, tensors));
    }

    private void matrix() {
        for (Does does : Does.values()) {
            String which = " does=" + does;
            add(call(does, "i, j") + ", 1000 x 1000", "ElementBench.raw" + which, "ElementBench.arrays" + which, "ElementBench.ndArray" + which,
                "ElementBench.tensor" + which + MONO);
        }
    }

    /** The indices in an array, too: NdArray's are {@code long...} either way. */
    private void access() {
        for (int rank = 1; rank <= Promises.RANKS; rank++) {
            for (String pattern : patterns(rank)) {
                for (Does does : Does.values()) {
                    String walk = " walk=" + rank + "-" + pattern;
                    String which = " does=" + does;
                    String raw = "AccessBench.raw" + which + walk;
                    String ndArray = "AccessBench.ndArray" + which + walk;
                    add(call(does, indices(rank)) + ", " + pattern, raw, null, ndArray, "AccessBench.tensor" + which + MONO + walk);
                    if (pattern.equals("contiguous")) {
                        add(call(does, "int[" + rank + "]"), raw, null, ndArray, "AccessBench.varargs" + which + " rank=" + rank + MONO);
                    }
                }
            }
        }
    }

    private void walks() {
        for (String by : new String[] {"scalars", "each", "elements"}) {
            for (Does does : Does.values()) {
                String which = " does=" + does;
                add(walk(by, does), "WalkBench." + (by.equals("elements") ? "rawRows" : "raw") + which, "WalkBench.arrays" + which,
                    "WalkBench.ndArray by=" + by + which, "WalkBench.tensor by=" + by + which + MONO);
            }
        }
    }

    private void slices() {
        add("slice(i) that is kept", null, null, "SliceBench.ndArrayKept", "SliceBench.kept" + MONO);
        add("slice(i).get(j)", null, null, "SliceBench.ndArrayUsed", "SliceBench.used" + MONO);
        add("slice(at(i), all(), at(j)) that is kept", null, null, "SliceBench.ndArrayKeptByIndex", "SliceBench.keptByIndex" + MONO);
    }

    private void streams() {
        add("stream().sum() of doubles", "StreamBench.raw", null, "StreamBench.ndArray", "StreamBench.doubles");
    }

    private void bulk() {
        for (int n : Promises.MATRICES) {
            String size = " n=" + n;
            add(COPY, Promises.bulk("get(float[])", n * n), "BulkBench.rawGet" + size, "BulkBench.arraysGet" + size, "BulkBench.ndArrayGet" + size,
                "BulkBench.get" + size);
            add(COPY, Promises.bulk("put(float[])", n * n), "BulkBench.rawPut" + size, "BulkBench.arraysPut" + size, "BulkBench.ndArrayPut" + size,
                "BulkBench.put" + size);
            add(Promises.bulk("put(data.slice(i), j)", n), "RowCopyBench.raw" + size, "RowCopyBench.arrays" + size, "RowCopyBench.ndArray" + size,
                "RowCopyBench.tensor" + size);
        }
    }
}
