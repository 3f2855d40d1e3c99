package io.tensornio.internal.ragged;

import io.tensornio.internal.layout.Positions;
import java.util.Objects;

/** Checks of a caller's row splits and lengths. */
public final class RowSplitsCheck {
    private RowSplitsCheck() {
    }

    /** Checks that no array is null. */
    public static void notNull(String name, long[]... rows) {
        Objects.requireNonNull(rows, name);
        for (long[] level : rows) {
            Objects.requireNonNull(level, name);
        }
    }

    /** Checks and copies the splits of several levels, outermost first; the last level splits {@code values} positions. */
    public static long[][] copy(long[][] splits, long values) {
        long[][] own = Objects.requireNonNull(splits, "splits").clone();
        if (own.length == 0) {
            throw new IllegalArgumentException("no row splits: each ragged axis needs them");
        }
        for (int n = 0; n < own.length; n++) {
            own[n] = Objects.requireNonNull(own[n], "splits").clone();
        }
        for (int n = 0; n < own.length; n++) {
            boolean isLast = n == own.length - 1;
            check(own[n], of(n, own.length), isLast ? values : Math.max(own[n + 1].length - 1, 0), isLast ? " value" : " row");
        }
        return own;
    }

    private static void check(long[] splits, String of, long end, String what) {
        if (splits.length == 0) {
            throw new IllegalArgumentException("no row splits" + of + ": there is one more than there are rows");
        }
        if (splits[0] != 0) {
            throw new IllegalArgumentException("row split 0" + of + " is " + splits[0] + "; the first must be 0");
        }
        for (int n = 1; n < splits.length; n++) {
            if (splits[n] < splits[n - 1]) {
                throw new IllegalArgumentException("row split " + n + of + " is " + splits[n] + ", less than the one before it, which is "
                    + splits[n - 1]);
            }
        }
        int last = splits.length - 1;
        if (splits[last] != end) {
            throw new IllegalArgumentException("row split " + last + of + ", the last, is " + splits[last] + "; there "
                + (end == 1 ? "is " : "are ") + end + what + (end == 1 ? "" : "s") + " to split");
        }
    }

    /** Names the axis of a level, for messages; empty if there is only one. */
    private static String of(int level, int levels) {
        return levels == 1 ? "" : " of axis " + (level + 1);
    }

    /** The splits for given row lengths of several levels, outermost first; those of the last level add up to {@code values}. */
    public static long[][] ofLengths(long values, long[]... lengths) {
        long[][] splits = Objects.requireNonNull(lengths, "lengths").clone();
        for (int n = 0; n < splits.length; n++) {
            long[] own = Objects.requireNonNull(splits[n], "lengths").clone();
            String of = of(n, splits.length);
            splits[n] = new long[own.length + 1];
            for (int r = 0; r < own.length; r++) {
                if (own[r] < 0) {
                    throw new IllegalArgumentException("row length " + r + of + " is " + own[r] + "; no length is negative");
                }
                splits[n][r + 1] = splits[n][r] + own[r];
                if (splits[n][r + 1] < 0) {
                    throw new IllegalArgumentException("the row lengths" + of + " up to that of row " + r + ", " + own[r]
                        + ", are more than a long can count");
                }
            }
        }
        for (int n = 0; n < splits.length; n++) {
            boolean isLast = n == splits.length - 1;
            long sum = splits[n][splits[n].length - 1];
            long end = isLast ? values : splits[n + 1].length - 1;
            if (sum != end) {
                throw new IllegalArgumentException("the row lengths" + of(n, splits.length) + " add up to " + sum + "; "
                    + (isLast ? "the number of values is " + end : "axis " + (n + 2) + " has the lengths of " + end));
            }
        }
        return splits;
    }

    /** Checks the row lengths for dense data. */
    public static void lengths(long[] lengths, long rows, long size) {
        if (lengths.length != rows) {
            throw new IllegalArgumentException((lengths.length == 0 ? "no" : lengths.length) + (lengths.length == 1 ? " row length" : " row lengths")
                + " for " + rows + (rows == 1 ? " row" : " rows") + (lengths.length == 0 ? "" : ": " + Positions.text(lengths)));
        }
        for (int r = 0; r < lengths.length; r++) {
            if (lengths[r] < 0 || lengths[r] > size) {
                throw new IllegalArgumentException("row length " + r + " is " + lengths[r] + "; the rows have 0 to " + size + " positions");
            }
        }
    }
}
