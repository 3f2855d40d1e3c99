package io.tensornio.internal.memory;

import io.tensornio.MemoryStats;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What {@link BudgetTest} runs in JVMs of their own. Ends with an exception, and so not with 0, if something is not as promised. */
public final class BudgetProgram {
    private static final int MIB = 1 << 20;
    private static final int LARGE = 64 * MIB;

    private BudgetProgram() {
    }

    /** Runs the case named by the first argument. */
    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "dropped":
                dropped(Integer.parseInt(arguments[1]));
                break;
            case "old":
                droppedWhenOld();
                break;
            case "exhausted":
                exhausted();
                break;
            case "numbers":
                numbers();
                break;
            case "pressure":
                pressure();
                break;
            case "few":
                fewAddresses();
                break;
            case "tooLarge":
                tooLarge();
                break;
            case "together":
                together(Integer.parseInt(arguments[1]));
                break;
            case "interrupted":
                interrupted();
                break;
            case "small":
                small();
                break;
            case "million":
                million();
                break;
            case "strings":
                strings(Integer.parseInt(arguments[1]), arguments[2], Integer.parseInt(arguments[3]));
                break;
            case "sparse":
                sparse();
                break;
            case "closes":
                closes();
                break;
            case "heap":
                heapExhausted();
                break;
            case "addresses":
                noAddresses();
                break;
            case "max":
                System.out.println("max=" + MemoryStats.current().maxMemory());
                break;
            case "said":
                // What is wrong with the property is said at the first tensor, by another thread, which does not keep the JVM from ending.
                LogPrinter printer = LogPrinter.install();
                System.out.println("max=" + MemoryStats.current().maxMemory());
                Tensors.denseFloat(new long[] {1}, data -> { }).close();
                while (printer.printed() == 0) {
                    Thread.sleep(10);
                }
                break;
            default:
                throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what + "; " + MemoryStats.current());
        }
    }

    private static void checkBudget() {
        check(MemoryWatch.reserved() <= MemoryStats.current().maxMemory(), "above the budget: " + MemoryWatch.reserved());
    }

    /** 80 tensors of 64 MB that nobody closes, by some threads together. */
    private static void dropped(int threads) {
        Storage.allocate(1, true).close();
        long baseline = MemoryWatch.statusKilobytes("VmRSS");
        AtomicInteger left = new AtomicInteger(80);
        Workers.run(threads, n -> {
            while (left.getAndDecrement() > 0) {
                ByteBuffer view = Storage.allocate(LARGE, true).view();
                for (int i = 0; i < LARGE; i += 4096) {
                    view.put(i, (byte) 1);
                }
                checkBudget();
            }
        });
        System.out.println("more=" + (MemoryWatch.statusKilobytes("VmHWM") - baseline) / 1024);
    }

    /** Tensors that were in use for so long that they are old to the collector. */
    private static void droppedWhenOld() {
        for (int round = 0; round < 4; round++) {
            List<Storage> held = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                held.add(Storage.allocate(LARGE, true));
            }
            Object last = null;
            for (int i = 0; i < 20_000; i++) {
                last = new Object[] {new byte[10_000]};
            }
            check(held.size() == 7 && last != null, "held");
            checkBudget();
        }
    }

    private static void exhausted() {
        List<Storage> held = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            held.add(Storage.allocate(LARGE, true));
        }
        try {
            Storage.allocate(LARGE + MIB, true);
            throw new AssertionError("8 x 64 MiB and 1 fit 512 MiB");
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        checkBudget();
        MemoryStats full = MemoryStats.current();
        check(full.tensorsAlive() == 7 && full.bytesInUse() == 7L * LARGE, "a failure changes nothing");
        held.remove(0).close();
        held.add(Storage.allocate(LARGE + MIB, true));
        held.forEach(Storage::close);
        check(MemoryStats.current().bytesInUse() == 0, "all closed");
    }

    /**
     * Strings that get longer, so that the memory for them is always guessed too small, and the budget holds only one copy, not two.
     *
     * @param from what they are put from: an array of bytes, an array of texts, or data
     * @param atOnce how many are put at once; of bytes alone 1
     */
    private static void strings(int percent, String from, int atOnce) {
        int count = 40_000;
        int longest = (int) (2 * (MemoryStats.current().maxMemory() / 100 * percent) / count);
        try (Tensor<String> tensor = Tensors.denseString(new long[] {count}, data -> {
            for (int n = 0; n < count; n += atOnce) {
                byte[][] values = new byte[atOnce][];
                for (int i = 0; i < atOnce; i++) {
                    values[i] = bytes(n + i, longest);
                }
                if (from.equals("bytes")) {
                    data.putBytes(values[0], n);
                } else if (from.equals("texts")) {
                    data.put(Arrays.stream(values).map(b -> new String(b, StandardCharsets.US_ASCII)).toArray(String[]::new), n);
                } else {
                    data.slice(TensorIndex.range(n, n + atOnce)).put(StringTensorData.ofBytes(values));
                }
            }
            checkBudget();
        })) {
            checkBudget();
            for (int n = 0; n < count; n++) {
                check(Arrays.equals(bytes(n, longest), tensor.stringData().getBytes(n)), "element " + n);
            }
        }
        check(MemoryStats.current().bytesInUse() == 0, "all closed");
    }

    private static byte[] bytes(int n, int longest) {
        byte[] bytes = new byte[(int) ((long) longest * n / 40_000)];
        Arrays.fill(bytes, (byte) (n & 0x7f));
        return bytes;
    }

    /** The error has the numbers of the statistics: of memory in use, of a closed tensor that is pinned, and of what is pooled. */
    private static void numbers() {
        Storage open = Storage.allocate(5 * MIB, true);
        Storage pinned = Storage.allocate(3 * MIB, true);
        check(pinned.pin() && pinned.close(), "pinned and closed");
        MemoryStats before;
        String message;
        // The library's thread releases what is pooled.
        do {
            Storage.allocate(2 * MIB, true);
            Garbage.collectUntil(() -> MemoryStats.current().tensorsAlive() == 1);
            before = MemoryStats.current();
            message = messageOfTooLarge();
        } while (before.bytesPooled() == 0 || before.bytesPooled() != MemoryStats.current().bytesPooled());
        check(before.bytesInUse() == 5 * MIB && before.bytesAwaitingCollection() == 3 * MIB, "in use and awaiting the end of a pin");
        String numbers = before.bytesInUse() + " are in use by tensors, " + before.bytesAwaitingCollection() + " by closed ones beside them, "
            + before.bytesPooled() + " are pooled";
        check(message.contains(numbers), numbers + " in " + message);
        pinned.unpin();
        open.close();
    }

    private static String messageOfTooLarge() {
        try {
            // More than the budget, and not more than 32 bits address in one piece, of which the error would tell.
            Storage.allocate(1 << 30, true);
            throw new AssertionError("fits");
        } catch (OutOfMemoryError e) {
            return e.getMessage();
        }
    }

    /** Closes without end, each time 2 GiB of addresses that nobody touches, until somebody has asked for a collection, which lets go of most. */
    private static void pressure() {
        long before = fullCollections();
        long closed = 0;
        for (int i = 0; i < 500 && fullCollections() == before; i++) {
            Storage.allocate(Integer.MAX_VALUE, false).close();
            closed += Integer.MAX_VALUE;
            if (closed > 64L << 30) {
                Garbage.pause();
            }
        }
        check(fullCollections() > before, "no collection after " + closed + " bytes");
        check(closed > 64L << 30, "a collection after " + closed + " bytes already");
        for (int i = 0; i < 500 && MemoryWatch.stale() > 32L << 30; i++) {
            Garbage.pause();
        }
        check(MemoryWatch.stale() <= 32L << 30, "still stale are " + MemoryWatch.stale());
    }

    /** Closes blocks of 64 KiB: half of what a collection is asked for after, and then the rest. */
    private static void fewAddresses() {
        int most = 4096;
        long before = fullCollections();
        for (int i = 0; i < most / 2; i++) {
            Storage.allocate(64 << 10, false).close();
        }
        for (int i = 0; i < 100; i++) {
            Garbage.pause();
        }
        check(fullCollections() == before, "a collection after half of the addresses");
        for (int i = 0; i < most; i++) {
            Storage.allocate(64 << 10, false).close();
        }
        for (int i = 0; i < 3000 && fullCollections() == before; i++) {
            Garbage.pause();
        }
        check(fullCollections() > before, "no collection");
    }

    private static long fullCollections() {
        return java.lang.management.ManagementFactory.getGarbageCollectorMXBeans().stream()
            .filter(bean -> bean.getName().equals("MarkSweepCompact")).mapToLong(bean -> bean.getCollectionCount()).sum();
    }

    private static void tooLarge() {
        Storage.allocate(1, true).close();
        long before = fullCollections();
        try {
            Storage.allocate(LARGE, true);
            throw new AssertionError("fits");
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        check(fullCollections() == before, "no collection can help beyond the budget");
    }

    /** Threads that want memory at the same time, of which there is none for anybody. */
    private static void together(int threads) {
        Storage all = Storage.allocate(MemoryStats.current().maxMemory(), false);
        long before = fullCollections();
        Workers.run(threads, n -> {
            try {
                Storage.allocate(LARGE + n, true).close();
            } catch (OutOfMemoryError e) {
                return;
            }
            throw new AssertionError("nothing was refused");
        });
        System.out.println("collections=" + (fullCollections() - before));
        all.close();
        Storage.allocate(LARGE, true).close();
    }

    private static void interrupted() {
        Thread.currentThread().interrupt();
        for (int i = 0; i < 24; i++) {
            Storage.allocate(LARGE, true);
            check(Thread.currentThread().isInterrupted(), "the thread is still interrupted");
        }
        List<Storage> held = new ArrayList<>();
        try {
            while (held.size() < 100) {
                held.add(Storage.allocate(LARGE, true));
            }
            throw new AssertionError("fits");
        } catch (OutOfMemoryError e) {
            check(Thread.currentThread().isInterrupted(), "interrupted after the failure, too");
        }
        check(held.size() == 8, "eight fit: " + held.size());
    }

    /** A budget of 1 MiB: slabs must not grow beyond what it allows. */
    private static void small() {
        for (int i = 0; i < 200_000; i++) {
            Storage.allocate(i % 3000, true).close();
        }
        List<Storage> held = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            held.add(Storage.allocate(1000, true));
        }
        checkBudget();
        held.forEach(Storage::close);
        // All that the small ones had can be had for a large one.
        Storage.allocate(MIB, true).close();
    }

    private static void million() {
        Storage.allocate(100_000, true).close();
        int mappings = MemoryWatch.mappings();
        int most = 0;
        for (int i = 0; i < 1_000_000; i++) {
            Storage storage = Storage.allocate(64 + i % 100, true);
            storage.view().put(0, (byte) 1);
            storage.close();
            most = i % 100_000 == 0 ? Math.max(most, MemoryWatch.mappings()) : most;
        }
        checkBudget();
        for (int i = 0; i < 1_000_000; i++) {
            Storage.allocate(64 + i % 100, true).view().put(0, (byte) 1);
            most = i % 100_000 == 0 ? Math.max(most, MemoryWatch.mappings()) : most;
        }
        checkBudget();
        System.out.println("more mappings=" + (most - mappings) + " peak=" + MemoryWatch.statusKilobytes("VmHWM") / 1024);
    }

    /** One of many small tensors stays: its slab does, but for the budget it is one page. Else the slabs alone would be three times the budget. */
    private static void sparse() {
        List<Storage> held = new ArrayList<>();
        for (int i = 0; i < 12_000_000; i++) {
            Storage storage = Storage.allocate(64, true);
            if (i % 16_384 == 0) {
                Stamp.write(storage.view(), i + 1);
                held.add(storage);
            } else {
                storage.close();
            }
        }
        checkBudget();
        for (int i = 0; i < held.size(); i++) {
            Stamp.check(held.get(i).view(), i * 16_384 + 1, "a tensor that stayed");
            held.get(i).close();
        }
    }

    /** Blocks of every size class up to 32 MiB, closed: 40 times the budget without a collection by us. */
    private static void closes() {
        Storage.allocate(1, true).close();
        long before = fullCollections();
        for (long bytes = Slab.LIMIT; bytes <= 32 * MIB; bytes += Long.highestOneBit(bytes) / 8) {
            for (int i = 0; i < 60; i++) {
                Storage storage = Storage.allocate(bytes, false);
                storage.view().put((int) bytes - 1, (byte) 1);
                storage.close();
                checkBudget();
            }
        }
        check(fullCollections() == before, "a collection was asked for: " + (fullCollections() - before));
        check(MemoryStats.current().bytesInUse() == 0 && MemoryStats.current().tensorsAlive() == 0, "all closed");
        System.out.println("peak=" + MemoryWatch.statusKilobytes("VmHWM") / 1024);
    }

    /** Java's own heap runs out again and again, wherever that strikes. */
    private static void heapExhausted() {
        Storage.allocate(1, true).close();
        int failures = 0;
        for (int round = 0; round < 20; round++) {
            Object[] garbage = null;
            List<Storage> held = new ArrayList<>(100_000);
            try {
                // Objects are as long as a multiple of 8.
                for (int size = 1 << 20; size > 0; size = size > 64 ? size / 2 : size - 8) {
                    garbage = fillHeap(garbage, size);
                }
            } catch (OutOfMemoryError e) {
                garbage = new Object[] {garbage[0]};
            }
            try {
                for (int i = 0; i < 100_000; i++) {
                    held.add(Storage.allocate(i % 3 == 0 ? 70_000 : i % 700, true));
                    held.get(held.size() - 1).view();
                    if (i % 2 == 0) {
                        held.remove(held.size() - 1).close();
                    }
                }
            } catch (OutOfMemoryError e) {
                failures++;
            }
            garbage = null;
            held.forEach(Storage::close);
        }
        check(failures > 0, "the heap never ran out");
        // What was lost on the way to its owner is found by the collector, if its slab is full.
        for (int i = 0; i < 20_000; i++) {
            Storage.allocate(1000, false).close();
        }
        Garbage.collectUntil(() -> MemoryStats.current().bytesInUse() == 0 && MemoryStats.current().tensorsAlive() == 0);
    }

    private static Object[] fillHeap(Object[] garbage, int size) {
        Object[] all = garbage;
        try {
            while (true) {
                all = new Object[] {all, new byte[size]};
            }
        } catch (OutOfMemoryError e) {
            return all;
        }
    }

    /** The system refuses addresses: that is an error, and whatever was taken before works on. */
    private static void noAddresses() {
        MemoryStats before = MemoryStats.current();
        List<Storage> held = new ArrayList<>();
        try {
            for (int i = 0; i < 10_000; i++) {
                held.add(Storage.allocate(LARGE, false));
            }
            throw new AssertionError("no limit");
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        check(MemoryStats.current().tensorsAlive() == held.size(), "what failed is not counted");
        held.forEach(Storage::close);
        check(MemoryStats.current().bytesInUse() == before.bytesInUse(), "all closed");
        Storage storage = Storage.allocate(1000, true);
        Stamp.check(storage.view(), 0, "fresh memory");
        storage.close();
    }
}
