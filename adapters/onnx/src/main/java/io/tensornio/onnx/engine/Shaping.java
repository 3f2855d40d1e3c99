package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Operators that put elements into other shapes and places: mostly views. */
final class Shaping {
    private Shaping() {
    }

    static void addTo(Table table) {
        table.one("Shape", 1, "the shape", Shaping::shape).keeps();
        table.one("Size", 1, "the number of elements",
            call -> Call.made(Data.ofLongs(DataType.INT64, new long[] {call.data(0).totalSize()}))).keeps();
        table.one("Reshape", 5, "a view, or a copy, of another shape", Shaping::reshape).keeps();
        table.one("Flatten", 1, "a matrix", Shaping::flatten).keeps();
        table.one("Squeeze", 1, "a view", Shaping::squeeze).keeps();
        table.one("Unsqueeze", 1, "a view", Shaping::unsqueeze).keeps();
        table.one("Transpose", 1, "a view", Shaping::transpose).keeps();
        table.one("Concat", 4, "parts side by side", Shaping::concat).keeps();
        table.many("Split", 1, "views", Shaping::split).keeps();
        table.one("Slice", 1, "a view", Shaping::slice).keeps();
        table.one("Expand", 8, "a view",
            call -> call.view(0, call.data(0).broadcastTo(Shapes.broadcast(call.shape(0), call.longs(1))))).keeps().late();
        table.one("Tile", 6, "a view", call -> call.view(0, call.data(0).tile(call.longs(1)))).keeps().late();
        table.one("DepthToSpace", 1, "a view in another shape", Shaping::depthToSpace).keeps();
        table.one("SpaceToDepth", 1, "a view in another shape", Shaping::spaceToDepth).keeps();
        table.one("Constant", 1, "the attribute", Shaping::constant).keeps();
        table.one("ConstantOfShape", 9, "a view", Shaping::constantOfShape).keeps().late();
        table.one("Range", 11, "start + i * delta", Shaping::range).late();
        table.one("EyeLike", 9, "1 on a diagonal", Shaping::eye).keeps().late();
    }

    private static Item shape(Call call) {
        long[] shape = call.shape(0);
        int rank = shape.length;
        int start = clamped(call.attributes.integer("start", 0), rank);
        int end = clamped(call.attributes.integer("end", rank), rank);
        long[] part = start < end ? Arrays.copyOfRange(shape, start, end) : new long[0];
        return Call.made(Data.ofLongs(DataType.INT64, part, part.length));
    }

    private static int clamped(long at, int rank) {
        return (int) Math.max(0, Math.min(rank, at < 0 ? at + rank : at));
    }

    private static Item reshape(Call call) {
        long[] from = call.shape(0);
        long[] to = call.longs(1);
        boolean zeros = call.attributes.flag("allowzero", false);
        int open = -1;
        for (int d = 0; d < to.length; d++) {
            if (to[d] == 0 && !zeros) {
                if (d >= from.length) {
                    throw call.refused("size 0 of axis " + d + " keeps the input's, which is of shape " + Arrays.toString(from));
                }
                to[d] = from[d];
            } else if (to[d] == -1) {
                if (open >= 0) {
                    throw call.refused("more than one size is -1 in " + Arrays.toString(to));
                }
                open = d;
            } else if (to[d] < 0) {
                throw call.refused("a size is negative in " + Arrays.toString(to));
            }
        }
        long size = Shapes.size(from);
        if (open >= 0) {
            to[open] = 1;
            long others = Shapes.size(to);
            if (others == 0 || size % others != 0) {
                throw call.refused("shape " + Arrays.toString(from) + " does not fit into " + Arrays.toString(call.longs(1)));
            }
            to[open] = size / others;
        }
        if (Shapes.size(to) != size) {
            throw call.refused("shape " + Arrays.toString(from) + " has " + size + " elements, and " + Arrays.toString(to) + " has not");
        }
        return call.reshaped(0, to);
    }

