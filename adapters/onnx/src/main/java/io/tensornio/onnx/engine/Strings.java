package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.TensorData;

/** Strings of numbers, and numbers of strings, as a Cast has them. */
final class Strings {
    private Strings() {
    }

    static String[] printed(TensorData<?> data) {
        String[] text = new String[Shapes.intSize(data.shape())];
        if (data.dataType().isFloat()) {
            double[] values = Data.doubles(data);
            for (int n = 0; n < text.length; n++) {
                text[n] = printed(values[n], data.dataType() != DataType.DOUBLE);
            }
        } else {
            long[] values = Data.longs(data);
            for (int n = 0; n < text.length; n++) {
                text[n] = data.dataType() == DataType.BOOL ? values[n] != 0 ? "True" : "False" : Long.toString(values[n]);
            }
        }
        return text;
    }

    private static String printed(double value, boolean narrow) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "INF" : "-INF";
        }
        String text = narrow ? Float.toString((float) value) : Double.toString(value);
        return new java.math.BigDecimal(text).abs().compareTo(new java.math.BigDecimal("1e-4")) >= 0 && Math.abs(value) < 1e16
            ? withPoint(new java.math.BigDecimal(text).toPlainString()) : text;
    }

    private static String withPoint(String plain) {
        return plain.contains(".") ? plain : plain + ".0";
    }

    static TensorData<?> parsed(String[] text, DataType type, long... shape) {
        if (type.isFloat()) {
            double[] values = new double[text.length];
            for (int n = 0; n < values.length; n++) {
                values[n] = number(text[n], type != DataType.DOUBLE);
            }
            return Data.ofDoubles(type, values, shape);
        }
        long[] values = new long[text.length];
        for (int n = 0; n < values.length; n++) {
            values[n] = type == DataType.BOOL ? text[n].isEmpty() || text[n].equals("0") || text[n].equalsIgnoreCase("false") ? 0 : 1
                : (long) number(text[n], false);
        }
        return Data.ofLongs(type, values, shape);
    }

    private static double number(String text, boolean narrow) {
        String trimmed = text.trim();
        switch (trimmed.toLowerCase(java.util.Locale.ROOT)) {
            case "inf":
            case "+inf":
            case "infinity":
                return Double.POSITIVE_INFINITY;
            case "-inf":
            case "-infinity":
                return Double.NEGATIVE_INFINITY;
            case "nan":
                return Double.NaN;
            default:
                return narrow ? Float.parseFloat(trimmed) : Double.parseDouble(trimmed);
        }
    }
}
