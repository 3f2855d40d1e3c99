package io.tensornio.internal.memory;

import java.lang.reflect.Method;
import java.util.Locale;

/** The system properties that the library reads, once, when it is first used. */
final class Settings {
    /** The memory budget of all tensors: bytes, or with the suffix k, m or g. */
    static final String MAX_MEMORY = "tensornio.maxMemory";
    /** Which tensors to report if nobody closes them: {@code off}, {@code sampled} or {@code all}. */
    static final String LEAK_DETECTION = "tensornio.leakDetection";

    /** Whether pages of closed tensors may be moved to the next ones: {@code on} or {@code off}. */
    static final String MOVE_PAGES = "tensornio.movePages";
    /** The most bytes that one buffer of the library's has. Smaller than the default in tests alone: larger tensors have several buffers. */
    static final String LARGEST_BUFFER = "tensornio.largestBuffer";
    /** How many threads share the work of one call. */
    static final String THREADS = "tensornio.threads";

    private static final String NO_BYTES = " is not a positive number of bytes, perhaps with k, m or g; the default is used";

    private Settings() {
    }

    /** The budget in bytes: as set, else the JVM's limit of direct buffers, or less if a container has no room for that beside the heap. */
    static long maxMemory() {
        String text = System.getProperty(MAX_MEMORY);
        if (text != null) {
            try {
                return parseBytes(text);
            } catch (NumberFormatException e) {
                Log.log(Log.WARNING, MAX_MEMORY + "=" + text + NO_BYTES, null);
            }
        }
        long known = NativeMemory.maxDirectMemory();
        long direct = known > 0 ? known : Long.parseLong(vmOption("MaxDirectMemorySize", "0"));
        long heap = Runtime.getRuntime().maxMemory();
        long wanted = direct > 0 ? direct : heap;
        // Android limits the heap alone, and may lack java.nio.file.
        return Platform.isAndroid() ? wanted : ContainerLimit.budget(wanted, heap);
    }

    /**
     * A number of bytes.
     *
     * @param text digits, with an optional suffix k, m or g in either case
     * @throws NumberFormatException if it is anything else, not positive, or more than a long can hold
     */
    static long parseBytes(String text) {
        String digits = text.trim().toLowerCase(Locale.ROOT);
        int unit = digits.isEmpty() ? -1 : "kmg".indexOf(digits.charAt(digits.length() - 1));
        long factor = 1L << 10 * (unit + 1);
        long number = Long.parseLong(unit < 0 ? digits : digits.substring(0, digits.length() - 1));
        if (number <= 0 || number > Long.MAX_VALUE / factor) {
            throw new NumberFormatException(text);
        }
        return number * factor;
    }

    /** The sampling interval of leak detection: one of so many tensors is tracked; 0 for none. */
    static int leakSampling() {
        String text = System.getProperty(LEAK_DETECTION, "off");
        switch (text) {
            case "off":
                return 0;
            case "sampled":
                return 128;
            case "all":
                return 1;
            default:
                Log.log(Log.WARNING, LEAK_DETECTION + "=" + text + " is unknown; possible are off, sampled and all; it is off", null);
                return 0;
        }
    }

    /** Whether pages may be moved. Can be disabled on systems where that fails. */
    static boolean movePages() {
        String text = System.getProperty(MOVE_PAGES, "on");
        if (!text.equals("on") && !text.equals("off")) {
            Log.log(Log.WARNING, MOVE_PAGES + "=" + text + " is unknown; possible are on and off; it is on", null);
        }
        return !text.equals("off");
    }

    /** The most bytes of one buffer: the most that there can be, unless a test wants fewer, of which 128 are the least. */
    static int largestBuffer() {
        String text = System.getProperty(LARGEST_BUFFER);
        if (text == null) {
            return Integer.MAX_VALUE;
        }
        try {
            return (int) Math.min(Math.max(parseBytes(text), 2 * Slab.UNIT), Integer.MAX_VALUE);
        } catch (NumberFormatException e) {
            Log.log(Log.WARNING, LARGEST_BUFFER + "=" + text + NO_BYTES, null);
            return Integer.MAX_VALUE;
        }
    }

    /** The number of threads that share work, including the caller's: as set, else the number of processors available to the process. */
    static int threads() {
        int processors = processors();
        String text = System.getProperty(THREADS);
        if (text == null) {
            return processors;
        }
        try {
            int threads = Integer.parseInt(text.trim());
            if (threads > 0) {
                return threads;
            }
        } catch (NumberFormatException e) {
            Log.log(Log.DEBUG, THREADS + " is no number", e);
        }
        Log.log(Log.WARNING, THREADS + "=" + text + " is not a positive number of threads; the default of " + processors + " is used", null);
        return processors;
    }

    /** The processors of the process: Java counts those of the calling thread, which the application may have bound to one. */
    private static int processors() {
        int seen = Runtime.getRuntime().availableProcessors();
        long all = NativeMemory.processors(seen);
        // A number that Java was told is for the whole process.
        return all == seen || Long.parseLong(vmOption("ActiveProcessorCount", "-1")) > 0 ? seen : (int) Math.min(all, Integer.MAX_VALUE);
    }

    /** Whether {@code System.gc()} does nothing. */
    static boolean isExplicitGcDisabled() {
        return Boolean.parseBoolean(vmOption("DisableExplicitGC", "false"));
    }

    /** Reads an option of the virtual machine, by reflection: not every Java has this bean. */
    private static String vmOption(String name, String otherwise) {
        try {
            Class<?> beanType = Class.forName("com.sun.management.HotSpotDiagnosticMXBean");
            Class<?> factory = Class.forName("java.lang.management.ManagementFactory");
            Object bean = factory.getMethod("getPlatformMXBean", Class.class).invoke(null, beanType);
            Object option = beanType.getMethod("getVMOption", String.class).invoke(bean, name);
            Method value = Class.forName("com.sun.management.VMOption").getMethod("getValue");
            return (String) value.invoke(option);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            Log.log(Log.DEBUG, "cannot read the option " + name + " of this Java; " + otherwise + " is assumed", e);
            return otherwise;
        }
    }
}
