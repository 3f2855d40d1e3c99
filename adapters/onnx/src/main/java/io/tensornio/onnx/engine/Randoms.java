package io.tensornio.onnx.engine;

import io.tensornio.DataType;
import java.util.Random;

/** Random numbers: by the node's seed, else by its name; the same in each run. */
final class Randoms {
    private Randoms() {
    }

    static void addTo(Table table) {
        table.one("RandomUniform", 1, "uniform in [low, high)", call -> uniform(call, shape(call), DataType.FLOAT)).late();
        table.one("RandomUniformLike", 1, "uniform in [low, high)", call -> uniform(call, call.shape(0), like(call))).keeps().late();
        table.one("RandomNormal", 1, "normal", call -> normal(call, shape(call), DataType.FLOAT)).late();
        table.one("RandomNormalLike", 1, "normal", call -> normal(call, call.shape(0), like(call))).keeps().late();
        table.one("Bernoulli", 15, "1 with the probability a, else 0", Randoms::bernoulli).keeps().late();
        table.one("Multinomial", 7, "classes with the probabilities exp(a)", Randoms::classes).late();
    }

    private static long[] shape(Call call) {
        long[] shape = call.attributes.integers("shape");
        if (shape == null) {
            throw call.refused("attribute `shape` is missing");
        }
        return shape;
    }

    private static DataType like(Call call) {
        return call.type(0).isFloat() ? call.type(0) : DataType.FLOAT;
    }

    private static Random random(Call call) {
        long seed = call.attributes.has("seed") ? Float.floatToIntBits(call.attributes.number("seed", 0)) : call.node.name.hashCode();
        return new Random(seed + 0x9e3779b97f4a7c15L * call.run.drawn++);
    }

    private static Item uniform(Call call, long[] shape, DataType type) {
        Random random = random(call);
        double low = call.attributes.number("low", 0);
        double high = call.attributes.number("high", 1);
        double[] values = new double[Shapes.intSize(shape)];
        for (int n = 0; n < values.length; n++) {
            values[n] = low + (high - low) * random.nextDouble();
        }
        return Call.made(Data.ofDoubles(call.attributes.dataType("dtype", type), values, shape));
    }

    private static Item normal(Call call, long[] shape, DataType type) {
        Random random = random(call);
        double mean = call.attributes.number("mean", 0);
        double scale = call.attributes.number("scale", 1);
        double[] values = new double[Shapes.intSize(shape)];
        for (int n = 0; n < values.length; n++) {
            values[n] = mean + scale * random.nextGaussian();
        }
        return Call.made(Data.ofDoubles(call.attributes.dataType("dtype", type), values, shape));
    }

    private static Item bernoulli(Call call) {
        Random random = random(call);
        double[] values = call.doubles(0);
        for (int n = 0; n < values.length; n++) {
            values[n] = random.nextDouble() < values[n] ? 1 : 0;
        }
        return Call.made(Data.ofDoubles(call.attributes.dataType("dtype", call.type(0)), values, call.shape(0)));
    }

    private static Item classes(Call call) {
        Random random = random(call);
        long[] shape = call.shape(0);
        long samples = call.attributes.integer("sample_size", 1);
        double[] logits = call.doubles(0);
        if (shape.length != 2 || shape[1] == 0) {
            throw call.refused("a matrix of logarithms is expected");
        }
        int classes = (int) shape[1];
        long[] chosen = new long[Shapes.intSize(shape[0], samples)];
        for (int n = 0; n < chosen.length; n++) {
            int row = (int) (n / samples) * classes;
            double most = Double.NEGATIVE_INFINITY;
            for (int k = 0; k < classes; k++) {
                most = Math.max(most, logits[row + k]);
            }
            double total = 0;
            for (int k = 0; k < classes; k++) {
                total += Math.exp(logits[row + k] - most);
            }
            double rest = random.nextDouble() * total;
            int k = 0;
            while (k < classes - 1 && (rest -= Math.exp(logits[row + k] - most)) >= 0) {
                k++;
            }
            chosen[n] = k;
        }
        return Call.made(Data.ofLongs(call.attributes.dataType("dtype", DataType.INT32), chosen, shape[0], samples));
    }
}
