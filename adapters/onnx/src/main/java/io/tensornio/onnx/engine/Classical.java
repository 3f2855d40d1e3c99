package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Operators of classical models, of the domain `ai.onnx.ml`. */
final class Classical {
    private Classical() {
    }

    static void addTo(Table table) {
        table.domain(Table.ML);
        table.one("ArrayFeatureExtractor", 1, "columns", Classical::features).keeps();
        table.one("Binarizer", 1, "1 above the threshold, else 0",
            call -> Elementwise.map(Types.cast(call.type(0)) + "(a > "
                + Elementwise.number(call.attributes.number("threshold", 0)) + ")", call.item(0)));
        table.one("Scaler", 1, "(a - offset) * scale", Classical::scale);
        table.one("Normalizer", 1, "rows divided by their norm", Classical::normalize);
        table.one("LinearRegressor", 1, "a W + b", Classical::regress);
        table.many("LinearClassifier", 1, "a W + b, and the class of the largest", Classical::classify);
        table.one("LabelEncoder", 1, "values in place of others", Classical::encodeClasses).keeps();
        table.one("LabelEncoder", 2, "values in place of others", Classical::encode).keeps();
        table.one("ZipMap", 1, "maps from labels to scores", Classical::zip).keeps();
        table.one("TreeEnsembleRegressor", 1, "sums of leaves", call -> new Trees(call).regress());
        table.many("TreeEnsembleClassifier", 1, "sums of leaves, and the class of the largest", call -> new Trees(call).classify());
        table.one("TreeEnsemble", 5, "sums of leaves", call -> new Ensemble(call).run());
        table.domain("");
    }

    private static Item features(Call call) {
        long[] shape = call.shape(0);
        if (shape.length == 0) {
            throw call.refused("rank 1 or more is expected");
        }
        long[] at = call.longs(1);
        long last = shape[shape.length - 1];
        long rows = Shapes.product(shape, 0, shape.length - 1);
        long[] positions = new long[Shapes.intSize(rows, at.length)];
        for (int n = 0; n < positions.length; n++) {
            positions[n] = n / at.length * last + Indexing.position(at[n % at.length], last);
        }
        return Call.made(Data.picked(call.data(0), positions, shape.length == 1 ? new long[] {1, at.length}
            : Shapes.replaced(shape, shape.length - 1, at.length)));
    }

    /** The input as rows of FLOAT. */
    private static Item rows(Call call) {
        Item cast = Elementwise.cast(call.item(0), DataType.FLOAT);
        long[] shape = cast.shape();
        if (shape.length == 2) {
            return cast;
        }
        return Convolutions.reshapedOnce(cast, shape.length < 2 ? new long[] {1, Shapes.size(shape)}
            : new long[] {shape[0], Shapes.product(shape, 1, shape.length)});
    }

    private static TensorData<?> vector(double[] values) {
        return Data.ofDoubles(DataType.FLOAT, values, values.length);
    }

    private static Item scale(Call call) {
        double[] offset = call.attributes.numbers("offset");
        double[] scale = call.attributes.numbers("scale");
        Item x = Elementwise.cast(call.item(0), DataType.FLOAT);
        try {
            return Elementwise.map("(a - b) * c", x.data(), vector(offset == null ? new double[1] : offset),
                vector(scale == null ? new double[] {1} : scale));
        } finally {
            x.release();
        }
    }

    private static Item normalize(Call call) {
        String norm = call.attributes.string("norm", "MAX");
        Item x = rows(call);
        try {
            Item y = Programs.run(norm.equals("MAX") ? "s[i] max= x0[i,j]; y[i,j] = x0[i,j] / s[i]; return y"
                : norm.equals("L1") ? "s[i] += abs(x0[i,j]); y[i,j] = select(s[i] == 0, x0[i,j], x0[i,j] / s[i]); return y"
                : "s[i] += x0[i,j] * x0[i,j]; y[i,j] = select(s[i] == 0, x0[i,j], x0[i,j] / sqrt(s[i])); return y", x.data());
            return Convolutions.reshapedOnce(y, call.shape(0));
        } finally {
            x.release();
        }
    }

