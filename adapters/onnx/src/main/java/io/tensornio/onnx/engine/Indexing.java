package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Operators that take or put elements at positions which are elements of other tensors. */
final class Indexing {
    private Indexing() {
    }

    static void addTo(Table table) {
        table.one("Gather", 1, "y[A, K, B] = a[A, select(p[K] < 0, p[K] + n, p[K]), B]", Indexing::gather);
        table.one("GatherElements", 11, "elements at positions along an axis", Indexing::gatherElements).keeps();
        table.one("GatherND", 11, "slices at positions", Indexing::gatherNd).keeps();
        table.one("Scatter", 9, "ScatterElements", Indexing::scatterElements);
        table.one("ScatterElements", 11, "elements put to positions along an axis", Indexing::scatterElements);
        table.one("ScatterND", 11, "slices put to positions", Indexing::scatterNd);
        table.one("Compress", 9, "slices where a condition is true", Indexing::compress).keeps();
        table.one("NonZero", 9, "positions of what is not 0", Indexing::nonZero).narrows(0);
        table.many("Unique", 11, "each value once", Indexing::unique).narrows(1);
        table.one("OneHot", 9, "one of two values, by whether the index is there", Indexing::oneHot).keeps().late();
        table.many("TopK", 1, "the largest or smallest, in order", Indexing::topK).narrows(1);
        table.one("Trilu", 14, "select(j - i >= k, a, 0), select(j - i <= k, a, 0)", Indexing::triangle);
        table.one("ReverseSequence", 10, "the start of each row reversed", Indexing::reverseSequence).keeps();
    }

    /** A position that may count from the end. */
    static long position(long index, long length) {
        if (index < -length || index >= length) {
            throw new IllegalArgumentException("index " + index + " is not in an axis of " + length);
        }
        return index < 0 ? index + length : index;
    }

    private static Item gather(Call call) {
        TensorData<?> data = call.data(0);
        long[] shape = data.shape();
        int axis = Shapes.axis(call.attributes.integer("axis", 0), shape.length);
        long[] at = call.shape(1);
        if (at.length == 0) {
            return call.view(0, Shaping.sliced(data, axis, TensorIndex.at(position(call.integer(1), shape[axis]))));
        }
        long[] result = Shapes.replaced(shape, axis, at);
        if (data.dataType() == DataType.STRING || Shapes.size(result) <= Call.FEW && data.totalSize() <= Call.FEW) {
            return picked(call, shape, axis, result);
        }
        StringBuilder from = new StringBuilder();
        StringBuilder to = new StringBuilder();
        StringBuilder index = new StringBuilder();
        for (int k = 0; k < at.length; k++) {
            index.append(k == 0 ? "" : ",").append('k').append(k);
        }
        for (int d = 0; d < shape.length; d++) {
            from.append(d == 0 ? "" : ",").append(d == axis ? "p[" + index + "]" : "i" + d);
            String loop = d == axis ? index.toString() : "i" + d;
            to.append(to.length() == 0 || loop.isEmpty() ? "" : ",").append(loop);
        }
        String indices = "x1[" + index + "]";
        return Programs.run("p[" + index + "] = select(" + indices + " < 0, " + indices + " + " + shape[axis] + ", " + indices + "); y[" + to
            + "] = x0[" + from + "]; return y", data, call.data(1));
    }

    private static Item picked(Call call, long[] shape, int axis, long... result) {
        long[] at = call.longs(1);
        long outer = Shapes.product(shape, 0, axis);
        long inner = Shapes.product(shape, axis + 1, shape.length);
        long[] positions = new long[Shapes.intSize(result)];
        int n = 0;
        for (long o = 0; o < outer; o++) {
            for (long index : at) {
                long from = (o * shape[axis] + position(index, shape[axis])) * inner;
                for (long i = 0; i < inner; i++) {
                    positions[n++] = from + i;
                }
            }
        }
        return Call.made(Data.picked(call.data(0), positions, result));
    }

    /** Positions in row-major order of elements whose index on one axis is another. */
    private static long[] along(long[] shape, int axis, long[] indices, long... indicesShape) {
        if (indicesShape.length != shape.length) {
            throw new IllegalArgumentException("indices of rank " + indicesShape.length + " are for data of rank " + shape.length);
        }
        for (int d = 0; d < shape.length; d++) {
            if (d != axis && indicesShape[d] > shape[d]) {
                throw new IllegalArgumentException("indices of shape " + Arrays.toString(indicesShape) + " reach outside of "
                    + Arrays.toString(shape));
            }
        }
        long[] strides = Shapes.strides(shape);
        long[] own = Shapes.strides(indicesShape);
        long[] positions = new long[indices.length];
        for (int n = 0; n < positions.length; n++) {
            long rest = n;
            long at = 0;
            for (int d = 0; d < shape.length; d++) {
                at += (d == axis ? position(indices[n], shape[d]) : rest / own[d]) * strides[d];
                rest %= own[d];
            }
            positions[n] = at;
        }
        return positions;
    }

