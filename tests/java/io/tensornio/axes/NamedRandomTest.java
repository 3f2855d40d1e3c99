package io.tensornio.axes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.Axis;
import io.tensornio.DoubleTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.internal.axes.AxisLists;
import io.tensornio.support.MemoryBalance;
import io.tensornio.support.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Random expressions against maps from indices to elements. */
@ExtendWith(MemoryBalance.class)
class NamedRandomTest {
    private static final Axis[] AXES = {Axis.of("A", 2), Axis.of("B", 3), Axis.of("C", 1), Axis.of("D", 4), Axis.of("E", 2)};

    /** An expression and its model. */
    private static final class Pair {
        final NamedTensor tensor;
        final NamedModel model;

        Pair(NamedTensor tensor, NamedModel model) {
            this.tensor = tensor;
            this.model = model;
            assertEquals(Arrays.asList(model.axes), tensor.axes());
        }
    }

    private static Axis[] some(Random random, Axis... from) {
        List<Axis> list = new ArrayList<>(Arrays.asList(from));
        Collections.shuffle(list, random);
        return list.subList(0, random.nextInt(list.size() + 1)).toArray(new Axis[0]);
    }

    private static Pair bound(Random random, Axis... axes) {
        NamedModel model = NamedModel.of(axes, index -> (double) (random.nextInt(9) - 4));
        return new Pair(NamedTensor.of(DoubleTensorData.of(model.flat(), AxisLists.shape(axes)), axes), model);
    }

    private static Axis[] axes(NamedTensor tensor) {
        return tensor.axes().toArray(new Axis[0]);
    }

    private static Map<Axis, Long> with(Map<Axis, Long> index, Axis without, Axis with, long at) {
        Map<Axis, Long> other = new HashMap<>(index);
        other.remove(without);
        if (with != null) {
            other.put(with, at);
        }
        return other;
    }

    private static Pair step(Random random, Pair x, Pair y, StringBuilder done) {
        int kind = random.nextInt(14);
        done.append("; ").append(kind);
        NamedTensor t = x.tensor;
        Axis axis = t.axes().isEmpty() ? null : t.axes().get(random.nextInt(t.axes().size()));
        if (kind < 2) {
            return elementwise(random.nextInt(4), x, y);
        } else if (kind == 2) {
            int number = random.nextInt(5) - 2;
            return new Pair(t.plus(number).times(0.5), NamedModel.of(x.model.axes, i -> (x.model.at(i) + number) * 0.5));
        } else if (kind == 3) {
            NamedTensor chosen = t.gt(0).select(y.tensor, t);
            return new Pair(chosen, NamedModel.of(axes(chosen), i -> x.model.broadcast(i) > 0 ? y.model.broadcast(i) : x.model.broadcast(i)));
        } else if (kind == 4) {
            return dot(x, y);
        } else if (kind == 5) {
            Axis[] order = axes(t);
            Collections.shuffle(Arrays.asList(order), random);
            return new Pair(t.order(order), NamedModel.of(order, x.model::at));
        } else if (axis == null) {
            return new Pair(t.neg().abs(), NamedModel.of(x.model.axes, i -> Math.abs(x.model.at(i))));
        } else if (kind == 6) {
            return reduce(random.nextInt(4), x, some(random, axes(t)));
        } else if (kind < 9) {
            return slice(random, x, axis);
        } else if (kind == 9) {
            int before = random.nextInt(3);
            int after = random.nextInt(2);
            NamedTensor padded = t.pad(axis, before, after);
            Axis result = padded.axes().get(t.axes().indexOf(axis));
            return new Pair(padded, NamedModel.of(axes(padded), i -> {
                long at = i.get(result) - before;
                return at < 0 || at >= axis.length() ? 0 : x.model.at(with(i, result, axis, at));
            }));
        } else if (kind == 10) {
            return flatten(random, x, axis);
        } else if (kind == 11) {
            return concat(x, axis);
        } else if (kind == 12) {
            return conv(random, x, axis);
        }
        NamedTensor back = t.t().t();
        return new Pair(back, NamedModel.of(axes(back), x.model::at));
    }

    private static Pair elementwise(int which, Pair x, Pair y) {
        NamedTensor t = which == 0 ? x.tensor.plus(y.tensor) : which == 1 ? x.tensor.minus(y.tensor) : which == 2 ? x.tensor.max(y.tensor)
            : x.tensor.min(y.tensor);
        return new Pair(t, NamedModel.of(axes(t), i -> {
            double a = x.model.broadcast(i);
            double b = y.model.broadcast(i);
            return which == 0 ? a + b : which == 1 ? a - b : which == 2 ? Math.max(a, b) : Math.min(a, b);
        }));
    }

