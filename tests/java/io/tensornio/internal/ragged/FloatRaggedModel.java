package io.tensornio.internal.ragged;

import io.tensornio.AnyTensor;
import io.tensornio.FloatTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.FloatValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A naive model of {@code float} data with rows of any lengths: lists of lists, whose leaves are boxes, so that a slice of the model shares its
 * elements with it. An axis is ragged or uniform by its size in the shape.
 */
final class FloatRaggedModel {
    /** One element, which several slices may have. */
    static final class Box {
        float value;

        Box(float value) {
            this.value = value;
        }
    }

    /** The sizes, -1 of ragged axes. */
    final long[] shape;
    /** A {@link Box}, or a list of such nodes. */
    final Object root;

    FloatRaggedModel(long[] shape, Object root) {
        this.shape = shape;
        this.root = root;
    }

    /** All zeros, with empty rows. */
    static FloatRaggedModel zeros(long... shape) {
        return new FloatRaggedModel(shape, zero(shape, 0));
    }

    /** A node of zeros below {@code d} axes. */
    static Object zero(long[] shape, int d) {
        if (d == shape.length) {
            return new Box(FloatValues.ZERO);
        }
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < shape[d]; i++) {
            list.add(zero(shape, d + 1));
        }
        return list;
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object node) {
        return (List<Object>) node;
    }

    /** The node at some indices; ragged axes become long enough if that is asked for. */
    Object at(boolean grow, int... indices) {
        Object node = root;
        for (int d = 0; d < indices.length; d++) {
            while (grow && shape[d] < 0 && list(node).size() <= indices[d]) {
                list(node).add(zero(shape, d + 1));
            }
            node = list(node).get(indices[d]);
        }
        return node;
    }

    /** Random indices of an element or of a part, if there is one, else null; on ragged axes perhaps some behind the end, if rows may grow. */
    int[] indices(Random random, int n, boolean grow) {
        int[] indices = new int[n];
        Object node = root;
        for (int d = 0; d < n; d++) {
            int size = node == null ? 0 : list(node).size();
            int room = shape[d] < 0 && grow ? Math.max(size, 1) + random.nextInt(3)
                : shape[d] < 0 || node != null ? size : (int) shape[d];
            if (room == 0) {
                return null;
            }
            indices[d] = random.nextInt(room);
            node = node == null || indices[d] >= size ? null : list(node).get(indices[d]);
        }
        return indices;
    }

    /** The last ragged axis. */
    int last() {
        int d = shape.length - 1;
        while (shape[d] >= 0) {
            d--;
        }
        return d;
    }

    /** Whether there is an element. */
    boolean has(int... indices) {
        Object node = root;
        for (int i : indices) {
            if (i < 0 || i >= list(node).size()) {
                return false;
            }
            node = list(node).get(i);
        }
        return true;
    }

    /** The boxes of a node in row-major order. */
    static List<Box> boxes(Object node) {
        List<Box> all = new ArrayList<>();
        collect(node, all);
        return all;
    }

    private static void collect(Object node, List<Box> all) {
        if (node instanceof Box) {
            all.add((Box) node);
        } else {
            for (Object child : list(node)) {
                collect(child, all);
            }
        }
    }

    float[] values() {
        return values(root);
    }

    private static float[] values(Object node) {
        List<Box> boxes = boxes(node);
        float[] values = new float[boxes.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = boxes.get(i).value;
        }
        return values;
    }

    /**
     * A tensor of its own with the same rows and elements, by row splits where these can say it, else filled row by row.
     *
     * @return null of what neither can: between axes of one size, positions of a ragged axis that have no row below them
     */
    AnyTensor<Float> tensor() {
        long[] own = shape.clone();
        if (own.length > 0) {
            own[0] = list(root).size();             // the data may have grown since the slice was made
        }
        int last = own.length - 1;
        while (last > 0 && own[last] >= 0) {
            last--;
        }
        if (last <= 0) {
            return Tensors.denseFloat(own, data -> data.copyFrom(values()));
        }
        List<long[]> splits = new ArrayList<>();
        List<Object> nodes = list(root);
        boolean uniform = false;
        boolean empty = false;
        for (int d = 1; d <= last; d++) {
            List<Object> below = new ArrayList<>();
            long[] ends = new long[nodes.size() + 1];
            for (int n = 0; n < nodes.size(); n++) {
                below.addAll(list(nodes.get(n)));
                ends[n + 1] = below.size();
                empty |= d < last && ends[n + 1] == ends[n];
            }
            splits.add(ends);
            uniform |= own[d] >= 0;
            nodes = below;
        }
        long[] sizes = Arrays.copyOfRange(own, last, own.length);
        sizes[0] = nodes.size();
        if (!uniform) {
            return RaggedTensor.fromRowSplits(FloatTensorData.of(values(), sizes), splits.toArray(new long[0][]));
        }
        int rows = last;
        return empty || nodes.size() > 0 && boxes(root).isEmpty() ? null : Tensors.raggedFloat(own, data -> putRows(data, root, rows));
    }

    private static void putRows(FloatTensorData data, Object node, int rows, int... at) {
        if (at.length == rows) {
            data.put(values(node), at);
            return;
        }
        int[] next = Arrays.copyOf(at, at.length + 1);
        for (Object child : list(node)) {
            putRows(data, child, rows, next);
            next[at.length]++;
        }
    }

    /** The lengths of all rows of all axes from the second on. */
    List<Integer> lengths() {
        List<Integer> all = new ArrayList<>();
        List<Object> nodes = new ArrayList<>();
        nodes.add(root);
        for (int d = 0; d < shape.length; d++) {
            List<Object> below = new ArrayList<>();
            for (Object node : nodes) {
                if (d > 0) {
                    all.add(list(node).size());
                }
                below.addAll(list(node));
            }
            nodes = below;
        }
        return all;
    }

    /** The shape with the real size of the first axis, which may be ragged in a part of a larger model. */
    static FloatRaggedModel part(long[] shape, Object node) {
        long[] own = shape.clone();
        if (own.length > 0) {
            own[0] = list(node).size();
        }
        return new FloatRaggedModel(own, node);
    }

    /** The part at some leading indices. */
    FloatRaggedModel slice(int... indices) {
        return part(Arrays.copyOfRange(shape, indices.length, shape.length), at(false, indices));
    }

    /** The part that indices select. */
    FloatRaggedModel slice(List<RaggedPick> picks) {
        List<Long> sizes = new ArrayList<>();
        int d = 0;
        for (RaggedPick pick : picks) {
            pick.addSizes(sizes, pick.takesAxis() ? shape[d] : 1);
            d += pick.takesAxis() ? 1 : 0;
        }
        for (; d < shape.length; d++) {
            sizes.add(shape[d]);
        }
        long[] shapeNow = new long[sizes.size()];
        for (int n = 0; n < shapeNow.length; n++) {
            shapeNow[n] = sizes.get(n);
        }
        Object node = pick(root, picks, 0);
        int ones = 0;
        for (RaggedPick pick : picks) {
            if (pick.takesAxis() && !pick.drops()) {
                break;
            }
            ones += pick.takesAxis() ? 0 : 1;
        }
        if (ones > 0 && ones < shapeNow.length) {         // of one row, since all axes before were dropped
            Object row = node;
            for (int n = 0; n < ones; n++) {
                row = list(row).get(0);
            }
            shapeNow[ones] = list(row).size();
        }
        return part(shapeNow, node);
    }

    /** The same boxes in lists of their own: a slice does not grow with what it was made from. */
    private static Object copy(Object node) {
        if (node instanceof Box) {
            return node;
        }
        List<Object> own = new ArrayList<>();
        for (Object child : list(node)) {
            own.add(copy(child));
        }
        return own;
    }

    private static Object pick(Object node, List<RaggedPick> picks, int n) {
        if (n == picks.size()) {
            return copy(node);
        }
        RaggedPick pick = picks.get(n);
        List<Object> kept = new ArrayList<>();
        if (!pick.takesAxis()) {
            kept.add(pick(node, picks, n + 1));
            return kept;
        }
        List<Object> from = list(node);
        for (int i : pick.positions(from.size())) {
            kept.add(pick(from.get(i), picks, n + 1));
        }
        return pick.drops() ? kept.get(0) : kept;
    }
}