    private static Item gatherElements(Call call) {
        int axis = Shapes.axis(call.attributes.integer("axis", 0), call.rank(0));
        return Call.made(Data.picked(call.data(0), along(call.shape(0), axis, call.longs(1), call.shape(1)), call.shape(1)));
    }

    private static Item scatterElements(Call call) {
        int axis = Shapes.axis(call.attributes.integer("axis", 0), call.rank(0));
        long[] positions = along(call.shape(0), axis, call.longs(1), call.shape(1));
        Elements result = Elements.of(call.data(0));
        Elements updates = Elements.of(call.data(2));
        if (updates.size() != positions.length || updates.type != result.type) {
            throw call.refused("there are " + positions.length + " indices, and updates of another number or type");
        }
        String how = call.attributes.string("reduction", "none");
        for (int n = 0; n < positions.length; n++) {
            result.reduce((int) positions[n], updates, n, how);
        }
        return result.item(call.shape(0));
    }

    /** Where slices begin whose first indices are the last axis of a tensor. */
    private static long[] starts(long[] shape, int batch, long[] indices, long... indicesShape) {
        int depth = (int) indicesShape[indicesShape.length - 1];
        if (batch + depth > shape.length) {
            throw new IllegalArgumentException(depth + " indices are for data of rank " + shape.length);
        }
        long[] strides = Shapes.strides(shape);
        long perBatch = Shapes.product(indicesShape, batch, indicesShape.length - 1);
        int count = (int) Shapes.product(indicesShape, 0, indicesShape.length - 1);
        long batchStride = batch == 0 ? 0 : strides[batch - 1];
        long[] starts = new long[count];
        for (int n = 0; n < count; n++) {
            long at = batch == 0 ? 0 : n / perBatch * batchStride;
            for (int d = 0; d < depth; d++) {
                at += position(indices[n * depth + d], shape[batch + d]) * strides[batch + d];
            }
            starts[n] = at;
        }
        return starts;
    }

    private static Item gatherNd(Call call) {
        long[] shape = call.shape(0);
        long[] indicesShape = call.shape(1);
        int batch = (int) call.attributes.integer("batch_dims", 0);
        if (indicesShape.length == 0 || batch < 0 || batch >= Math.min(shape.length, indicesShape.length)
            || !Arrays.equals(Arrays.copyOf(shape, batch), Arrays.copyOf(indicesShape, batch))) {
            throw call.refused("indices of shape " + Arrays.toString(indicesShape) + " do not fit");
        }
        long[] starts = starts(shape, batch, call.longs(1), indicesShape);
        int used = batch + (int) indicesShape[indicesShape.length - 1];
        long inner = Shapes.product(shape, used, shape.length);
        long[] result = Shapes.concat(Arrays.copyOf(indicesShape, indicesShape.length - 1), Arrays.copyOfRange(shape, used, shape.length));
        long[] positions = new long[Shapes.intSize(result)];
        for (int n = 0; n < positions.length; n++) {
            positions[n] = starts[(int) (n / inner)] + n % inner;
        }
        return Call.made(Data.picked(call.data(0), positions, result));
    }

    private static Item scatterNd(Call call) {
        long[] shape = call.shape(0);
        long[] indicesShape = call.shape(1);
        if (indicesShape.length == 0) {
            throw call.refused("indices of rank 0");
        }
        long[] starts = starts(shape, 0, call.longs(1), indicesShape);
        int depth = (int) indicesShape[indicesShape.length - 1];
        long inner = Shapes.product(shape, depth, shape.length);
        Elements result = Elements.of(call.data(0));
        Elements updates = Elements.of(call.data(2));
        if (updates.size() != starts.length * inner || updates.type != result.type) {
            throw call.refused("updates of shape " + Arrays.toString(call.shape(2)) + " do not fit");
        }
        String how = call.attributes.string("reduction", "none");
        for (int n = 0; n < updates.size(); n++) {
            result.reduce((int) (starts[(int) (n / inner)] + n % inner), updates, n, how);
        }
        return result.item(shape);
    }

