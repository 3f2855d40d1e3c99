package io.tensornio.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was promised; where the runs that bench/README.md tells of reached more, that. */
final class Promises {
    private static final double ACCESS = 1.15;
    private static final double ACCESS_MIXED = 1.5;
    private static final double CONTIGUOUS = 1;
    private static final double CONTIGUOUS_MIXED = 1.15;
    private static final double VARARGS = 2.5;
    private static final double MAX = 1.5;
    private static final double WALK = 2.5;
    private static final double WALK_MIXED_NANOS = 2.5;
    private static final double EACH = 2;
    private static final double EACH_MIXED_NANOS = 2;
    private static final double ELEMENT_NANOS = 5;
    private static final double SLICE_NANOS = 10;
    private static final double SLICE_BY_INDEX_NANOS = 35;
    private static final double STREAM = 1.1;
    /** At least 1.6 times as fast. */
    private static final double PARALLEL = 1 / 1.6;
    private static final double EVERY_KIND_NANOS = 5;
    private static final double BULK = 1.05;
    /** Of one row, which has to be found first. */
    private static final double ROW = 1.75;
    private static final double WARM = 1.6;
    private static final double DIRECT = 1 / 4d;
    /** The size that these two are promised for. */
    private static final int PROMISED_KIB = 64 * 1024;
    private static final double SMALL_DIRECT = 1 / 3d;

    /** Times a copy of 64 MiB. */
    private static final double SPARSE_BUILD = 14;
    private static final double SPARSE_BUILD_SORTED = 4;
    private static final double SPARSE_TO_DENSE = 5;
    private static final double SPARSE_PUT = 1.75;
    private static final double SPARSE_GET = 2;
    private static final double RAGGED_PUT = 1.5;
    private static final double RAGGED_SUM = 1.1;
    private static final double RAGGED_ELEMENT_NANOS = 10;
    private static final double NESTED = 1.3;
    private static final double STRING = 2;
    private static final double RUN_NANOS = 1000;
    private static final double TINY_STEP_NANOS = 10_000;
    private static final double TINY_EVAL_NANOS = 5000;
    private static final double OPERATION_NANOS = 1000;
    private static final double NAMED_NANOS = 3000;
    private static final double NAMED_LOOP = 1.1;
    private static final double NAMED_BY_HAND = 1.05;
    private static final double TRANSPOSE_NANOS = 25;
    private static final double VIEW_NANOS = 70;
    private static final double TRANSPOSED = 1.5;
    private static final double PIECES = 1.2;

    static final int RANKS = 4;
    static final int[] MATRICES = {8, 64, 1000};
    private static final String[] SEEN = {"mono", "mixed"};
    private static final String AFTER_OTHERS = ", after other views";

    private final List<Promise> promises = new ArrayList<>();

    private Promises() {
    }

    static List<Promise> bars() {
        Promises bars = new Promises();
        bars.memory();
        bars.access();
        bars.matrix();
        bars.bulk();
        bars.walks();
        bars.slices();
        bars.streams();
        bars.kinds();
        bars.allocations();
        bars.sparse();
        bars.ragged();
        bars.nested();
        bars.strings();
        bars.comprehensions();
        bars.training();
        bars.operations();
        bars.views();
        return bars.promises;
    }

    private void atMost(double most, String what, String tensors, String against) {
        promises.add(Bar.atMost(most, what, tensors, against));
    }

    private void none(String what, String tensors, String against) {
        promises.add(Bar.none(what, tensors, against));
    }

    private void within(double nanos, String what, String tensors) {
        promises.add(Bar.within(nanos, what, tensors));
    }

    private void adds(double nanos, String what, int operations, String tensors, String against) {
        promises.add(Bar.adds(nanos, what, operations, tensors, against));
    }

    private void allocatesNothing(String what, String tensors) {
        promises.add(Bar.allocatesNothing(what, tensors));
    }

    private void comprehensions() {
        within(RUN_NANOS, "run a comprehension on 8 floats, read an element, close", "ComprehensionBench.add");
    }

    private void training() {
        within(TINY_STEP_NANOS, "a step of a graph of one weight, which is hardly more than overhead", "TrainingBench.tinyStep");
        within(TINY_EVAL_NANOS, "eval of an example by a graph of one weight, likewise", "TrainingBench.tinyEval");
    }

