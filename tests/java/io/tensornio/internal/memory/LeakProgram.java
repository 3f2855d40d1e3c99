package io.tensornio.internal.memory;

import io.tensornio.MemoryStats;
import io.tensornio.support.LeakMaker;

/** Prints what is logged while tensors leak; run by {@link LeakDetectorTest}. */
public final class LeakProgram {
    private LeakProgram() {
    }

    /** Runs the case named by the first argument; the second tells whether a leak will be reported. */
    public static void main(String[] arguments) {
        LogPrinter printer = LogPrinter.install();
        switch (arguments[0]) {
            case "places":
                for (int i = 0; i < 12; i++) {
                    LeakMaker.forgetHere();
                    found();
                    // Whoever found the first may still be about to say so; a second one would be counted with it.
                    Garbage.collectUntil(() -> printer.printed() > 0 || arguments[1].equals("false"));
                }
                LeakMaker.forgetThere();
                found();
                break;
            case "kinds":
                LeakMaker.forgetKinds();
                found();
                break;
            case "computed":
                LeakMaker.forgetComputed();
                found();
                break;
            case "borrowed":
                for (int i = 0; i < 50; i++) {
                    LeakMaker.forgetBorrowed();
                }
                found();
                break;
            case "parts":
                LeakMaker.forgetParts();
                found();
                break;
            case "pins":
                LeakMaker.forgetPin();
                found();
                break;
            case "closed":
                LeakMaker.closePins();
                for (int i = 0; i < 50; i++) {
                    LeakMaker.close();
                    LeakMaker.fail();
                }
                LeakMaker.closeKinds();
                found();
                break;
            case "many":
                for (int i = 0; i < 32 * 128; i++) {
                    LeakMaker.forgetHere();
                }
                found();
                break;
            case "turns":
                for (int i = 0; i < 32 * 128; i++) {
                    LeakMaker.close();
                    LeakMaker.forgetHere();
                }
                found();
                break;
            default:
                throw new IllegalArgumentException(arguments[0]);
        }
        Garbage.collectUntil(() -> !isReporting());
        System.out.println("done");
    }

    /** Waits until all that leaked was found. */
    private static void found() {
        Garbage.collectUntil(() -> MemoryStats.current().tensorsAlive() == 0 && !LeakDetector.isWatching());
    }

    /** Whether the thread that reports still runs. */
    private static boolean isReporting() {
        return Thread.getAllStackTraces().keySet().stream().anyMatch(thread -> thread.getName().equals("tensornio-memory"));
    }
}
