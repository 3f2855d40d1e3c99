package io.tensornio.bench;

import java.util.Arrays;
import java.util.List;

/** A row of the table, as text. */
final class Row {
    static final String PASS = "pass";
    static final String MISS = "MISS";
    private static final Row HEAD = new Row("what", "tensors", "against", "ratio", "bar", "");

    private final String[] cells;

    Row(String what, String tensors, String against, String ratio, String bar, String verdict) {
        cells = new String[] {what, tensors, against, ratio, bar, verdict};
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

    /** The rows as a Markdown table that is aligned, too. */
    static String table(List<Row> rows) {
        int[] widths = new int[HEAD.cells.length];
        Arrays.fill(widths, 2);
        HEAD.widen(widths);
        rows.forEach(row -> row.widen(widths));
        StringBuilder table = new StringBuilder();
        HEAD.append(table, widths);
        for (int c = 0; c < widths.length; c++) {
            table.append(c == 0 ? "| " : " ").append(repeat('-', widths[c] - 1)).append(isNumber(c) ? ": |" : "- |");
        }
        table.append('\n');
        rows.forEach(row -> row.append(table, widths));
        return table.toString();
    }

    private void widen(int[] widths) {
        for (int c = 0; c < cells.length; c++) {
            widths[c] = Math.max(widths[c], cells[c].length());
        }
    }

    private void append(StringBuilder table, int[] widths) {
        for (int c = 0; c < cells.length; c++) {
            String padding = repeat(' ', widths[c] - cells[c].length());
            table.append(c == 0 ? "| " : " ").append(isNumber(c) ? padding + cells[c] : cells[c] + padding).append(" |");
        }
        table.append('\n');
    }

    private static boolean isNumber(int column) {
        return column > 0 && column < HEAD.cells.length - 1;
    }

    private static String repeat(char c, int times) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < times; i++) {
            text.append(c);
        }
        return text.toString();
    }
}
