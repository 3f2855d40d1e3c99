package io.tensornio.internal.graph;

import java.io.Console;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Shows how far a training is: on a terminal a bar, which is drawn again and again, elsewhere a line now and then. */
public final class Bar {
    private static final int CELLS = 24;
    /** A bar is drawn so often, in nanoseconds. */
    private static final long REDRAWN = 100_000_000L;
    /** A line is written so often, in nanoseconds. */
    private static final long NOW_AND_THEN = 10_000_000_000L;

    private final PrintStream out;
    private final boolean isTerminal;
    private final LongSupplier nanos;
    private int epochs;
    private long perEpoch;
    private int epoch;
    private long inEpoch;
    private long start;
    private long made;
    private long drawn;
    private boolean isDrawn;
    private int width;

    /** A new one. */
    public Bar(PrintStream out, boolean isTerminal, LongSupplier nanos) {
        this.out = out;
        this.isTerminal = isTerminal;
        this.nanos = nanos;
        begin(0, -1);
    }

    /** Whether the standard output is a terminal that can draw a line again. */
    public static boolean isTerminal() {
        Console console = System.console();
        if (console == null || "dumb".equals(System.getenv("TERM"))) {
            return false;
        }
        try {
            // From Java 22 on there is a console in any case, which says whether it is a terminal.
            return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    /** A training begins. */
    public void begin(int most, long stepsPerEpoch) {
        epochs = most;
        perEpoch = stepsPerEpoch;
        start = nanos.getAsLong();
        drawn = start;
        isDrawn = false;
        made = 0;
        inEpoch = 0;
    }

    /** An epoch begins. */
    public void beforeEpoch(int which) {
        epoch = which;
        inEpoch = 0;
    }

    /** A step is made. */
    public void step(double loss) {
        made++;
        inEpoch++;
        long now = nanos.getAsLong();
        boolean isEnd = inEpoch == perEpoch && epoch + 1 == epochs;
        if (isEnd || now - drawn >= (isTerminal ? REDRAWN : NOW_AND_THEN)) {
            drawn = now;
            isDrawn = true;
            show(bar(now) + ", loss " + number(loss), isEnd);
        }
    }

    private String bar(long now) {
        double seconds = (now - start) / 1e9;
        StringBuilder text = new StringBuilder("epoch " + (epoch + 1) + "/" + epochs + " ");
        if (perEpoch > 0 && isTerminal) {
            int full = (int) (CELLS * Math.min(inEpoch, perEpoch) / perEpoch);
            text.append('[');
            for (int n = 0; n < CELLS; n++) {
                text.append(n < full ? '=' : n == full ? '>' : ' ');
            }
            text.append("] ");
        }
        text.append(inEpoch).append(perEpoch > 0 ? "/" + perEpoch : "").append(" steps");
        if (seconds > 0) {
            text.append(", ").append(number(made / seconds)).append("/s");
            long left = (epochs - epoch) * perEpoch - inEpoch;
            if (perEpoch > 0) {
                text.append(", ").append(time(left * seconds / made)).append(" left");
            }
        }
        return text.toString();
    }

    /** An epoch of a training is over, of which a line tells. */
    public void afterEpoch(int which, String text) {
        long now = nanos.getAsLong();
        if (isTerminal || !isDrawn || which + 1 == epochs || now - drawn >= NOW_AND_THEN) {
            drawn = now;
            isDrawn = true;
            show("epoch " + (which + 1) + "/" + epochs + ": " + text, true);
        }
    }

    private void show(String line, boolean isWhole) {
        if (!isTerminal) {
            out.println(line);
            return;
        }
        StringBuilder text = new StringBuilder("\r").append(line);
        for (int n = line.length(); n < width; n++) {
            text.append(' ');               // over the rest of the last one
        }
        width = isWhole ? 0 : line.length();
        out.print(isWhole ? text.append(System.lineSeparator()) : text);
        out.flush();
    }

    /** A number of about four digits. */
    public static String number(double value) {
        return Math.abs(value) >= 1000 ? String.format(Locale.ROOT, "%.0f", value) : String.format(Locale.ROOT, "%.4g", value);
    }

    /** A duration, such as {@code 1:02:03}, {@code 2:03} or {@code 1.5 s}. */
    public static String time(double seconds) {
        if (seconds < 60) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        }
        long whole = (long) seconds;
        return whole < 3600 ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
            : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    }
}
