package io.tensornio.internal.graph;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Curves by epoch, as a part of an image in SVG. */
public final class Chart {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 260;
    private static final int LEFT = 70;
    private static final int RIGHT = 20;
    private static final int TOP = 34;
    private static final int BOTTOM = 36;
    private static final int TICKS = 5;
    private static final String[] COLOURS = {"#1f77b4", "#d95f02", "#1b9e77", "#7570b3"};

    private final String title;
    private final Map<String, double[]> lines = new LinkedHashMap<>();
    private double low = Double.POSITIVE_INFINITY;
    private double high = Double.NEGATIVE_INFINITY;
    private int count;

    /** A chart without lines. */
    public Chart(String title) {
        this.title = title;
    }

    /** Adds a line. */
    public Chart line(String name, double... values) {
        lines.put(name, values);
        count = Math.max(count, values.length);
        for (double value : values) {
            if (isFinite(value)) {
                low = Math.min(low, value);
                high = Math.max(high, value);
            }
        }
        return this;
    }

    private static boolean isFinite(double value) {
        return Math.abs(value) <= Double.MAX_VALUE;
    }

    /** A document with charts one below the other. */
    public static String svg(List<Chart> charts) {
        StringBuilder svg = new StringBuilder("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + WIDTH + "\" height=\"" + HEIGHT * charts.size()
            + "\" viewBox=\"0 0 " + WIDTH + " " + HEIGHT * charts.size() + "\" font-family=\"sans-serif\" font-size=\"12\">\n"
            + "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
        for (int n = 0; n < charts.size(); n++) {
            svg.append("<g transform=\"translate(0,").append(n * HEIGHT).append(")\">\n");
            charts.get(n).draw(svg);
            svg.append("</g>\n");
        }
        return svg.append("</svg>\n").toString();
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (char c : text.toCharArray()) {
            // Characters that XML does not have, half surrogate pairs among them, would make the whole document invalid.
            escaped.append(c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c < ' ' || c >= 0xFFFE || Character.isSurrogate(c) ? "?" : c);
        }
        return escaped.toString();
    }

    private static String text(String anchor, double x, double y, String of) {
        return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\">" + escaped(of) + "</text>\n";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** A distance between ticks: 1, 2 or 5 times a power of ten, so that there are about {@link #TICKS}. */
    private static double step(double range) {
        double power = Math.pow(10, Math.floor(Math.log10(range / TICKS)));
        double rest = range / TICKS / power;
        return (rest > 5 ? 10 : rest > 2 ? 5 : rest > 1 ? 2 : 1) * power;
    }

    private void draw(StringBuilder svg) {
        double from = low > high ? 0 : low;
        double to = low > high ? 1 : high;
        if (!(to - from > Math.abs(to) * 1e-12)) {              // a curve that is flat
            from -= Math.max(Math.abs(from), 1) / 2;
            to += Math.max(Math.abs(to), 1) / 2;
        }
        double step = step(to - from);
        double bottom = Math.floor(from / step) * step;
        double top = Math.ceil(to / step) * step;
        svg.append("<g stroke=\"#ddd\">\n");
        StringBuilder labels = new StringBuilder();
        long ticks = Math.round((top - bottom) / step);
        for (long n = 0; n <= ticks; n++) {
            double y = y(bottom + n * step, bottom, top);
            svg.append("<line x1=\"").append(LEFT).append("\" x2=\"").append(WIDTH - RIGHT).append("\" y1=\"").append(number(y)).append("\" y2=\"")
                .append(number(y)).append("\"/>\n");
            labels.append(text("end", LEFT - 6, y + 4, label(bottom + n * step, step)));
        }
        svg.append("</g>\n").append(labels);
        long every = Math.max(1, Math.round(step(Math.max(count - 1, 1))));
        for (long epoch = 0; epoch < count; epoch += every) {
            svg.append(text("middle", x(epoch), HEIGHT - BOTTOM + 18, String.valueOf(epoch)));
        }
        svg.append(text("middle", (LEFT + WIDTH - RIGHT) / 2., HEIGHT - 4, "epoch")).append(text("start", LEFT, TOP - 14, title));
        int which = 0;
        for (Map.Entry<String, double[]> line : lines.entrySet()) {
            String colour = COLOURS[which % COLOURS.length];
            for (String points : points(line.getValue(), bottom, top)) {
                svg.append("<polyline fill=\"none\" stroke=\"").append(colour).append("\" stroke-width=\"2\" stroke-linecap=\"round\" points=\"")
                    .append(points).append("\"/>\n");
            }
            if (lines.size() > 1) {
                svg.append("<g fill=\"").append(colour).append("\">").append(text("end", WIDTH - RIGHT - 90. * which, TOP - 14, line.getKey()))
                    .append("</g>\n");
            }
            which++;
        }
    }

    private static String label(double value, double step) {
        int digits = (int) Math.max(0, -Math.floor(Math.log10(step)));
        String format = Math.abs(value) >= 1e6 || digits > 5 ? "%.2g" : "%." + digits + "f";
        return String.format(Locale.ROOT, format, value);
    }

    private double x(double epoch) {
        return LEFT + epoch / Math.max(count - 1, 1) * (WIDTH - RIGHT - LEFT);
    }

    private static double y(double value, double bottom, double top) {
        return HEIGHT - BOTTOM - (value - bottom) / (top - bottom) * (HEIGHT - BOTTOM - TOP);
    }

    /**
     * The points of a line; several, where a value that is infinite interrupts it. Values that are NaN were not measured: the line goes on to the
     * next one.
     */
    private List<String> points(double[] values, double bottom, double top) {
        List<String> all = new ArrayList<>();
        StringBuilder points = new StringBuilder();
        for (int epoch = 0; epoch < values.length; epoch++) {
            if (isFinite(values[epoch])) {
                String point = number(x(epoch)) + "," + number(y(values[epoch], bottom, top));
                points.append(points.length() == 0 ? point : " " + point);
            } else if (!Double.isNaN(values[epoch])) {
                all.add(doubled(points.toString()));
                points.setLength(0);
            }
        }
        all.add(doubled(points.toString()));
        all.removeIf(String::isEmpty);
        return all;
    }

    /** A single point as a line, whose ends are round, so that it is seen. */
    private static String doubled(String points) {
        return points.isEmpty() || points.contains(" ") ? points : points + " " + points;
    }
}
