package io.tensornio.internal.memory;

import io.tensornio.DataType;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Reports tensors that became unreachable without having been closed, with the stack that created them. Their memory is
 * freed anyway, only later. There is one report for each allocation site, repeated when its count has grown tenfold.
 */
public final class LeakDetector {
    private static final int SAMPLING;
    private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
    private static final Set<Record> WATCHED = ConcurrentHashMap.newKeySet();
    /** For each allocation site the number of leaks, and the number last reported; guarded by itself. */
    private static final Map<String, int[]> LEAKS = new HashMap<>();
    private static final String LIBRARY = "io.tensornio.";
    /** Packages within that of which every class is the library's. */
    private static final String[] PACKAGES = {"internal.", "axes.", "compute.", "graph.", "interop.", "kotlin.", "op.", "value."};
    /** How the classes that make tensors end in the package itself, to which callers may belong, too. */
    private static final String[] MAKERS = {"Tensor", "Tensors", "TensorData"};

    static {
        Log.hold();
        try {
            SAMPLING = Settings.leakSampling();
        } finally {
            Log.postpone();
        }
    }

    private LeakDetector() {
    }

    /** The record of a tracked tensor. */
    public static final class Record extends PhantomReference<Object> {
        private final String noun;
        private final DataType dataType;
        private final long[] shape;
        private final Throwable created;

        private Record(Object tensor, String noun, DataType dataType, long[] shape) {
            super(tensor, QUEUE);
            this.noun = noun;
            this.dataType = dataType;
            this.shape = shape;
            created = new Throwable();
        }

        /** Stops tracking: the tensor was closed. */
        public void closed() {
            WATCHED.remove(this);       // first: a record that is never removed keeps the janitor and its class loader alive
            clear();
        }
    }

    /**
     * Tracks a new tensor if leak detection is on and the tensor is sampled, at random: with every 128th, allocations
     * in a periodic loop could always be missed.
     *
     * @param tensor the tensor
     * @param dataType its element type
     * @param shape its sizes, which are not changed
     * @return the record to notify when the tensor is closed, or null
     */
    public static Record track(Object tensor, DataType dataType, long[] shape) {
        return track(tensor, "tensor", dataType, shape);
    }

    /**
     * Tracks a pin as a tensor.
     *
     * @param pin the pin
     * @param dataType the element type of what it pins
     * @param shape the sizes of that, which are not changed
     * @return the record to notify when the pin is closed, or null
     */
    public static Record trackPin(Object pin, DataType dataType, long[] shape) {
        return track(pin, "pin", dataType, shape);
    }

    private static Record track(Object tensor, String noun, DataType dataType, long[] shape) {
        if (SAMPLING == 0 || SAMPLING > 1 && ThreadLocalRandom.current().nextInt(SAMPLING) != 0) {
            return null;
        }
        report();
        Record record = new Record(tensor, noun, dataType, shape);
        WATCHED.add(record);
        Janitor.start();
        return record;
    }

    /** Whether any tensor is tracked. */
    static boolean isWatching() {
        return !WATCHED.isEmpty();
    }

    /** Reports the tracked tensors that have become unreachable. */
    static void report() {
        Map<String, Record> found = null;
        for (Reference<?> reference = QUEUE.poll(); reference != null; reference = QUEUE.poll()) {
            Record record = (Record) reference;
            if (WATCHED.remove(record)) {
                String place = placeOf(record.created);
                synchronized (LEAKS) {
                    LEAKS.computeIfAbsent(place, p -> new int[2])[0]++;
                }
                found = found == null ? new HashMap<>() : found;
                found.put(place, record);
            }
        }
        if (found != null) {
            found.forEach(LeakDetector::say);
        }
    }

    private static void say(String place, Record last) {
        int count;
        synchronized (LEAKS) {
            int[] counts = LEAKS.get(place);
            count = counts[0];
            if (counts[1] != 0 && count < 10 * counts[1]) {
                return;
            }
            counts[1] = count;
        }
        Log.log(Log.WARNING, "leak: " + count + " " + last.noun + (count == 1 ? "" : "s") + " became unreachable without close(), the last one "
            + ("pin".equals(last.noun) ? "of a tensor " : "") + last.dataType + " of shape " + Arrays.toString(last.shape)
            + (SAMPLING > 1 ? ", of 1 in " + SAMPLING + " watched" : "")
            + "; created" + place, null);
    }

    /** The stack trace without the library's own frames. */
    private static String placeOf(Throwable created) {
        StringBuilder place = new StringBuilder();
        boolean inside = true;
        for (StackTraceElement frame : created.getStackTrace()) {
            String name = frame.getClassName();
            inside = inside && name.startsWith(LIBRARY) && isLibrary(name);
            if (!inside) {
                place.append("\n    at ").append(frame);
            }
        }
        return place.toString();
    }

    /**
     * Where the caller was called by code that is not the library's, if leak detection is on.
     *
     * @return the frame, or null
     */
    public static StackTraceElement caller() {
        if (SAMPLING == 0) {
            return null;
        }
        return Arrays.stream(new Throwable().getStackTrace())
            .filter(frame -> !(frame.getClassName().startsWith(LIBRARY) && isLibrary(frame.getClassName()))).findFirst().orElse(null);
    }

    private static boolean isLibrary(String className) {
        String simple = className.substring(LIBRARY.length());
        int nested = simple.indexOf('$');
        String outer = nested < 0 ? simple : simple.substring(0, nested);
        return Arrays.stream(PACKAGES).anyMatch(outer::startsWith) || Arrays.stream(MAKERS).anyMatch(outer::endsWith);
    }
}
