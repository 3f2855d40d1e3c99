package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import java.util.Arrays;

/** Elements of any type in an array on the heap, in row-major order, for operators that move single ones. */
final class Elements {
    final DataType type;
    /** Of FLOAT and DOUBLE; else null. */
    final double[] numbers;
    /** Of integers and truth values; else null. */
    final long[] whole;
    /** Of STRING; else null. */
    final String[] strings;

    private Elements(DataType type, double[] numbers, long[] whole, String[] strings) {
        this.type = type;
        this.numbers = numbers;
        this.whole = whole;
        this.strings = strings;
    }

    static Elements of(TensorData<?> data) {
        DataType type = data.dataType();
        return type == DataType.STRING ? new Elements(type, null, null, Data.strings(data))
            : type.isFloat() ? new Elements(type, Data.doubles(data), null, null) : new Elements(type, null, Data.longs(data), null);
    }

    /** Zeros, false or "". */
    static Elements zeros(DataType type, int size) {
        if (type == DataType.STRING) {
            String[] strings = new String[size];
            Arrays.fill(strings, "");
            return new Elements(type, null, null, strings);
        }
        return type.isFloat() ? new Elements(type, new double[size], null, null) : new Elements(type, null, new long[size], null);
    }

    int size() {
        return numbers != null ? numbers.length : whole != null ? whole.length : strings.length;
    }

    void set(int to, Elements from, int at) {
        if (numbers != null) {
            numbers[to] = from.numbers[at];
        } else if (whole != null) {
            whole[to] = from.whole[at];
        } else {
            strings[to] = from.strings[at];
        }
    }

    /** Puts a number, rounded to the type. */
    void set(int to, double value) {
        if (numbers != null) {
            numbers[to] = type == DataType.FLOAT ? (float) value : value;
        } else {
            whole[to] = (long) value;
        }
    }

    double number(int at) {
        return numbers != null ? numbers[at] : whole[at];
    }

    int compare(int a, int b) {
        return numbers != null ? Double.compare(numbers[a], numbers[b]) : whole != null ? Long.compare(whole[a], whole[b])
            : strings[a].compareTo(strings[b]);
    }

    /** Combines an element with one of others: `none`, `add`, `mul`, `max` or `min`. */
    void reduce(int to, Elements from, int at, String how) {
        switch (how) {
            case "none":
                set(to, from, at);
                return;
            case "add":
                if (whole != null) {
                    whole[to] += from.whole[at];
                } else {
                    set(to, numbers[to] + from.numbers[at]);
                }
                return;
            case "mul":
                if (whole != null) {
                    whole[to] *= from.whole[at];
                } else {
                    set(to, numbers[to] * from.numbers[at]);
                }
                return;
            case "max":
                if (whole != null) {
                    whole[to] = Math.max(whole[to], from.whole[at]);
                } else {
                    numbers[to] = Math.max(numbers[to], from.numbers[at]);
                }
                return;
            case "min":
                if (whole != null) {
                    whole[to] = Math.min(whole[to], from.whole[at]);
                } else {
                    numbers[to] = Math.min(numbers[to], from.numbers[at]);
                }
                return;
            default:
                throw new IllegalArgumentException("attribute `reduction` is `" + how + "`");
        }
    }

    TensorData<?> data(long... shape) {
        return strings != null ? Data.ofStrings(strings, shape) : numbers != null ? Data.ofDoubles(type, numbers, shape)
            : Data.ofLongs(type, whole, shape);
    }

    Item item(long... shape) {
        return Call.made(data(shape));
    }
}