    private static Pair reduce(int which, Pair x, Axis... over) {
        if (over.length == 0) {
            return x;
        }
        NamedTensor t = which == 0 ? x.tensor.sum(over) : which == 1 ? x.tensor.max(over) : which == 2 ? x.tensor.min(over) : x.tensor.mean(over);
        double count = which == 3 ? Arrays.stream(over).mapToLong(Axis::length).reduce(1, (a, b) -> a * b) : 1;
        NamedModel model = which == 1 ? x.model.reduce(axes(t), Double.NEGATIVE_INFINITY, Math::max)
            : which == 2 ? x.model.reduce(axes(t), Double.POSITIVE_INFINITY, Math::min) : x.model.reduce(axes(t), 0, Double::sum);
        return new Pair(t, NamedModel.of(axes(t), i -> model.at(i) / count));
    }

    private static Pair slice(Random random, Pair x, Axis axis) {
        long n = axis.length();
        if (n == 0) {
            return x;
        }
        int kind = random.nextInt(4);
        if (kind == 0) {
            long at = random.nextInt((int) n);
            NamedTensor t = x.tensor.slice(axis, TensorIndex.at(at - n));
            return new Pair(t, NamedModel.of(axes(t), i -> x.model.at(with(i, axis, axis, at))));
        }
        long[] list = new long[kind == 1 ? random.nextInt(3) : (int) n];
        for (int k = 0; k < list.length; k++) {
            list[k] = kind == 1 ? random.nextInt((int) n) : kind == 2 ? n - 1 - k : k;
        }
        NamedTensor t = x.tensor.slice(axis, kind == 1 ? TensorIndex.incl(list) : kind == 2 ? TensorIndex.flip() : TensorIndex.all());
        Axis result = t.axes().get(x.tensor.axes().indexOf(axis));
        return new Pair(t, NamedModel.of(axes(t), i -> x.model.at(with(i, result, axis, list[(int) (long) i.get(result)]))));
    }

    private static Pair flatten(Random random, Pair x, Axis axis) {
        Axis other = x.tensor.axes().get(random.nextInt(x.tensor.axes().size()));
        if (other == axis) {
            Axis one = Axis.of(1);
            Axis rest = Axis.of(axis.length());
            NamedTensor t = x.tensor.unflatten(axis, one, rest);
            return new Pair(t, NamedModel.of(axes(t), i -> x.model.at(with(with(i, one, null, 0), rest, axis, i.get(rest)))));
        }
        Axis flat = Axis.of("F", axis.length() * other.length());
        NamedTensor t = x.tensor.flatten(flat, axis, other);
        return new Pair(t, NamedModel.of(axes(t), i -> {
            long at = i.get(flat);
            return x.model.at(with(with(i, flat, axis, at / other.length()), null, other, at % other.length()));
        }));
    }

    private static Pair concat(Pair x, Axis axis) {
        for (Axis other : x.tensor.axes()) {
            if (other != axis && other.axisClass().equals(axis.axisClass())) {
                return x;
            }
        }
        Axis twice = Axis.of("twice", axis.axisClass(), 2 * axis.length());
        NamedTensor t = NamedTensor.concat(twice, x.tensor, x.tensor.neg());
        return new Pair(t, NamedModel.of(axes(t), i -> {
            long at = i.get(twice);
            return at < axis.length() ? x.model.at(with(i, twice, axis, at)) : -x.model.at(with(i, twice, axis, at - axis.length()));
        }));
    }

    private static Pair conv(Random random, Pair x, Axis axis) {
        Axis k = Axis.of("K", 2);
        int stride = 1 + random.nextInt(2);
        int padding = random.nextInt(3);
        if (axis.length() + 2 * padding < 2) {
            return x;
        }
        Pair filter = bound(random, k);
        NamedTensor t = x.tensor.conv(filter.tensor, ConvAxes.of(axis, k).stride(stride).padding(padding));
        Axis out = t.axes().get(x.tensor.axes().indexOf(axis));
        return new Pair(t, NamedModel.of(axes(t), i -> {
            double sum = 0;
            for (long r = 0; r < 2; r++) {
                long at = i.get(out) * stride + r - padding;
                sum += at < 0 || at >= axis.length() ? 0 : x.model.at(with(i, out, axis, at)) * filter.model.at(Collections.singletonMap(k, r));
            }
            return sum;
        }));
    }