    private static Item compress(Call call) {
        long[] condition = call.longs(1);
        boolean flat = !call.attributes.has("axis");
        long[] shape = flat ? new long[] {call.data(0).totalSize()} : call.shape(0);
        int axis = flat ? 0 : Shapes.axis(call.attributes.integer("axis"), shape.length);
        long[] chosen = new long[condition.length];
        int count = 0;
        for (int n = 0; n < condition.length; n++) {
            if (condition[n] != 0) {
                if (n >= shape[axis]) {
                    throw call.refused("the condition is longer than the axis, which is " + shape[axis]);
                }
                chosen[count++] = n;
            }
        }
        Item data = flat ? call.reshaped(0, shape) : call.item(0).share();
        try {
            TensorData<?> taken = Shaping.sliced(data.data(), axis, io.tensornio.TensorIndex.incl(Arrays.copyOf(chosen, count)));
            return Call.made(taken);
        } finally {
            data.release();
        }
    }

    private static Item nonZero(Call call) {
        long[] shape = call.shape(0);
        Elements all = Elements.of(call.data(0));
        int count = 0;
        int[] found = new int[all.size()];
        for (int n = 0; n < all.size(); n++) {
            if (all.strings != null ? !all.strings[n].isEmpty() : all.number(n) != 0) {
                found[count++] = n;
            }
        }
        int rank = shape.length;
        long[] positions = new long[rank * count];
        long[] strides = Shapes.strides(shape);
        for (int k = 0; k < count; k++) {
            long rest = found[k];
            for (int d = 0; d < rank; d++) {
                positions[d * count + k] = rest / strides[d];
                rest %= strides[d];
            }
        }
        return Call.made(Data.ofLongs(DataType.INT64, positions, rank, count));
    }

    private static Item[] unique(Call call) {
        boolean flat = !call.attributes.has("axis");
        long[] shape = flat ? new long[] {call.data(0).totalSize()} : call.shape(0);
        int axis = flat ? 0 : Shapes.axis(call.attributes.integer("axis"), shape.length);
        Elements all = Elements.of(call.data(0));
        int length = (int) shape[axis];
        int outer = (int) Shapes.product(shape, 0, axis);
        int inner = (int) Shapes.product(shape, axis + 1, shape.length);
        Integer[] order = new Integer[length];
        Arrays.setAll(order, n -> n);
        java.util.Comparator<Integer> rows = (a, b) -> {
            for (int o = 0; o < outer; o++) {
                for (int i = 0; i < inner; i++) {
                    int compared = all.compare((o * length + a) * inner + i, (o * length + b) * inner + i);
                    if (compared != 0) {
                        return compared;
                    }
                }
            }
            return 0;
        };
        Arrays.sort(order, rows);           // stable: of equal ones the first comes first
        List<Integer> first = new ArrayList<>();
        int[] group = new int[length];
        List<Integer> counts = new ArrayList<>();
        for (int n = 0; n < length; n++) {
            if (n == 0 || rows.compare(order[n - 1], order[n]) != 0) {
                first.add(order[n]);
                counts.add(0);
            }
            group[order[n]] = first.size() - 1;
            counts.set(first.size() - 1, counts.get(first.size() - 1) + 1);
        }
        Integer[] result = new Integer[first.size()];
        Arrays.setAll(result, n -> n);
        if (!call.attributes.flag("sorted", true)) {
            Arrays.sort(result, (a, b) -> first.get(a) - first.get(b));
        }
        long[] indices = new long[result.length];
        long[] numbers = new long[result.length];
        int[] rank = new int[result.length];
        for (int n = 0; n < result.length; n++) {
            indices[n] = first.get(result[n]);
            numbers[n] = counts.get(result[n]);
            rank[result[n]] = n;
        }
        long[] inverse = new long[length];
        Arrays.setAll(inverse, n -> rank[group[n]]);
        long[] positions = new long[outer * indices.length * inner];
        int at = 0;
        for (int o = 0; o < outer; o++) {
            for (long index : indices) {
                for (int i = 0; i < inner; i++) {
                    positions[at++] = (o * length + index) * inner + i;
                }
            }
        }
        return new Item[] {Call.made(Data.picked(call.data(0), positions, Shapes.replaced(shape, axis, indices.length))),
            Call.made(Data.ofLongs(DataType.INT64, indices, indices.length)), Call.made(Data.ofLongs(DataType.INT64, inverse, length)),
            Call.made(Data.ofLongs(DataType.INT64, numbers, numbers.length))};
    }