    private static Item flatten(Call call) {
        long[] shape = call.shape(0);
        long axis = call.attributes.integer("axis", 1);
        int at = axis == shape.length ? shape.length : Shapes.axis(axis, shape.length);
        return call.reshaped(0, Shapes.product(shape, 0, at), Shapes.product(shape, at, shape.length));
    }

    private static Item squeeze(Call call) {
        long[] axes = call.integers("axes", 1);
        long[] shape = call.shape(0);
        boolean[] chosen = new boolean[shape.length];
        if (axes == null) {
            for (int d = 0; d < shape.length; d++) {
                chosen[d] = shape[d] == 1;
            }
        } else {
            chosen = Shapes.axes(axes, shape.length);
        }
        int[] dropped = new int[shape.length];
        int count = 0;
        for (int d = 0; d < shape.length; d++) {
            if (chosen[d]) {
                dropped[count++] = d;
            }
        }
        return count == 0 ? call.item(0).share() : call.view(0, call.data(0).squeeze(Arrays.copyOf(dropped, count)));
    }

    private static Item unsqueeze(Call call) {
        long[] axes = call.integers("axes", 1);
        if (axes == null) {
            throw call.refused("attribute `axes` is missing");
        }
        long[] shape = call.shape(0);
        int rank = shape.length + axes.length;
        boolean[] added = Shapes.axes(axes, rank);
        TensorData<?> data = call.data(0);
        for (int d = 0; d < rank; d++) {
            if (added[d]) {
                data = data.expandDims(d);
            }
        }
        return call.view(0, data);
    }

    private static Item transpose(Call call) {
        long[] order = call.attributes.integers("perm");
        return call.view(0, order == null ? call.data(0).transpose() : call.data(0).permute(Shapes.ints(order)));
    }

    private static Item concat(Call call) {
        List<TensorData<?>> parts = new ArrayList<>();
        for (int n = 0; n < call.in.length; n++) {
            parts.add(call.data(n));
        }
        if (parts.isEmpty()) {
            throw call.refused("there are no inputs");
        }
        int axis = Shapes.axis(call.attributes.integer("axis", 1), parts.get(0).rank());
        long[] few = fewJoined(parts);
        return few == null ? joined(axis, false, parts) : Item.borrowed(Data.ofLongs(DataType.INT64, few, few.length));
    }

    /** Few integers one after the other, as shapes are put together; null of anything else. */
    private static long[] fewJoined(List<TensorData<?>> parts) {
        int count = 0;
        for (TensorData<?> part : parts) {
            if (part.dataType() != DataType.INT64 || part.rank() != 1 || part.totalSize() > Call.FEW - count) {
                return null;
            }
            count += (int) part.totalSize();
        }
        long[] all = new long[count];
        int at = 0;
        for (TensorData<?> part : parts) {
            long[] values = Data.longs(part);
            System.arraycopy(values, 0, all, at, values.length);
            at += values.length;
        }
        return all;
    }

    static Item joined(int axis, boolean isNew, List<TensorData<?>> parts) {
        return Call.made(Data.joined(axis, isNew, parts));
    }

    private static Item[] split(Call call) {
        TensorData<?> data = call.data(0);
        int axis = Shapes.axis(call.attributes.integer("axis", 0), data.rank());
        long length = data.size(axis);
        long[] sizes = call.integers("split", 1);
        int count = call.node.outputs.length;
        if (sizes == null) {
            long parts = call.attributes.integer("num_outputs", count);
            if (parts != count || count == 0) {
                throw call.refused("attribute `num_outputs` is " + parts + ", and there are " + count + " outputs");
            }
            long size = (length + parts - 1) / parts;
            sizes = new long[count];
            for (int n = 0; n < count; n++) {
                sizes[n] = Math.max(0, Math.min(size, length - n * size));
            }
        }
        long sum = 0;
        for (long size : sizes) {
            if (size < 0 || size > length) {
                throw call.refused("parts of " + Arrays.toString(sizes) + " cannot be taken of an axis of " + length);
            }
            sum += size;
        }
        if (sum != length || sizes.length != count) {
            throw call.refused("parts of " + Arrays.toString(sizes) + " are not an axis of " + length + " in " + count + " outputs");
        }
        Item[] parts = new Item[count];
        long start = 0;
        for (int n = 0; n < count; n++) {
            parts[n] = call.view(0, range(data, axis, start, start + sizes[n]));
            start += sizes[n];
        }
        return parts;
    }

