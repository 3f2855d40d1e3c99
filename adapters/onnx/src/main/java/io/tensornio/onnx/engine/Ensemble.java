package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The ensemble of trees of version 5: nodes and leaves by their positions, modes and transforms by their numbers. */
final class Ensemble {
    private static final int MEMBER = 6;
    private static final String[] TRANSFORMS = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};

    private final Call call;
    private final long[] feature;
    private final long[] mode;
    private final double[] split;
    private final long[][] next;
    private final long[][] isLeaf;
    private final long[] missing;
    private final long[] roots;
    private final long[] targets;
    private final double[] weights;
    /** Of nodes that ask for membership their sets; else null. */
    private final List<Set<Double>> sets = new ArrayList<>();

    Ensemble(Call call) {
        this.call = call;
        Attributes a = call.attributes;
        feature = a.integers("nodes_featureids", new long[0]);
        int count = feature.length;
        mode = Data.longs(tensor("nodes_modes").data());
        split = Data.doubles(tensor("nodes_splits").data());
        next = new long[][] {a.integers("nodes_falsenodeids", new long[0]), a.integers("nodes_truenodeids", new long[0])};
        isLeaf = new long[][] {a.integers("nodes_falseleafs", new long[0]), a.integers("nodes_trueleafs", new long[0])};
        missing = a.integers("nodes_missing_value_tracks_true", new long[count]);
        roots = a.integers("tree_roots", new long[0]);
        targets = a.integers("leaf_targetids", new long[0]);
        weights = Data.doubles(tensor("leaf_weights").data());
        for (int length : new int[] {mode.length, split.length, next[0].length, next[1].length, isLeaf[0].length, isLeaf[1].length, missing.length}) {
            if (length != count) {
                throw call.refused("attributes of " + count + " nodes differ in length");
            }
        }
        if (targets.length != weights.length) {
            throw call.refused(targets.length + " targets are for " + weights.length + " leaves");
        }
        readSets();
    }

    private Item tensor(String name) {
        Item tensor = call.attributes.tensor(name);
        if (tensor == null) {
            throw call.refused("attribute `" + name + "` is missing");
        }
        return tensor;
    }

    /** Sets stand one behind the other, in the order of the nodes that ask for them; NaN ends each. */
    private void readSets() {
        double[] members = call.attributes.tensor("membership_values") == null ? new double[0] : Data.doubles(tensor("membership_values").data());
        int at = 0;
        for (long one : mode) {
            Set<Double> set = one == MEMBER ? new HashSet<>() : null;
            while (set != null && at < members.length && !Double.isNaN(members[at])) {
                set.add(members[at++] + 0.0);
            }
            at += set == null ? 0 : 1;
            sets.add(set);
        }
    }

    private boolean holds(int n, double x) {
        if (Double.isNaN(x)) {
            return missing[n] != 0;
        }
        switch (position(mode[n], MEMBER + 1, "modes")) {
            case 0:
                return x <= split[n];
            case 1:
                return x < split[n];
            case 2:
                return x >= split[n];
            case 3:
                return x > split[n];
            case 4:
                return x == split[n];
            case 5:
                return x != split[n];
            default:
                return sets.get(n).contains(x + 0.0);
        }
    }

    /** The leaf of a tree for a row. */
    private int leaf(long root, double[] x, int row, int features) {
        int n = position(root, feature.length, "nodes");
        for (int depth = 0; depth <= feature.length; depth++) {
            int at = position(feature[n], features, "features");
            int side = holds(n, x[row * features + at]) ? 1 : 0;
            if (isLeaf[side][n] != 0) {
                return position(next[side][n], weights.length, "leaves");
            }
            n = position(next[side][n], feature.length, "nodes");
        }
        throw call.refused("the tree of root " + root + " has a cycle");
    }

    private int position(long at, int count, String of) {
        if (at < 0 || at >= count) {
            throw call.refused("there are " + count + " " + of + ", and none at " + at);
        }
        return (int) at;
    }

    Item run() {
        long[] shape = call.shape(0);
        if (shape.length != 2) {
            throw call.refused("a matrix is expected, not shape " + Arrays.toString(shape));
        }
        int columns = Math.toIntExact(call.attributes.integer("n_targets", 1));
        int how = position(call.attributes.integer("aggregate_function", 1), 4, "ways to combine trees");
        String transform = TRANSFORMS[position(call.attributes.integer("post_transform", 0), TRANSFORMS.length, "transforms")];
        double[] x = call.doubles(0);
        int rows = (int) shape[0];
        double[] result = new double[Shapes.intSize(rows, columns)];
        boolean[] seen = new boolean[result.length];
        for (int row = 0; row < rows; row++) {
            for (long root : roots) {
                int leaf = leaf(root, x, row, (int) shape[1]);
                int at = row * columns + position(targets[leaf], columns, "targets");
                result[at] = how < 2 || !seen[at] ? result[at] + weights[leaf]
                    : how == 2 ? Math.min(result[at], weights[leaf]) : Math.max(result[at], weights[leaf]);
                seen[at] = true;
            }
        }
        for (int n = 0; how == 0 && n < result.length; n++) {
            result[n] /= roots.length;
        }
        DataType type = call.type(0) == DataType.DOUBLE ? DataType.DOUBLE : DataType.FLOAT;
        return Classical.transformed(Call.made(Data.ofDoubles(type, result, rows, columns)), transform);
    }
}