    private static Item oneHot(Call call) {
        long depth = (long) call.number(1);
        long[] shape = call.shape(0);
        int axis = Shapes.axis(call.attributes.integer("axis", -1), shape.length + 1);
        if (call.data(2).totalSize() != 2) {
            throw call.refused("two values are needed, not " + call.data(2).totalSize());
        }
        long[] result = Shapes.concat(Arrays.copyOf(shape, axis), new long[] {depth}, Arrays.copyOfRange(shape, axis, shape.length));
        double[] at = call.doubles(0);
        long inner = Shapes.product(shape, axis, shape.length);
        long[] positions = new long[Shapes.intSize(result)];
        for (int n = 0; n < at.length; n++) {
            long index = (long) at[n];
            index = index < 0 ? index + depth : index;
            if (index >= 0 && index < depth) {
                positions[(int) ((n / inner * depth + index) * inner + n % inner)] = 1;
            }
        }
        return Call.made(Data.picked(call.data(2), positions, result));
    }

    private static Item[] topK(Call call) {
        long k = call.opset() < 10 ? call.attributes.integer("k") : call.integer(1);
        long[] shape = call.shape(0);
        int axis = Shapes.axis(call.attributes.integer("axis", -1), shape.length);
        boolean largest = call.attributes.flag("largest", true);
        if (k < 0 || k > shape[axis]) {
            throw call.refused("there are no " + k + " in an axis of " + shape[axis]);
        }
        Elements all = Elements.of(call.data(0));
        int length = (int) shape[axis];
        int outer = (int) Shapes.product(shape, 0, axis);
        int inner = (int) Shapes.product(shape, axis + 1, shape.length);
        long[] result = Shapes.replaced(shape, axis, k);
        long[] positions = new long[Shapes.intSize(result)];
        long[] indices = new long[positions.length];
        Integer[] order = new Integer[length];
        for (int o = 0; o < outer; o++) {
            for (int i = 0; i < inner; i++) {
                int start = o * length * inner + i;
                Arrays.setAll(order, n -> n);
                Arrays.sort(order, (a, b) -> {
                    int compared = all.compare(start + a * inner, start + b * inner);
                    return compared == 0 ? a - b : largest ? -compared : compared;
                });
                for (int n = 0; n < k; n++) {
                    int to = (int) ((o * k + n) * inner + i);
                    positions[to] = start + (long) order[n] * inner;
                    indices[to] = order[n];
                }
            }
        }
        return new Item[] {Call.made(Data.picked(call.data(0), positions, result)), Call.made(Data.ofLongs(DataType.INT64, indices, result))};
    }

    private static Item triangle(Call call) {
        int rank = call.rank(0);
        if (rank < 2) {
            throw call.refused("a matrix is expected, not rank " + rank);
        }
        long k = call.has(1) ? Math.max(-(1L << 40), Math.min(1L << 40, call.integer(1))) : 0;
        String loops = Elementwise.loops(rank);
        String difference = "i" + (rank - 1) + " - i" + (rank - 2);
        boolean isBool = call.type(0) == DataType.BOOL;
        return Programs.run("y" + loops + " = select(" + difference + (call.attributes.flag("upper", true) ? " >= " : " <= ") + k + ", x0" + loops
            + ", " + (isBool ? "false" : "0") + ")", call.data(0));
    }

    private static Item reverseSequence(Call call) {
        long[] shape = call.shape(0);
        int batch = Shapes.axis(call.attributes.integer("batch_axis", 1), shape.length);
        int time = Shapes.axis(call.attributes.integer("time_axis", 0), shape.length);
        long[] lengths = call.longs(1);
        if (batch == time || lengths.length != shape[batch]) {
            throw call.refused("there are " + lengths.length + " lengths for " + shape[batch] + " rows");
        }
        long[] strides = Shapes.strides(shape);
        long[] positions = new long[Shapes.intSize(shape)];
        for (int n = 0; n < positions.length; n++) {
            long t = n / strides[time] % shape[time];
            long length = lengths[(int) (n / strides[batch] % shape[batch])];
            if (length < 0 || length > shape[time]) {
                throw call.refused("a length is " + length + " of an axis of " + shape[time]);
            }
            positions[n] = t < length ? n + (length - 1 - 2 * t) * strides[time] : n;
        }
        return Call.made(Data.picked(call.data(0), positions, shape));
    }

    private static Item features(Call call) {
        long[] shape = call.shape(0);
        long[] at = call.longs(1);
        long last = shape[shape.length - 1];
        long rows = Shapes.size(shape) / Math.max(1, last);
        long[] positions = new long[(int) (rows * at.length)];
        for (int n = 0; n < positions.length; n++) {
            positions[n] = n / at.length * last + position(at[n % at.length], last);
        }
        return Call.made(Data.picked(call.data(0), positions, shape.length == 1 ? new long[] {1, at.length}
            : Shapes.replaced(shape, shape.length - 1, at.length)));
    }
}
