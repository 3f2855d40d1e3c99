package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.internal.layout.Shapes;
import java.util.Objects;

/**
 * A walk through nested arrays of {@code String}, or through a part of their first axis. It checks each row, and copies it if there is something to
 * copy it to.
 */
final class StringNestedWalk {
    /** From this many elements on, other threads help. */
    private static final int MANY = 1 << 20;
    /** For each thread, so that one which is late does not leave the others waiting. */
    private static final int PARTS = 2;

    private final long[] shape;
    /** The indices of the row that is walked through, for messages. */
    private final int[] place;
    /** What of the first axis is walked through: from there on, and up to here. */
    private final int from;
    private final int until;

    /** Where the elements go, and how many are there; null if not to an array. */
    private final String[] all;
    private int next;

    /** One that only checks, or copies to other data. */
    StringNestedWalk(long... shape) {
        this(null, shape);
    }

    /** One that copies to an array. */
    StringNestedWalk(String[] all, long... shape) {
        this(0, end(shape), all, shape);
    }

    private StringNestedWalk(int from, int until, String[] all, long... shape) {
        this.all = all;
        this.from = from;
        this.until = until;
        this.shape = shape;
        place = new int[shape.length];
    }

    private static int end(long... shape) {
        return shape.length == 0 ? 0 : (int) Math.min(shape[0], Integer.MAX_VALUE);
    }

    /** Checks all rows, and their number, before any is copied. */
    static void check(Object nested, long... shape) {
        Nested.checkRows(shape);
        if (shape.length > 0) {
            new StringNestedWalk(shape).runInParallel(nested);
        }
    }

    /** Checks all rows, and copies them to the buffer, if there is one; by several threads if that is worth it. */
    void runInParallel(Object nested) {
        int threads = ParallelParts.threads();
        if (threads < 2 || shape.length < 2 || shape[0] < 2 || Shapes.product(shape) < MANY || ((Object[]) nested).length != shape[0]) {
            run(nested);
            return;
        }
        StringNestedWalk[] parts = new StringNestedWalk[(int) Math.min(shape[0], (long) PARTS * threads)];
        for (int p = 0; p < parts.length; p++) {
            parts[p] = part(p, parts.length);       // before the first writes anything, as there may be no heap for them
        }
        try {
            ParallelParts.run(parts.length, p -> parts[p].run(nested));
        } catch (RuntimeException | Error e) {
            new StringNestedWalk(shape).run(nested);     // mostly throws the same, with the caller's stack trace
            throw e;
        }
    }

    /** The walk through one of some parts of the first axis. */
    private StringNestedWalk part(int number, int parts) {
        int begin = (int) (shape[0] * number / parts);
        int end = (int) (shape[0] * (number + 1) / parts);
        return new StringNestedWalk(begin, end, null, shape);
    }

    /** Checks all rows, and copies them to the buffer, if there is one. */
    void run(Object nested) {
        copy(nested, 0, null);
    }

    /** Checks all rows, and copies each to data of the same shape before the next is checked. */
    void copyTo(StringTensorData to, Object nested) {
        copy(nested, 0, to);
    }

    /** Checks the arrays at a depth and copies them: to the buffer, if there is one; else to data, if it is not null. */
    private void copy(Object nested, int depth, StringTensorData to) {
        if (depth == shape.length - 1) {
            String[] row = (String[]) nested;
            if (row.length != shape[depth]) {
                throw Nested.length(row.length, shape[depth], depth, place);
            }
            copyRow(row, to);
            return;
        }
        Object[] rows = (Object[]) nested;
        if (rows.length != shape[depth]) {
            throw Nested.length(rows.length, shape[depth], depth, place);
        }
        if (to == null && depth >= shape.length - 3) {
            if (depth == shape.length - 2) {
                rows((String[][]) rows, depth);
            } else {
                planes((String[][][]) rows, depth);
            }
            return;
        }
        for (int i = first(depth), n = end(depth); i < n; i++) {
            Object row = rows[i];
            place[depth] = i;
            if (row == null) {
                throw Nested.isNull(depth + 1, place);
            }
            copy(row, depth + 1, to == null ? null : Objects.requireNonNull(to.slice(i), "slice() gave null"));
        }
    }

    /**
     * As {@link #copy}, for the last three axes: by loops that the compiler makes one of, since rows may be so short that a call for each few counts.
     */
    private void planes(String[][][] planes, int depth) {
        long n = shape[depth + 1];
        for (int i = first(depth), end = end(depth); i < end; i++) {
            String[][] rows = planes[i];
            place[depth] = i;
            if (rows == null || rows.length != n) {
                throw rows == null ? Nested.isNull(depth + 1, place) : Nested.length(rows.length, n, depth + 1, place);
            }
            rows(rows, depth + 1);
        }
    }

    private int first(int depth) {
        return depth == 0 ? from : 0;
    }

    /** Behind the last index of an axis that is walked through; arrays that are were found to be as long as it. */
    private int end(int depth) {
        return depth == 0 ? until : (int) shape[depth];
    }

    private void rows(String[][] rows, int depth) {
        checkRows(rows, depth);
    }

    /** Checks the innermost rows: a loop that has nothing else in it, so that what it waits for is memory. */
    private void checkRows(String[][] rows, int depth) {
        long n = shape[depth + 1];
        for (int i = first(depth), end = end(depth); i < end; i++) {
            String[] row = rows[i];
            checkRow(row, n, i, depth);
            place[depth] = i;
            copyRow(row, null);
        }
    }

    /** Checks the row at an index below the current place. */
    private void checkRow(String[] row, long n, int i, int depth) {
        if (row == null || row.length != n) {
            place[depth] = i;
            throw row == null ? Nested.isNull(depth + 1, place) : Nested.length(row.length, n, depth + 1, place);
        }
    }

    private void copyRow(String[] row, StringTensorData to) {
        for (int i = 0; i < row.length; i++) {
            if (row[i] == null) {
                place[place.length - 1] = i;
                throw Nested.isNull(place.length, place);
            }
        }
        if (all != null) {
            System.arraycopy(row, 0, all, next, row.length);
            next += row.length;
        }
        if (to != null) {
            to.copyFrom(row);
        }
    }
}
