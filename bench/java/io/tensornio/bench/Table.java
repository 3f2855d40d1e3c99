package io.tensornio.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows below a head, as a Markdown table that is aligned, too. */
final class Table {
    private final Row head;
    private final List<Row> rows = new ArrayList<>();

    /** A table of these columns, and one for the verdicts. */
    Table(String... columns) {
        head = Row.told(columns);
    }

    void add(Row row) {
        rows.add(row);
    }

    void addAll(List<Row> all) {
        rows.addAll(all);
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    long promised() {
        return rows.stream().filter(Row::hasBar).count();
    }

    long reached() {
        return rows.stream().filter(Row::passes).count();
    }

    @Override
    public String toString() {
        int[] widths = new int[head.cells.length];
        Arrays.fill(widths, 2);
        widen(widths, head);
        rows.forEach(row -> widen(widths, row));
        StringBuilder table = new StringBuilder();
        append(table, head, widths);
        for (int c = 0; c < widths.length; c++) {
            table.append(c == 0 ? "| " : " ").append(repeat('-', widths[c] - 1)).append(isNumber(c) ? ": |" : "- |");
        }
        table.append('\n');
        rows.forEach(row -> append(table, row, widths));
        return table.toString();
    }

    private static void widen(int[] widths, Row row) {
        for (int c = 0; c < widths.length; c++) {
            widths[c] = Math.max(widths[c], row.cells[c].length());
        }
    }

    private void append(StringBuilder table, Row row, int[] widths) {
        for (int c = 0; c < widths.length; c++) {
            String cell = row.cells[c];
            String padding = repeat(' ', widths[c] - cell.length());
            table.append(c == 0 ? "| " : " ").append(isNumber(c) ? padding + cell : cell + padding).append(" |");
        }
        table.append('\n');
    }

    private boolean isNumber(int column) {
        return column > 0 && column < head.cells.length - 1;
    }

    private static String repeat(char c, int times) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < times; i++) {
            text.append(c);
        }
        return text.toString();
    }
}
