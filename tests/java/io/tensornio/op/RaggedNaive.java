package io.tensornio.op;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.Tensors;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

/** A ragged array of doubles as a tree, on which operations are plain loops: a node is a list of nodes, or a number below the last axis. */
final class RaggedNaive {
    /** -1 for a ragged axis. */
    final long[] shape;
    private final Object root;

    private RaggedNaive(long[] shape, Object root) {
        this.shape = shape;
        this.root = root;
    }

    /** Rows of 0 to 3, and shapes of one ragged axis or several, with uniform ones between and inside. */
    static RaggedNaive random(Random random, DoubleSupplier element) {
        long[][] shapes = {{3, -1}, {1, -1}, {0, -1}, {2, -1, -1}, {3, -1, 2}, {2, 3, -1}, {2, -1, 2, -1}, {2, -1, -1, 2}, {2, -1, -1, -1}};
        long[] shape = shapes[random.nextInt(shapes.length)];
        return new RaggedNaive(shape, tree(random, element, shape, 0));
    }

    private static Object tree(Random random, DoubleSupplier element, long[] shape, int axis) {
        if (axis == shape.length) {
            return element.getAsDouble();
        }
        List<Object> node = new ArrayList<>();
        long size = shape[axis] < 0 ? random.nextInt(4) : shape[axis];
        if (axis == 3 && shape[2] > 0) {
            size = Math.max(1, size);           // what is put one by one makes no row without elements
        }
        for (long n = 0; n < size; n++) {
            node.add(tree(random, element, shape, axis + 1));
        }
        return node;
    }

    /** Some function of what is at a place, and of the place. */
    interface At {
        double of(double value, long... at);
    }

    RaggedNaive map(At function) {
        return new RaggedNaive(shape, map(function, root));
    }

    private static Object map(At function, Object node, long... at) {
        if (node instanceof Double) {
            return function.of((Double) node, at);
        }
        List<Object> mapped = new ArrayList<>();
        for (Object child : (List<?>) node) {
            long[] below = Arrays.copyOf(at, at.length + 1);
            below[at.length] = mapped.size();
            mapped.add(map(function, child, below));
        }
        return mapped;
    }

    double at(long... at) {
        Object node = root;
        for (long one : at) {
            node = ((List<?>) node).get((int) one);
        }
        return (Double) node;
    }

    /** A tensor with these elements, which the caller closes. */
    RaggedTensor<Double> tensor() {
        if (shape.length > 2 && shape[1] > 0 || shape.length > 3 && shape[2] > 0) {
            return Tensors.raggedDouble(shape, data -> map((value, at) -> {
                data.put(value, Arrays.stream(at).mapToInt(d -> (int) d).toArray());
                return value;
            }));
        }
        List<long[]> lengths = new ArrayList<>();
        List<Object> nodes = new ArrayList<>((List<?>) root);
        int axis = 1;
        for (; axis < shape.length && shape[axis] < 0; axis++) {
            lengths.add(nodes.stream().mapToLong(node -> ((List<?>) node).size()).toArray());
            nodes = below(nodes);
        }
        long[] inner = Arrays.copyOfRange(shape, axis - 1, shape.length);
        inner[0] = nodes.size();
        for (; axis < shape.length; axis++) {
            nodes = below(nodes);
        }
        double[] values = nodes.stream().mapToDouble(node -> (Double) node).toArray();
        return RaggedTensor.fromRowLengths(DoubleTensorData.of(values, inner), lengths.toArray(new long[0][]));
    }

    private static List<Object> below(List<?> nodes) {
        List<Object> below = new ArrayList<>();
        nodes.forEach(node -> below.addAll((List<?>) node));
        return below;
    }

    /** Each result of what there is at a place of the kept axes, which are as long as the longest of the rows that are reduced. */
    RaggedNaive reduce(boolean[] reduced, boolean keepDims, ToDoubleFunction<double[]> combine) {
        List<Long> left = new ArrayList<>();
        boolean isBelow = false;
        for (int d = 0; d < shape.length; d++) {
            if (!reduced[d]) {
                left.add(shape[d] < 0 && !isBelow ? -2 : shape[d]);         // -2: dense, and as long as the longest
                isBelow = true;
            } else if (keepDims) {
                left.add(1L);
            }
        }
        Object whole = reduce(reduced, keepDims, combine, 0, Collections.singletonList(root));
        return new RaggedNaive(left.stream().mapToLong(Long::longValue).toArray(), whole);
    }

    private Object reduce(boolean[] reduced, boolean keepDims, ToDoubleFunction<double[]> combine, int axis, List<?> nodes) {
        if (axis == shape.length) {
            return combine.applyAsDouble(nodes.stream().mapToDouble(node -> (Double) node).toArray());
        }
        if (reduced[axis]) {
            Object result = reduce(reduced, keepDims, combine, axis + 1, below(nodes));
            return keepDims ? Collections.singletonList(result) : result;
        }
        long size = shape[axis] < 0 ? nodes.stream().mapToInt(node -> ((List<?>) node).size()).max().orElse(0) : shape[axis];
        List<Object> results = new ArrayList<>();
        for (int n = 0; n < size; n++) {
            int at = n;
            List<Object> below = new ArrayList<>();
            nodes.forEach(node -> below.addAll(((List<?>) node).size() > at ? Collections.singletonList(((List<?>) node).get(at))
                : Collections.emptyList()));
            results.add(reduce(reduced, keepDims, combine, axis + 1, below));
        }
        return results;
    }

    /** Checks what an operation gave: which axes are ragged, type, and elements. */
    void check(Ops tf, Operand<?> result, DataType type) {
        assertEquals(type, result.dataType());
        long[] expected = shape.clone();
        for (int d = 0; d < expected.length; d++) {
            expected[d] = expected[d] == -2 ? result.shape()[d] : expected[d];
        }
        assertArrayEquals(expected, result.shape());
        assertTrue(Arrays.stream(expected).anyMatch(size -> size < 0) == result.any() instanceof RaggedTensor);
        Operand<Double> found = Held.held(tf.math.cast(Held.held(result), Double.class));
        same(root, found.any().toNested(), type == DataType.FLOAT ? 2e-5 : 1e-11, this + " and " + result);
    }

    private static void same(Object expected, Object found, double error, String what) {
        if (expected instanceof Double) {
            double wanted = (Double) expected;
            double is = (Double) found;
            if (!(Math.abs(is - wanted) <= error * (1 + Math.abs(wanted)))) {
                assertEquals(wanted, is, what);
            }
            return;
        }
        List<?> all = (List<?>) expected;
        assertEquals(all.size(), Array.getLength(found), what);
        for (int n = 0; n < all.size(); n++) {
            same(all.get(n), Array.get(found, n), error, what);
        }
    }

    @Override
    public String toString() {
        return Arrays.toString(shape) + " " + root;
    }
}
