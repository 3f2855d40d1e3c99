package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import java.util.Arrays;

/** Operators of integers that stand for numbers: {@code (q - zero) * scale}. */
final class Quantized {
    private Quantized() {
    }

    static void addTo(Table table) {
        table.one("QuantizeLinear", 10, "round(a / scale) + zero, in the range of the type", Quantized::quantize).keeps();
        table.one("DequantizeLinear", 10, "(a - zero) * scale", Quantized::dequantize).keeps();
        table.many("DynamicQuantizeLinear", 11, "UINT8, by the range of the elements", Quantized::dynamic).keeps();
        table.one("MatMulInteger", 10, "the product of (a - zero) and (b - zero) in INT32", Quantized::product).keeps();
        table.one("ConvInteger", 10, "the convolution of (x - zero) and (w - zero) in INT32", Quantized::conv).keeps();
        table.one("QLinearMatMul", 10, "the product, quantised", Quantized::quantizedProduct).keeps();
        table.one("QLinearConv", 10, "the convolution, quantised", Quantized::quantizedConv).keeps();
    }

    /** A scale or zero point of an axis, or of blocks of it, as it broadcasts to the input. */
    private static TensorData<?> parameter(Call call, int n, int axis, long block) {
        TensorData<?> parameter = call.data(n);
        long[] shape = call.shape(0);
        if (parameter.totalSize() == 1 && block == 0) {
            return parameter.flatten().reshape(Shapes.SCALAR);
        }
        if (block > 0) {
            TensorData<?> repeated = parameter.repeat(axis, block);
            return repeated.size(axis) == shape[axis] ? repeated : Shaping.range(repeated, axis, 0, shape[axis]);
        }
        if (parameter.rank() != 1 || parameter.size(0) != shape[axis]) {
            throw call.refused("scale or zero point of shape " + Arrays.toString(parameter.shape()) + " is not for axis " + axis + " of "
                + Arrays.toString(shape));
        }
        return Call.reshaped(call.item(n), Shapes.concat(new long[] {shape[axis]}, Window.filled(shape.length - axis - 1, 1))).data();
    }

    private static int axis(Call call) {
        int rank = call.rank(0);
        return rank == 0 ? 0 : call.data(1).totalSize() == 1 ? 0 : Shapes.axis(call.attributes.integer("axis", 1), rank);
    }

    private static Item quantize(Call call) {
        int axis = axis(call);
        long block = call.attributes.integer("block_size", 0);
        DataType type = call.has(2) ? call.type(2) : call.attributes.dataType("output_dtype", DataType.UINT8);
        TensorData<?> scale = parameter(call, 1, axis, block);
        DataType computed = Types.wide(scale.dataType());
        String x = Types.wide(call.type(0)) == computed ? "a" : Types.cast(computed) + "(a)";
        String rounded = "round(" + x + " / b)";
        if (call.has(2)) {
            TensorData<?> zero = parameter(call, 2, axis, block);
            return Elementwise.map(saturated(rounded + " + " + Types.cast(computed) + "(c)", type), call.data(0), scale, zero);
        }
        return Elementwise.map(saturated(rounded, type), call.data(0), scale);
    }

    /** A float rounded before, cast to the nearest that the type has. */
    private static String saturated(String rounded, DataType type) {
        if (type != DataType.UINT8 && type != DataType.INT8 && type != DataType.UINT16 && type != DataType.INT16) {
            throw new IllegalArgumentException("numbers are not quantised to " + type);
        }
        long values = 1L << 8 * type.byteSize();
        long least = type.isSigned() ? -values / 2 : 0;
        return Types.cast(type) + "(max(" + (least < 0 ? "(" + least + ")" : "0") + ", min(" + (least + values - 1) + ", " + rounded + ")))";
    }

    private static Item dequantize(Call call) {
        int axis = axis(call);
        long block = call.attributes.integer("block_size", 0);
        TensorData<?> scale = parameter(call, 1, axis, block);
        String cast = Types.cast(Types.wide(scale.dataType()));
        // Differences are integers, and exact.
        String text = call.has(2) ? cast + "(int(a) - int(c)) * b" : cast + "(a) * b";
        if (Types.wide(scale.dataType()) != scale.dataType()) {
            text = Types.cast(scale.dataType()) + "(" + text + ")";
        }
        return call.has(2) ? Elementwise.map(text, call.data(0), scale, parameter(call, 2, axis, block)) : Elementwise.map(text, call.data(0), scale);
    }