    /** a W + b, of coefficients that are rows of classes. */
    private static Item linear(Call call, Item x, int classes) {
        double[] coefficients = call.attributes.numbers("coefficients");
        double[] intercepts = call.attributes.numbers("intercepts");
        long features = x.shape()[1];
        if (coefficients == null || coefficients.length != classes * features || intercepts != null && intercepts.length != classes) {
            throw call.refused("coefficients are not for " + classes + " results of " + features + " features");
        }
        return Programs.run("t[i,k] += x0[i,j] * x1[k,j]; y[i,k] = t[i,k] + x2[k]; return y", x.data(),
            Data.ofDoubles(DataType.FLOAT, coefficients, classes, features), vector(intercepts == null ? new double[classes] : intercepts));
    }

    private static Item regress(Call call) {
        Item x = rows(call);
        Item y = linear(call, x, Math.toIntExact(call.attributes.integer("targets", 1)));
        x.release();
        return transformed(y, call.attributes.string("post_transform", "NONE"));
    }

    /** Scores of rows after a transform; takes the share. */
    static Item transformed(Item scores, String how) {
        if (how.equals("NONE")) {
            return scores;
        }
        try {
            switch (how) {
                case "LOGISTIC":
                    return Elementwise.map("sigmoid(a)", scores);
                case "SOFTMAX":
                    return Reductions.along(scores.data(), -1, "m[K] max= a[A]; e[A] = exp(a[A] - m[K]); s[K] += e[A]; y[A] = e[A] / s[K]; return y");
                case "SOFTMAX_ZERO":
                    return Reductions.along(scores.data(), -1, "m[K] max= a[A]; e[A] = select(a[A] == 0, 0, exp(a[A] - m[K])); s[K] += e[A]; "
                        + "y[A] = e[A] / s[K]; return y");
                case "PROBIT":
                    return Elementwise.map("1.4142135623730951 * erfinv(2 * a - 1)", scores);
                default:
                    throw new IllegalArgumentException("attribute `post_transform` is `" + how + "`");
            }
        } finally {
            scores.release();
        }
    }

    /** The label and the scores of each row. */
    static Item[] labelled(Call call, double[] scores, int rows, int columns, String how, boolean binaryByLogistic) {
        String[] strings = call.attributes.strings("classlabels_strings");
        long[] integers = call.attributes.integers("classlabels_int64s", call.attributes.integers("classlabels_ints", new long[0]));
        int labels = strings != null && strings.length > 0 ? strings.length : integers.length;
        boolean single = columns == 1 && labels == 2;
        int width = single ? 2 : columns;
        if (labels < width) {
            throw call.refused(labels + " labels are for " + width + " classes");
        }
        double[] out = new double[Shapes.intSize(rows, width)];
        int[] best = new int[rows];
        boolean logistic = how.equals("LOGISTIC");
        for (int n = 0; n < rows; n++) {
            if (single) {
                // One score tells two classes apart.
                double score = scores[n];
                best[n] = score > (binaryByLogistic && !logistic && how.equals("NONE") ? 0.5 : 0) ? 1 : 0;
                out[2 * n + 1] = score;
                out[2 * n] = logistic || how.equals("SOFTMAX") ? -score : binaryByLogistic ? 1 - score : -score;
            } else {
                for (int k = 0; k < columns; k++) {
                    out[n * width + k] = scores[n * columns + k];
                    best[n] = scores[n * columns + k] > scores[n * columns + best[n]] ? k : best[n];
                }
            }
        }
        Item label;
        if (strings != null && strings.length > 0) {
            String[] chosen = new String[rows];
            for (int n = 0; n < rows; n++) {
                chosen[n] = strings[best[n]];
            }
            label = Call.made(Data.ofStrings(chosen, rows));
        } else {
            long[] chosen = new long[rows];
            for (int n = 0; n < rows; n++) {
                chosen[n] = integers[best[n]];
            }
            label = Call.made(Data.ofLongs(DataType.INT64, chosen, rows));
        }
        return new Item[] {label, transformed(Call.made(Data.ofDoubles(DataType.FLOAT, out, rows, width)), how)};
    }

    private static Item[] classify(Call call) {
        Item x = rows(call);
        double[] intercepts = call.attributes.numbers("intercepts");
        double[] coefficients = call.attributes.numbers("coefficients");
        long features = Math.max(1, x.shape()[1]);
        int classes = intercepts != null ? intercepts.length : coefficients == null ? 0 : (int) (coefficients.length / features);
        Item y = linear(call, x, classes);
        int rows = (int) x.shape()[0];
        x.release();
        double[] scores = Data.doubles(y.data());
        y.release();
        return labelled(call, scores, rows, classes, call.attributes.string("post_transform", "NONE"), false);
    }