    /** Contracts what both have, after a transposition on the left, and drops what is left over on both sides. */
    private static Pair dot(Pair x, Pair y) {
        for (Pair one : new Pair[] {x, y}) {
            if (one.tensor.axes().stream().anyMatch(axis -> axis.offset() != 0)) {
                return x;           // what both have is contracted at offset 0 alone
            }
        }
        List<Axis> shared = new ArrayList<>(x.tensor.axes());
        shared.retainAll(y.tensor.axes());
        NamedTensor left = x.tensor.t();
        for (Axis axis : left.axes()) {
            Axis plain = axis.withOffset(-1 - axis.offset());
            for (Axis other : y.tensor.axes()) {
                if (!shared.contains(plain) && other.axisClass().equals(axis.axisClass()) && other.length() == axis.length()) {
                    return x;
                }
            }
        }
        NamedTensor t = left.dot(y.tensor);
        return new Pair(t.abs(), NamedModel.of(axes(t), i -> {
            double sum = 0;
            for (Map<Axis, Long> inner : NamedModel.indices(shared.toArray(new Axis[0]))) {
                Map<Axis, Long> ofX = new HashMap<>(inner);
                Map<Axis, Long> ofY = new HashMap<>(inner);
                for (Map.Entry<Axis, Long> entry : i.entrySet()) {
                    Axis axis = entry.getKey();
                    Axis plain = axis.withOffset(-1 - axis.offset());
                    (x.tensor.axes().contains(plain) ? ofX : ofY).put(x.tensor.axes().contains(plain) ? plain : axis, entry.getValue());
                }
                sum += x.model.at(ofX) * y.model.at(ofY);
            }
            return Math.abs(sum);
        }));
    }

    @Test
    void randomExpressionsAreWhatTheirElementsAre() {
        int[] counts = new int[2];          // steps, and those of them that were refused as ambiguous
        Seeds.each(1, 150, (random, done) -> {
            List<Pair> pool = new ArrayList<>();
            for (int n = 0; n < 3; n++) {
                pool.add(bound(random, some(random, AXES)));
            }
            int steps = 1 + random.nextInt(10);
            for (int n = 0; n < steps; n++) {
                counts[0]++;
                Pair x = pool.get(pool.size() - 1 - random.nextInt(Math.min(3, pool.size())));
                Pair y = pool.get(random.nextInt(pool.size()));
                try {
                    Pair next = step(random, x, y, done);
                    if (next.model.axes.length <= 5 && next.model.flat().length <= 500) {
                        pool.add(next);
                    }
                } catch (IllegalArgumentException ambiguous) {
                    if (!ambiguous.getMessage().contains("could ")) {
                        throw ambiguous;
                    }
                    counts[1]++;
                }
            }
            Pair last = pool.get(pool.size() - 1);
            if (random.nextInt(3) == 0) {
                try (NamedTensor kept = pool.get(pool.size() / 2).tensor) {
                    kept.materialize();
                    assertEqual(last, done);
                }
            } else {
                assertEqual(last, done);
            }
        });
        assertTrue(counts[1] * 50 <= counts[0], () -> counts[1] + " of " + counts[0] + " steps were refused");
    }

    private static void assertEqual(Pair pair, StringBuilder done) {
        done.append("; ").append(pair.tensor);
        double[] into = new double[pair.model.flat().length];
        pair.tensor.into(DoubleTensorData.of(into, AxisLists.shape(pair.model.axes)));
        assertArrayEquals(pair.model.flat(), into, 1e-9);
        try (NamedTensor closed = pair.tensor) {
            Tensor<Double> tensor = closed.doubleTensor();
            double[] elements = new double[into.length];
            tensor.doubleData().reshape(-1).get(elements);
            assertArrayEquals(pair.model.flat(), elements, 1e-9);
        }
    }

    @Test
    void dotIsTheTransposeOfTheDotOfTheTransposes() {
        Seeds.each(2, 50, (random, done) -> {
            Pair x = bound(random, some(random, AXES));
            Pair y = bound(random, some(random, AXES));
            NamedTensor left = x.tensor.t();
            NamedTensor one = left.dot(y.tensor);
            NamedTensor other = y.tensor.t().dot(left.t()).t();
            assertEquals(one.axes(), other.axes());
            double[] a = new double[(int) Arrays.stream(AxisLists.shape(axes(one))).reduce(1, (m, n) -> m * n)];
            double[] b = new double[a.length];
            one.into(DoubleTensorData.of(a, AxisLists.shape(axes(one))));
            other.into(DoubleTensorData.of(b, AxisLists.shape(axes(one))));
            assertArrayEquals(a, b);
        });
    }
}