    private static Item[] dynamic(Call call) {
        double[] x = call.doubles(0);
        float least = 0;
        float most = 0;
        for (double value : x) {
            least = Math.min(least, (float) value);
            most = Math.max(most, (float) value);
        }
        float scale = (most - least) / 255;
        float zero = scale == 0 ? 0 : (float) Math.rint(Math.max(0, Math.min(255, (0 - least) / scale)));
        TensorData<?> scaleData = Data.ofDoubles(DataType.FLOAT, new double[] {scale}, Shapes.SCALAR);
        TensorData<?> zeroData = Data.ofLongs(DataType.UINT8, new long[] {(long) zero}, Shapes.SCALAR);
        Item y = scale == 0 ? Item.borrowed(Data.constant(DataType.UINT8, 0, 0, call.shape(0)))
            : Elementwise.map("uint8(max(0, min(255, round(a / b) + float(c))))", call.data(0), scaleData, zeroData);
        return new Item[] {y, Call.made(scaleData), Call.made(zeroData)};
    }

    /** Integers less their zero point, as INT32. */
    private static Item centred(Call call, int n, int zero, boolean rows) {
        if (!call.has(zero)) {
            return Elementwise.cast(call.item(n), DataType.INT32);
        }
        TensorData<?> point = call.data(zero);
        TensorData<?> data = call.data(n);
        if (point.totalSize() == 1) {
            point = point.flatten().reshape(Shapes.SCALAR);
        } else if (rows && point.rank() == 1) {
            point = point.expandDims(1);
        }
        return Elementwise.map("int(a) - int(b)", data, point);
    }

    private static Item product(Call call) {
        Item a = centred(call, 0, 2, true);
        Item b = centred(call, 1, 3, false);
        Item y = Products.matmul(a.data(), b.data());
        a.release();
        b.release();
        return y;
    }

    private static Item conv(Call call) {
        Item x = centred(call, 0, 2, false);
        Item w = filters(call, 1, 3);
        Item y = Convolutions.conv(call, x.data(), w.data(), null);
        x.release();
        w.release();
        return y;
    }

    /** Filters less their zero points, of which there may be one for each. */
    private static Item filters(Call call, int n, int zero) {
        if (!call.has(zero) || call.data(zero).totalSize() == 1) {
            return centred(call, n, zero, false);
        }
        return Elementwise.map("int(a) - int(b)", call.data(n), each(call, zero, call.rank(n)));
    }

    private static TensorData<?> each(Call call, int n, int rank) {
        return Call.reshaped(call.item(n), Shapes.concat(new long[] {call.data(n).totalSize()}, Window.filled(rank - 1, 1))).data();
    }

    private static Item quantizedProduct(Call call) {
        Item a = centred(call, 0, 2, true);
        Item b = centred(call, 3, 5, false);
        Item sum = Products.matmul(a.data(), b.data());
        TensorData<?> left = scale(call, 1, true);
        TensorData<?> right = scale(call, 4, false);
        return requantized(call, sum, left, right, 6, 7);
    }

    private static TensorData<?> scale(Call call, int n, boolean rows) {
        TensorData<?> scale = call.data(n);
        return scale.totalSize() == 1 ? scale.flatten().reshape(Shapes.SCALAR) : rows && scale.rank() == 1 ? scale.expandDims(1) : scale;
    }

    /** An INT32 sum times both scales, divided by that of the result, rounded. */
    private static Item requantized(Call call, Item sum, TensorData<?> left, TensorData<?> right, int scale, int zero) {
        TensorData<?> result = call.data(scale).flatten().reshape(Shapes.SCALAR);
        TensorData<?> point = call.data(zero).flatten().reshape(Shapes.SCALAR);
        DataType type = point.dataType();
        Item factors = Elementwise.map("float(a) * float(b) / float(c)", left, right, result);
        Item y = Elementwise.map(saturated("round(double(a) * double(b)) + double(c)", type), sum.data(), factors.data(), point);
        factors.release();
        sum.release();
        return y;
    }

    private static Item quantizedConv(Call call) {
        Item x = centred(call, 0, 2, false);
        Item w = filters(call, 3, 5);
        Item sum = Convolutions.conv(call, x.data(), w.data(), call.has(8) ? call.data(8) : null);
        TensorData<?> scales = call.data(4);
        int rank = call.rank(0);
        TensorData<?> right = scales.totalSize() == 1 ? scales.flatten().reshape(Shapes.SCALAR)
            : Call.reshaped(call.item(4), Shapes.concat(new long[] {scales.totalSize()}, Window.filled(rank - 2, 1))).data();
        return requantized(call, sum, call.data(1).flatten().reshape(Shapes.SCALAR), right, 6, 7);
    }
}
