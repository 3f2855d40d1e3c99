package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Ensembles of decision trees. */
final class Trees {
    private final Call call;
    private final long[] feature;
    private final double[] value;
    private final String[] mode;
    private final int[] yes;
    private final int[] no;
    private final boolean[] missing;
    private final int[] roots;
    /** Of each node its leaf's weights: where they begin in `targets` and `weights`, sorted by node. */
    private final int[][] leaves;
    private final long[] targets;
    private final double[] weights;

    Trees(Call call) {
        this.call = call;
        Attributes a = call.attributes;
        boolean isClassifier = call.node.operator.name.equals("TreeEnsembleClassifier");
        long[] tree = a.integers("nodes_treeids", new long[0]);
        long[] id = a.integers("nodes_nodeids", new long[0]);
        feature = a.integers("nodes_featureids", new long[0]);
        value = values(a, "nodes_values");
        mode = a.strings("nodes_modes");
        long[] yesIds = a.integers("nodes_truenodeids", new long[0]);
        long[] noIds = a.integers("nodes_falsenodeids", new long[0]);
        long[] goes = a.integers("nodes_missing_value_tracks_true", new long[tree.length]);
        int count = tree.length;
        for (int length : new int[] {id.length, feature.length, value.length, mode == null ? 0 : mode.length,
            yesIds.length, noIds.length, goes.length}) {
            if (length != count) {
                throw call.refused("attributes of " + count + " nodes differ in length");
            }
        }
        Map<String, Integer> at = new HashMap<>();
        for (int n = 0; n < count; n++) {
            at.put(tree[n] + ":" + id[n], n);
        }
        yes = new int[count];
        no = new int[count];
        missing = new boolean[count];
        boolean[] inner = new boolean[count];
        for (int n = 0; n < count; n++) {
            missing[n] = goes[n] != 0;
            if (mode[n].equals("LEAF")) {
                continue;
            }
            Integer left = at.get(tree[n] + ":" + yesIds[n]);
            Integer right = at.get(tree[n] + ":" + noIds[n]);
            if (left == null || right == null) {
                throw call.refused("node " + id[n] + " of tree " + tree[n] + " leads to none");
            }
            yes[n] = left;
            no[n] = right;
            inner[left] = true;
            inner[right] = true;
        }
        // The root of a tree is the first of its nodes that no other leads to.
        Map<Long, Integer> first = new java.util.LinkedHashMap<>();
        for (int n = 0; n < count; n++) {
            if (!inner[n]) {
                first.putIfAbsent(tree[n], n);
            }
        }
        roots = first.values().stream().mapToInt(Integer::intValue).toArray();
        String prefix = isClassifier ? "class_" : "target_";
        targets = a.integers(prefix + "ids", new long[0]);
        weights = values(a, prefix + "weights");
        long[] ownTree = a.integers(prefix + "treeids", new long[0]);
        long[] ownId = a.integers(prefix + "nodeids", new long[0]);
        if (targets.length != weights.length || ownTree.length != weights.length || ownId.length != weights.length) {
            throw call.refused("attributes of " + weights.length + " leaves differ in length");
        }
        leaves = new int[count][0];
        for (int n = 0; n < weights.length; n++) {
            Integer node = at.get(ownTree[n] + ":" + ownId[n]);
            if (node == null) {
                throw call.refused("leaf " + ownId[n] + " of tree " + ownTree[n] + " is no node");
            }
            leaves[node] = Arrays.copyOf(leaves[node], leaves[node].length + 1);
            leaves[node][leaves[node].length - 1] = n;
        }
    }

    private static double[] values(Attributes a, String name) {
        Item tensor = a.tensor(name + "_as_tensor");
        double[] floats = a.numbers(name);
        return tensor != null ? Data.doubles(tensor.data()) : floats == null ? new double[0] : floats;
    }

    private boolean holds(int n, double x) {
        if (Double.isNaN(x)) {
            return missing[n];
        }
        switch (mode[n]) {
            case "BRANCH_LEQ":
                return x <= value[n];
            case "BRANCH_LT":
                return x < value[n];
            case "BRANCH_GTE":
                return x >= value[n];
            case "BRANCH_GT":
                return x > value[n];
            case "BRANCH_EQ":
                return x == value[n];
            case "BRANCH_NEQ":
                return x != value[n];
            default:
                throw call.refused("a node has the mode `" + mode[n] + "`");
        }
    }

    /** What the trees give for each row and target. */
    private double[] scores(int columns, String how) {
        long[] shape = call.shape(0);
        if (shape.length != 2) {
            throw call.refused("a matrix is expected, not shape " + Arrays.toString(shape));
        }
        double[] x = call.doubles(0);
        int rows = (int) shape[0];
        int features = (int) shape[1];
        double[] base = values(call.attributes, "base_values");
        double[] result = new double[Shapes.intSize(rows, columns)];
        for (int row = 0; row < rows; row++) {
            double[] most = new double[columns];
            boolean[] seen = new boolean[columns];
            for (int root : roots) {
                int n = root;
                for (int depth = 0; !mode[n].equals("LEAF"); depth++) {
                    if (depth > mode.length || feature[n] < 0 || feature[n] >= features) {
                        throw call.refused("a tree has a cycle, or asks for feature " + feature[n] + " of " + features);
                    }
                    n = holds(n, x[row * features + (int) feature[n]]) ? yes[n] : no[n];
                }
                for (int leaf : leaves[n]) {
                    int target = (int) Indexing.position(targets[leaf], columns);
                    most[target] = !seen[target] || how.equals("SUM") || how.equals("AVERAGE") ? most[target] + weights[leaf]
                        : how.equals("MIN") ? Math.min(most[target], weights[leaf]) : Math.max(most[target], weights[leaf]);
                    seen[target] = true;
                }
            }
            for (int k = 0; k < columns; k++) {
                double sum = how.equals("AVERAGE") ? most[k] / roots.length : most[k];
                result[row * columns + k] = sum + (base.length == columns ? base[k] : base.length == 1 ? base[0] : 0);
            }
        }
        return result;
    }

    Item regress() {
        int columns = Math.toIntExact(call.attributes.integer("n_targets", 1));
        double[] scores = scores(columns, call.attributes.string("aggregate_function", "SUM"));
        return Classical.transformed(Call.made(Data.ofDoubles(DataType.FLOAT, scores, call.shape(0)[0], columns)),
            call.attributes.string("post_transform", "NONE"));
    }

    Item[] classify() {
        String[] strings = call.attributes.strings("classlabels_strings");
        int labels = strings != null && strings.length > 0 ? strings.length : call.attributes.integers("classlabels_int64s", new long[0]).length;
        // Two classes may have one score: all leaves then are of the same.
        boolean single = labels == 2 && Arrays.stream(targets).distinct().count() <= 1;
        double[] scores = scores(labels, "SUM");
        int rows = (int) call.shape(0)[0];
        if (single) {
            int of = targets.length == 0 ? 0 : (int) targets[0];
            double[] one = new double[rows];
            for (int n = 0; n < rows; n++) {
                one[n] = scores[n * labels + of];
            }
            boolean positive = Arrays.stream(weights).allMatch(weight -> weight >= 0);
            return Classical.labelled(call, one, rows, 1, call.attributes.string("post_transform", "NONE"), positive);
        }
        return Classical.labelled(call, scores, rows, labels, call.attributes.string("post_transform", "NONE"), false);
    }
}