    private void operations() {
        within(OPERATION_NANOS, "tf.math.add of 8 floats, collections included", "OpsBench.add");
        within(NAMED_NANOS, "build x.plus(y) of 8 floats with named axes, read an element, close", "AxesBench.add");
        String distance = "AxesBench.distance";
        atMost(NAMED_LOOP, "x.minus(y).square().sum() of 64 M floats with named axes, against a loop", distance, "AxesBench.distanceLoop");
        atMost(NAMED_BY_HAND, "the same, against the comprehension", distance, "AxesBench.distanceByHand");
    }

    private void views() {
        within(TRANSPOSE_NANOS, "transpose() of a matrix", "ViewBench.transpose");
        within(VIEW_NANOS, "permute(2, 0, 1)", "ViewBench.permute");
        within(VIEW_NANOS, "reshape(64, 3)", "ViewBench.reshape");
        atMost(TRANSPOSED, "copy a transpose of 4096 x 4096 floats, against a copy of as many", "ViewBench.copyTransposed", "ViewBench.copyWhole");
        atMost(TRANSPOSED, "copy permute(2, 0, 1) of 256 x 256 x 256 floats, likewise", "ViewBench.copyPermuted", "ViewBench.copyWhole");
        atMost(PIECES, "copy a concat, against copies of its parts", "ViewBench.copyConcat", "ViewBench.copyParts");
        atMost(PIECES, "copy a transpose of it, likewise", "ViewBench.copyConcatTransposed", "ViewBench.copyPartsTransposed");
    }

    private void memory() {
        for (int kib : new int[] {64, 1024, 2048, 16384, 65536}) {
            filled(kib);
        }
        atMost(SMALL_DIRECT, "create, put one, close, 16 floats, against allocateDirect", "MemoryBench.small floats=16",
            "MemoryBench.smallDirect floats=16");
        none("create, put one, close, 1,024 floats, against allocateDirect", "MemoryBench.small floats=1024",
            "MemoryBench.smallDirect floats=1024");
    }

    private void filled(int kib) {
        boolean promised = kib == PROMISED_KIB;
        String size = kib < 1024 ? kib + " KiB" : kib / 1024 + " MiB";
        String what = "create, fill, close, " + size + ", against ";
        String tensor = "MemoryBench.filled kib=" + kib;
        String warm = "MemoryBench.warm kib=" + kib;
        String direct = "MemoryBench.direct kib=" + kib;
        atMost(promised ? WARM : Bar.NONE, what + "warm memory", tensor, warm);
        atMost(promised ? DIRECT : Bar.NONE, what + "allocateDirect", tensor, direct);
        none("create, put(float[]), close, " + size + ", against warm memory", "MemoryBench.filledInBulk kib=" + kib,
            "MemoryBench.warmInBulk kib=" + kib);
    }

    private void access() {
        for (int rank = 1; rank <= RANKS; rank++) {
            for (String pattern : patterns(rank)) {
                for (Does does : Does.values()) {
                    String what = call(does, indices(rank)) + ", " + pattern;
                    String walk = " walk=" + rank + "-" + pattern;
                    String raw = "AccessBench.raw does=" + does + walk;
                    String tensor = "AccessBench.tensor does=" + does + " seen=";
                    boolean isContiguous = pattern.equals("contiguous");
                    atMost(isContiguous ? CONTIGUOUS : ACCESS, what, tensor + "mono" + walk, raw);
                    atMost(isContiguous ? CONTIGUOUS_MIXED : ACCESS_MIXED, what + AFTER_OTHERS, tensor + "mixed" + walk, raw);
                    if (isContiguous) {
                        String varargs = "AccessBench.varargs does=" + does + " rank=" + rank + " seen=";
                        for (String seen : SEEN) {
                            atMost(VARARGS, call(does, "int[" + rank + "]") + after(seen), varargs + seen, raw);
                        }
                    }
                }
            }
        }
    }

    static String[] patterns(int rank) {
        return rank == 1 ? new String[] {"contiguous", "step2"} : new String[] {"contiguous", "step2", "transposed"};
    }

    static String indices(int rank) {
        return "ijkl".substring(0, rank).replaceAll("\\B", ", ");
    }

