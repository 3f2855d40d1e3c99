package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Operators that put elements around others. */
final class Paddings {
    private Paddings() {
    }

    static void addTo(Table table) {
        table.one("Pad", 2, "constants, or elements of the edge, around a view", Paddings::pad).late();
        table.one("CenterCropPad", 18, "the middle, or zeros around it", Paddings::center).late();
    }

    private static Item pad(Call call) {
        TensorData<?> data = call.data(0);
        int rank = data.rank();
        long[] given = call.integers("pads", 1);
        if (given == null) {
            throw call.refused("attribute `pads` is missing");
        }
        long[] axes = call.has(3) ? call.longs(3) : null;
        int count = axes == null ? rank : axes.length;
        if (given.length != 2 * count) {
            throw call.refused(given.length + " widths are for " + count + " axes");
        }
        long[] before = new long[rank];
        long[] after = new long[rank];
        for (int n = 0; n < count; n++) {
            int axis = axes == null ? n : Shapes.axis(axes[n], rank);
            before[axis] = given[n];
            after[axis] = given[count + n];
        }
        String mode = call.attributes.string("mode", "constant");
        TensorData<?> cut = data;
        for (int d = 0; d < rank; d++) {
            // A negative width takes away.
            long from = Math.max(0, -before[d]);
            long to = data.size(d) - Math.max(0, -after[d]);
            if (from > to) {
                throw call.refused("more is taken away than axis " + d + " of " + data.size(d) + " has");
            }
            cut = from == 0 && to == data.size(d) ? cut : Shaping.range(cut, d, from, to);
            before[d] = Math.max(0, before[d]);
            after[d] = Math.max(0, after[d]);
        }
        if (mode.equals("constant")) {
            return constant(call, cut, before, after);
        }
        for (int d = 0; d < rank; d++) {
            if (before[d] > 0 || after[d] > 0) {
                cut = mode.equals("reflect") && Math.max(before[d], after[d]) < cut.size(d) ? reflected(cut, d, before[d], after[d])
                    : Shaping.sliced(cut, d, TensorIndex.incl(positions(mode, cut.size(d), before[d], after[d])));
            }
        }
        return Call.made(cut);
    }

    /** An axis between mirror images of its ends, which are shorter than it is: parts, which are copied faster than single positions. */
    private static TensorData<?> reflected(TensorData<?> data, int axis, long before, long after) {
        long last = data.size(axis) - 1;
        TensorData<?> front = Shaping.range(data, axis, 1, 1 + before).flip(axis);
        TensorData<?> back = Shaping.range(data, axis, last - after, last).flip(axis);
        return Data.joined(axis, false, Arrays.asList(front, data, back));
    }

    private static long[] positions(String mode, long length, long before, long after) {
        if (length == 0) {
            throw new IllegalArgumentException("there is no edge to repeat in an axis of 0");
        }
        long[] at = new long[Shapes.intSize(before + length + after)];
        for (int n = 0; n < at.length; n++) {
            long from = n - before;
            switch (mode) {
                case "edge":
                    at[n] = Math.max(0, Math.min(length - 1, from));
                    break;
                case "wrap":
                    at[n] = Math.floorMod(from, length);
                    break;
                case "reflect": {
                    long period = Math.max(1, 2 * (length - 1));
                    long within = Math.floorMod(from, period);
                    at[n] = within < length ? within : period - within;
                    break;
                }
                default:
                    throw new IllegalArgumentException("attribute `mode` is `" + mode + "`");
            }
        }
        return at;
    }

    private static Item constant(Call call, TensorData<?> data, long[] before, long... after) {
        TensorData<?> value = call.has(2) ? call.data(2) : Data.ofDoubles(data.dataType() == DataType.STRING ? DataType.FLOAT : data.dataType(),
            new double[] {call.opset() < 11 ? call.attributes.number("value", 0) : 0});
        return padded(data, value, before, after);
    }

    /** One value around data. */
    static Item padded(TensorData<?> data, TensorData<?> value, long[] before, long... after) {
        if (value.totalSize() != 1) {
            throw new IllegalArgumentException("the value has " + value.totalSize() + " elements, not one");
        }
        TensorData<?> result = data;
        for (int d = 0; d < data.rank(); d++) {
            if (before[d] == 0 && after[d] == 0) {
                continue;
            }
            List<TensorData<?>> parts = new ArrayList<>();
            long[] shape = result.shape();
            if (before[d] > 0) {
                parts.add(filled(value, Shapes.replaced(shape, d, before[d])));
            }
            parts.add(result);
            if (after[d] > 0) {
                parts.add(filled(value, Shapes.replaced(shape, d, after[d])));
            }
            result = Data.joined(d, false, parts);
        }
        return Call.made(result);
    }

    private static TensorData<?> filled(TensorData<?> value, long... shape) {
        Shapes.size(shape);
        return value.flatten().reshape(Shapes.SCALAR).broadcastTo(shape);
    }

    private static Item center(Call call) {
        TensorData<?> data = call.data(0);
        long[] sizes = call.longs(1);
        long[] axes = call.attributes.integers("axes");
        long[] before = new long[data.rank()];
        long[] after = new long[data.rank()];
        if (sizes.length != (axes == null ? data.rank() : axes.length)) {
            throw call.refused(Arrays.toString(sizes) + " are not the sizes of " + (axes == null ? "all axes" : "axes " + Arrays.toString(axes)));
        }
        for (int n = 0; n < sizes.length; n++) {
            int d = axes == null ? n : Shapes.axis(axes[n], data.rank());
            long length = data.size(d);
            long more = sizes[n] - length;
            if (more < 0) {
                long from = -more / 2;
                data = Shaping.range(data, d, from, from + sizes[n]);
            } else {
                before[d] = more / 2;
                after[d] = more - more / 2;
            }
        }
        return padded(data, Data.ofDoubles(data.dataType(), new double[1]), before, after);
    }
}