    /** A range of one axis. */
    static TensorData<?> range(TensorData<?> data, int axis, long start, long end) {
        return sliced(data, axis, TensorIndex.range(start, end));
    }

    static TensorData<?> sliced(TensorData<?> data, int axis, TensorIndex index) {
        TensorIndex[] indices = new TensorIndex[axis + 1];
        Arrays.fill(indices, TensorIndex.all());
        indices[axis] = index;
        return data.slice(indices);
    }

    private static Item slice(Call call) {
        long[] shape = call.shape(0);
        long[] starts = call.integers("starts", 1);
        long[] ends = call.integers("ends", 2);
        long[] axes = call.integers("axes", 3);
        long[] steps = call.has(4) ? call.longs(4) : null;
        if (starts == null || ends == null || starts.length != ends.length || axes != null && axes.length != starts.length
            || steps != null && steps.length != starts.length) {
            throw call.refused("starts, ends, axes and steps differ in number");
        }
        TensorData<?> data = call.data(0);
        boolean[] seen = new boolean[shape.length];
        for (int n = 0; n < starts.length; n++) {
            int axis = Shapes.axis(axes == null ? n : axes[n], shape.length);
            if (seen[axis]) {
                throw call.refused("axis " + axis + " is named twice");
            }
            seen[axis] = true;
            data = sliced(data, axis, shape[axis], starts[n], ends[n], steps == null ? 1 : steps[n]);
        }
        return call.view(0, data);
    }

    private static TensorData<?> sliced(TensorData<?> data, int axis, long length, long start, long end, long step) {
        if (step == 0) {
            throw new IllegalArgumentException("a step is 0");
        }
        if (step > 0) {
            long from = Math.max(0, Math.min(length, start < 0 ? start + length : start));
            long to = Math.max(from, Math.min(length, end < 0 ? end + length : end));
            return sliced(data, axis, TensorIndex.range(from, to, Math.min(step, Math.max(1, length))));
        }
        // From the last element to the first: a range of the axis reversed.
        long from = Math.max(-1, Math.min(length - 1, start < 0 ? start + length : start));
        long to = Math.min(from, Math.max(-1, end < 0 ? end + length : end));
        TensorData<?> flipped = data.flip(axis);
        return sliced(flipped, axis, TensorIndex.range(length - 1 - from, length - 1 - to, Math.min(-Math.max(step, -Long.MAX_VALUE),
            Math.max(1, length))));
    }

    private static Item depthToSpace(Call call) {
        long[] s = images(call);
        long size = call.attributes.integer("blocksize");
        if (size <= 0 || s[1] % (size * size) != 0) {
            throw call.refused("blocks of " + size + " do not fit " + Arrays.toString(s));
        }
        long c = s[1] / size / size;
        boolean depthFirst = call.attributes.string("mode", "DCR").equals("DCR");
        return rearranged(call, depthFirst ? new long[] {s[0], size, size, c, s[2], s[3]} : new long[] {s[0], c, size, size, s[2], s[3]},
            depthFirst ? new int[] {0, 3, 4, 1, 5, 2} : new int[] {0, 1, 4, 2, 5, 3}, s[0], c, s[2] * size, s[3] * size);
    }

    private static Item spaceToDepth(Call call) {
        long[] s = images(call);
        long size = call.attributes.integer("blocksize");
        if (size <= 0 || s[2] % size != 0 || s[3] % size != 0) {
            throw call.refused("blocks of " + size + " do not fit " + Arrays.toString(s));
        }
        return rearranged(call, new long[] {s[0], s[1], s[2] / size, size, s[3] / size, size}, new int[] {0, 3, 5, 1, 2, 4},
            s[0], s[1] * size * size, s[2] / size, s[3] / size);
    }