    static String call(Does does, String indices) {
        return does == Does.PUT ? "put(v, " + indices + ")" : "get(" + indices + (does == Does.COPY ? ") into an array" : "), the largest");
    }

    private void matrix() {
        for (String seen : SEEN) {
            for (Does does : Does.values()) {
                atMost(does == Does.MAX ? MAX : ACCESS, call(does, "i, j") + ", 1000 x 1000, against a constant stride of 1" + after(seen),
                    "ElementBench.tensor does=" + does + " seen=" + seen, "ElementBench.raw does=" + does);
            }
        }
    }

    private static String after(String seen) {
        return seen.equals("mono") ? "" : AFTER_OTHERS;
    }

    private void bulk() {
        for (int n : MATRICES) {
            atMost(BULK, bulk("get(float[])", n * n), "BulkBench.get n=" + n, "BulkBench.rawGet n=" + n);
            atMost(BULK, bulk("put(float[])", n * n), "BulkBench.put n=" + n, "BulkBench.rawPut n=" + n);
            atMost(ROW, bulk("get(float[], i)", n), "BulkBench.getRow n=" + n, "BulkBench.rawGetRow n=" + n);
            atMost(ROW, bulk("put(float[], i)", n), "BulkBench.putRow n=" + n, "BulkBench.rawPutRow n=" + n);
        }
    }

    static String bulk(String call, int elements) {
        return String.format(Locale.ROOT, "%s, %,d elements", call, elements);
    }

    private void walks() {
        for (Does does : Does.values()) {
            String raw = "WalkBench.raw does=" + does;
            for (String by : new String[] {"scalars", "each"}) {
                String tensor = "WalkBench.tensor by=" + by + " does=" + does + " seen=";
                boolean isEach = by.equals("each");
                atMost(isEach ? EACH : WALK, walk(by, does), tensor + "mono", raw);
                within(isEach ? EACH_MIXED_NANOS : WALK_MIXED_NANOS, walk(by, does) + AFTER_OTHERS, tensor + "mixed");
            }
            none(walk("each", does) + ", after other consumers and suppliers", "WalkBench.afterOthers does=" + does, raw);
        }
        for (Does does : Does.values()) {
            String elements = "WalkBench.tensor by=elements does=" + does + " seen=";
            for (String seen : SEEN) {
                adds(ELEMENT_NANOS, walk("elements", does) + ", a row" + after(seen), WalkBench.COLUMNS, elements + seen,
                    "WalkBench.tensor by=get does=" + does + " seen=" + seen);
            }
            none(walk("elements", does) + ", against a buffer", elements + "mono", "WalkBench.rawRows does=" + does);
        }
    }

    static String walk(String by, Does does) {
        String what = does == Does.COPY ? "into an array" : does == Does.PUT ? "put" : "the largest";
        return by.equals("elements") ? "elements(), rows of 16, " + what
            : by.equals("scalars") ? "scalars(), " + what
            : does == Does.PUT ? "scalars().onEach" : "scalars().forEach, " + what;
    }

    private void slices() {
        for (String seen : SEEN) {
            within(SLICE_NANOS, "slice(i) that is kept" + after(seen), "SliceBench.kept seen=" + seen);
            within(SLICE_BY_INDEX_NANOS, "slice(at(i), all(), at(j)) that is kept" + after(seen), "SliceBench.keptByIndex seen=" + seen);
        }
    }

    private void streams() {
        for (String seen : SEEN) {
            atMost(STREAM, "stream().sum(), against DoubleStream.of(double[])" + after(seen), "StreamBench.tensor seen=" + seen, "StreamBench.raw");
        }
        atMost(PARALLEL, "stream().parallel().sum(), two threads, against one", "StreamBench.parallel", "StreamBench.tensor seen=mono");
    }

    private void kinds() {
        for (Does does : Does.values()) {
            none(call(does, "i, j") + ", of(float[]), against the array", "KindBench.alone does=" + does,
                "KindBench.raw does=" + does);
            for (Kind kind : Kind.values()) {
                within(EVERY_KIND_NANOS, call(does, "i, j") + ", " + kind.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ", after every kind",
                    "KindBench.amongAll does=" + does + " kind=" + kind);
            }
        }
    }

