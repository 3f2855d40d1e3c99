package io.tensornio.internal.data;

import io.tensornio.StringTensorData;

/** A walk through nested arrays of {@code String}, which checks each row, and copies it if there is something to copy it to. */
final class StringNestedWalk {
    private final long[] shape;
    /** The indices of the current row, for messages. */
    private final int[] place;
    /** Where the elements go, and how many are there; null if they go nowhere. */
    private final String[] all;
    private int next;

    /** A walk that copies to an array, if that is not null. */
    StringNestedWalk(String[] all, long... shape) {
        this.all = all;
        this.shape = shape;
        place = new int[shape.length];
    }

    /** Checks all rows, and their number. */
    static void check(Object nested, long... shape) {
        Nested.checkRows(shape);
        if (shape.length > 0) {
            new StringNestedWalk(null, shape).run(nested);
        }
    }

    /** Copies to an array of the shape, of rank 2 at least. */
    static void copy(Object nested, String[] all, long... shape) {
        new StringNestedWalk(all, shape).run(nested);
    }

    /** Copies to data of the shape, of rank 1 at least. */
    static void copy(Object nested, StringTensorData to, long... shape) {
        String[] all = new String[Nested.length(to.totalSize())];         // they are checked whole before the first is written
        copy(nested, all, shape);
        to.copyFrom(all);
    }

    /** Checks all rows, and copies each. */
    private void run(Object nested) {
        walk((Object[]) nested, 0);
    }

    private void walk(Object[] rows, int depth) {
        if (rows.length != shape[depth]) {
            throw Nested.length(rows.length, shape[depth], depth, place);
        }
        for (int i = 0; i < rows.length; i++) {
            place[depth] = i;
            if (rows[i] == null) {
                throw Nested.isNull(depth + 1, place);
            }
            if (depth < shape.length - 1) {
                walk((Object[]) rows[i], depth + 1);
            }
        }
        if (all != null && depth == shape.length - 1) {
            System.arraycopy(rows, 0, all, next, rows.length);
            next += rows.length;
        }
    }
}