    private static long[] images(Call call) {
        long[] shape = call.shape(0);
        if (shape.length != 4) {
            throw call.refused("rank 4 is expected, not shape " + Arrays.toString(shape));
        }
        return shape;
    }

    private static Item rearranged(Call call, long[] blocks, int[] order, long... shape) {
        Item split = call.reshaped(0, blocks);
        Item permuted = split.view(split.data().permute(order));
        try {
            return Call.reshaped(permuted, shape);
        } finally {
            permuted.release();
            split.release();
        }
    }

    private static Item constant(Call call) {
        Attributes a = call.attributes;
        if (a.tensor("value") != null) {
            return a.tensor("value").share();
        }
        if (a.tensor("sparse_value") != null) {
            return a.tensor("sparse_value").share();
        }
        if (a.has("value_float")) {
            return Call.made(Data.ofDoubles(DataType.FLOAT, new double[] {a.number("value_float", 0)}));
        }
        if (a.has("value_int")) {
            return Call.made(Data.ofLongs(DataType.INT64, new long[] {a.integer("value_int")}));
        }
        if (a.has("value_string")) {
            return Call.made(Data.ofStrings(new String[] {a.string("value_string", "")}));
        }
        if (a.has("value_floats")) {
            double[] values = a.numbers("value_floats");
            return Call.made(Data.ofDoubles(DataType.FLOAT, values, values.length));
        }
        if (a.has("value_ints")) {
            long[] values = a.integers("value_ints");
            return Call.made(Data.ofLongs(DataType.INT64, values, values.length));
        }
        if (a.has("value_strings")) {
            String[] values = a.strings("value_strings");
            return Call.made(Data.ofStrings(values, values.length));
        }
        throw call.refused("attribute `value` is missing");
    }

    private static Item constantOfShape(Call call) {
        long[] shape = call.longs(0);
        Shapes.size(shape);
        Item value = call.attributes.tensor("value");
        if (value == null) {
            return Item.borrowed(Data.constant(DataType.FLOAT, 0, 0, shape));
        }
        TensorData<?> one = value.data();
        if (one.totalSize() != 1) {
            throw call.refused("attribute `value` has " + one.totalSize() + " elements, not one");
        }
        if (one.dataType() == DataType.STRING) {
            return Item.borrowed(one.flatten().reshape().broadcastTo(shape));
        }
        boolean isFloat = one.dataType().isFloat();
        return Item.borrowed(Data.constant(one.dataType(), isFloat ? Data.doubles(one)[0] : 0, isFloat ? 0 : Data.longs(one)[0], shape));
    }

    private static Item range(Call call) {
        DataType type = call.type(0);
        if (type.isFloat()) {
            double start = call.number(0);
            double delta = call.number(2);
            double count = Math.max(0, Math.ceil((call.number(1) - start) / delta));
            if (!(count < Integer.MAX_VALUE)) {
                throw call.refused("there would be " + count + " numbers");
            }
            return Programs.run("y[i] = x0[] + " + Types.cast(type) + "(i) * x1[] where i in 0:" + (long) count, call.data(0), call.data(2));
        }
        long start = call.integer(0);
        long end = call.integer(1);
        long delta = call.integer(2);
        if (delta == 0) {
            throw call.refused("the step is 0");
        }
        long count = Math.max(0, (long) Math.ceil(((double) end - start) / delta));
        String cast = Types.cast(type);
        return Programs.run("y[i] = x0[] + " + cast + "(i) * x1[] where i in 0:" + count, call.data(0), call.data(2));
    }

    private static Item eye(Call call) {
        long[] shape = call.shape(0);
        if (shape.length != 2) {
            throw call.refused("a matrix is expected, not shape " + Arrays.toString(shape));
        }
        DataType type = call.attributes.dataType("dtype", call.type(0));
        long k = call.attributes.integer("k", 0);
        if (Math.abs(k) > 1L << 40) {
            k = 1L << 40;
        }
        return Programs.run("y[i,j] = " + Types.cast(type) + "(j - i == " + k + ") where i in 0:" + shape[0] + ", j in 0:" + shape[1]);
    }
}