    private void allocations() {
        for (Does does : Does.values()) {
            for (String by : new String[] {"get", "scalars", "each", "elements"}) {
                allocatesNothing("allocation: " + (by.equals("get") ? call(does, "i, j") : walk(by, does)),
                    "WalkBench.tensor by=" + by + " does=" + does + " seen=mono");
            }
            allocatesNothing("allocation: " + call(does, "int[4]"), "AccessBench.varargs does=" + does + " rank=4 seen=mono");
        }
    }

    private void sparse() {
        String matrix = "sparse 8192 x 8192, 10 M floats: ";
        atMost(SPARSE_BUILD, matrix + "from arrays, against memcpy of 64 MiB", "SparseBench.build", "rust.memcpy");
        none(matrix + "from tensors, against memcpy of 64 MiB", "SparseBench.buildOfTensors", "rust.memcpy");
        none(matrix + "from arrays, against scipy's tocsr", "SparseBench.build", "scipy.tocsr");
        atMost(SPARSE_BUILD_SORTED, matrix + "from sorted arrays, against memcpy of 64 MiB", "SparseBench.buildSorted", "rust.memcpy");
        atMost(SPARSE_TO_DENSE, matrix + "toDense(), against memcpy of 64 MiB", "SparseBench.toDense", "rust.memcpy");
        none(matrix + "toDense(), against scipy's toarray", "SparseBench.toDense", "scipy.toarray");
        atMost(SPARSE_PUT, matrix + "put(v, i, j), against from arrays", "SparseBench.put", "SparseBench.build");
        atMost(SPARSE_GET, matrix + "get(i, j), against a binary search in Rust", "SparseBench.get", "rust.find");
        none(matrix + "1,024 rows, columns permuted, to an array, against a dense tensor", "SparseBench.permuted", "SparseBench.densePermuted");
        none(matrix + "1,024 rows, half of the columns, to an array, against a dense tensor", "SparseBench.masked", "SparseBench.denseMasked");
    }

    private void ragged() {
        String rows = "ragged, 1 M rows of 0 to 19 floats: ";
        atMost(RAGGED_PUT, rows + "put(row, i), against Vec::extend in Rust", "RaggedBench.putRows", "rust.extend");
        atMost(RAGGED_SUM, rows + "sum by scalars().forEach, against a dense tensor", "RaggedBench.sum", "RaggedBench.denseSum");
        adds(RAGGED_ELEMENT_NANOS, rows + "elements(), a row, against a buffer", 1, "RaggedBench.elements", "RaggedBench.rawRows");
    }

    private void nested() {
        for (String shape : new String[] {"1000x1000", "256x256x256", "64x64x16x16x4", "8x8x8x8x8x64"}) {
            String arrays = "nested arrays, " + shape.replace("x", " x ");
            String raw = "NestedBench.raw shape=" + shape;
            atMost(NESTED, arrays + ", against FloatBuffer.put of each row", "NestedBench.tensor shape=" + shape, raw);
            none(arrays + " to a new tensor, against FloatBuffer.put of each row", "NestedBench.made shape=" + shape, raw);
        }
    }

    private void strings() {
        for (String kind : new String[] {"", "Padded"}) {
            String what = "1 M strings of 20 bytes" + (kind.isEmpty() ? "" : ", padded") + ": ";
            atMost(STRING, what + "put, against getBytes(UTF_8)", "StringBench.build" + kind, "StringBench.encode");
            atMost(STRING, what + "put(String[]), against getBytes(UTF_8)", "StringBench.build" + kind + "Bulk", "StringBench.encode");
            atMost(STRING, what + "get, against new String(UTF_8)", "StringBench.read" + kind, "StringBench.decode");
        }
        atMost(STRING, "1 M strings of 20 bytes: put, after 300,000 texts beyond Latin-1, against getBytes(UTF_8)",
            "MixedTextBench.ascii before=others", "StringBench.encode");
        none("1 M texts beyond Latin-1: put, after 300,000 of ASCII, against after their like", "MixedTextBench.others before=ascii",
            "MixedTextBench.others before=others");
        atMost(STRING, "1 M strings of 20 bytes: create(StringTensorData.of(array)), against getBytes(UTF_8)", "StringBench.buildFrom",
            "StringBench.encode");
    }
}