    private static Item encodeClasses(Call call) {
        String[] classes = call.attributes.strings("classes_strings");
        if (classes == null) {
            throw call.refused("attribute `classes_strings` is missing");
        }
        if (call.type(0) == DataType.STRING) {
            Map<Object, Long> positions = new HashMap<>();
            for (int n = 0; n < classes.length; n++) {
                positions.putIfAbsent(classes[n], (long) n);
            }
            String[] given = Data.strings(call.data(0));
            long[] result = new long[given.length];
            Arrays.setAll(result, n -> positions.getOrDefault(given[n], call.attributes.integer("default_int64", -1)));
            return Call.made(Data.ofLongs(DataType.INT64, result, call.shape(0)));
        }
        long[] given = call.longs(0);
        String[] result = new String[given.length];
        Arrays.setAll(result, n -> given[n] >= 0 && given[n] < classes.length ? classes[(int) given[n]]
            : call.attributes.string("default_string", "_Unused"));
        return Call.made(Data.ofStrings(result, call.shape(0)));
    }

    /** Keys or values of an encoder: of whichever type they are given. */
    private static Elements column(Call call, String name) {
        Attributes a = call.attributes;
        if (a.tensor(name + "_tensor") != null) {
            return Elements.of(a.tensor(name + "_tensor").data());
        }
        if (a.strings(name + "_strings") != null) {
            String[] values = a.strings(name + "_strings");
            return Elements.of(Data.ofStrings(values, values.length));
        }
        if (a.integers(name + "_int64s") != null) {
            long[] values = a.integers(name + "_int64s");
            return Elements.of(Data.ofLongs(DataType.INT64, values, values.length));
        }
        double[] values = a.numbers(name + "_floats");
        if (values == null) {
            throw call.refused("attributes `" + name + "_strings`, `" + name + "_int64s`, `" + name + "_floats` are all missing");
        }
        return Elements.of(vector(values));
    }

    private static Object key(Elements elements, int n) {
        return elements.strings != null ? elements.strings[n] : elements.whole != null ? (Object) elements.whole[n]
            : Double.isNaN(elements.numbers[n]) ? (Object) Double.NaN : (Object) elements.numbers[n];
    }

    private static Item encode(Call call) {
        Elements keys = column(call, "keys");
        Elements values = column(call, "values");
        Elements given = Elements.of(call.data(0));
        if (keys.size() != values.size()) {
            throw call.refused(keys.size() + " keys are for " + values.size() + " values");
        }
        Map<Object, Integer> positions = new HashMap<>();
        for (int n = 0; n < keys.size(); n++) {
            positions.putIfAbsent(key(keys, n), n);
        }
        Elements result = Elements.zeros(values.type, given.size());
        Elements otherwise = otherwise(call, values.type);
        for (int n = 0; n < given.size(); n++) {
            Integer at = positions.get(key(given, n));
            result.set(n, at == null ? otherwise : values, at == null ? 0 : at);
        }
        return result.item(call.shape(0));
    }

    private static Elements otherwise(Call call, DataType type) {
        Attributes a = call.attributes;
        if (a.tensor("default_tensor") != null) {
            return Elements.of(a.tensor("default_tensor").data());
        }
        return Elements.of(type == DataType.STRING ? Data.ofStrings(new String[] {a.string("default_string", "_Unused")}, 1)
            : type.isFloat() ? Data.ofDoubles(type, new double[] {a.number("default_float", -0.0)}, 1)
            : Data.ofLongs(type, new long[] {a.integer("default_int64", -1)}, 1));
    }

    private static Item zip(Call call) {
        String[] strings = call.attributes.strings("classlabels_strings");
        long[] integers = call.attributes.integers("classlabels_int64s");
        int labels = strings != null ? strings.length : integers == null ? 0 : integers.length;
        long[] shape = call.shape(0);
        if (shape.length < 1 || shape.length > 2 || shape[shape.length - 1] != labels) {
            throw call.refused(labels + " labels are for scores of shape " + Arrays.toString(shape));
        }
        double[] scores = call.doubles(0);
        List<Item> maps = new ArrayList<>();
        for (int n = 0; n < scores.length / Math.max(1, labels); n++) {
            Map<String, Item> map = new LinkedHashMap<>();
            for (int k = 0; k < labels; k++) {
                map.put(strings != null ? strings[k] : Long.toString(integers[k]),
                    Item.borrowed(Data.ofDoubles(DataType.FLOAT, new double[] {scores[n * labels + k]}, Shapes.SCALAR)));
            }
            maps.add(Item.map(map));
        }
        return Item.sequence(null, maps);
    }
}
