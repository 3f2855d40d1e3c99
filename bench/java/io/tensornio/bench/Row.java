package io.tensornio.bench;

import java.util.Arrays;

/** A row of a {@link Table}, as text; its last cell is the verdict. */
final class Row {
    private static final String PASS = "pass";
    private static final String MISS = "MISS";

    final String[] cells;

    private Row(String... cells) {
        this.cells = cells;
    }

    /** A row that was promised something. */
    static Row judged(boolean pass, String... cells) {
        return with(pass ? PASS : MISS, cells);
    }

    /** A row that was promised nothing. */
    static Row told(String... cells) {
        return with("", cells);
    }

    private static Row with(String verdict, String... cells) {
        String[] all = Arrays.copyOf(cells, cells.length + 1);
        all[cells.length] = verdict;
        return new Row(all);
    }

    boolean hasBar() {
        return passes() || verdict().equals(MISS);
    }

    boolean passes() {
        return verdict().equals(PASS);
    }

    private String verdict() {
        return cells[cells.length - 1];
    }
}
