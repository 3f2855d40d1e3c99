package io.tensornio.internal.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.tensornio.TensorIndex;
import io.tensornio.support.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Which reshapes are views. They are judged by what NumPy's rule comes to, stated without groups of axes: the positions in row-major order, dealt out
 * to the new shape, must be a sum of one term for each axis, each of which is a stride, or a list of the source that is kept whole.
 */
class ReshapeTest {
    private static boolean isView(Layout source, long... shape) {
        long total = source.totalSize();
        long[] positions = new long[(int) total];
        for (int n = 0; n < total; n++) {
            positions[n] = ViewsTest.position(source, Shapes.coordinates(source.sizes(), n));
        }
        long[] weights = Layout.rowMajorStrides(shape);
        for (int n = 0; n < total; n++) {
            long sum = positions[0];
            for (int d = 0; d < shape.length; d++) {
                sum += positions[(int) (n / weights[d] % shape[d] * weights[d])] - positions[0];
            }
            if (sum != positions[n]) {
                return false;
            }
        }
        for (int d = 0; d < shape.length; d++) {
            long[] term = new long[(int) shape[d]];
            for (int i = 0; i < term.length; i++) {
                term[i] = positions[(int) (i * weights[d])];
            }
            if (!Slicer.isArithmetic(term) && !isList(source, shape[d], weights[d])) {
                return false;
            }
        }
        return true;
    }

    /** Whether the source has a list on an axis of a size behind which there are as many elements. */
    private static boolean isList(Layout source, long size, long weight) {
        long[] weights = Layout.rowMajorStrides(source.sizes());
        for (int d = 0; d < source.rank(); d++) {
            if (source.list(d) != null && source.size(d) == size && weights[d] == weight) {
                return true;
            }
        }
        return false;
    }

    /** A random shape of a number of elements. */
    private static long[] shape(Random random, long total) {
        List<Long> sizes = new ArrayList<>();
        long rest = total;
        while (rest != 1) {
            long factor = 2;
            while (rest % factor != 0) {
                factor++;
            }
            rest /= factor;
            int at = sizes.isEmpty() ? 0 : random.nextInt(sizes.size());
            if (!sizes.isEmpty() && random.nextInt(3) > 0) {
                sizes.set(at, sizes.get(at) * factor);
            } else {
                sizes.add(at, factor);
            }
        }
        while (random.nextInt(4) == 0) {
            sizes.add(random.nextInt(sizes.size() + 1), 1L);
        }
        return sizes.stream().mapToLong(Long::longValue).toArray();
    }

    @Test
    void reshapesAreViewsExactlyWherePositionsAllowIt() {
        int[] seen = new int[2];
        Seeds.each(3203, 20000, (random, done) -> {
            Layout source = ViewsTest.random(random, true);
            if (random.nextInt(3) == 0) {
                source = Views.transpose(source);
            }
            if (random.nextInt(8) == 0) {
                source = Views.broadcastTo(Views.expandDims(source, 0), Arrays.stream(Views.expandDims(source, 0).sizes())
                    .map(n -> n == 1 ? 2 : n).toArray());
            }
            long total = source.totalSize();
            if (total == 0) {
                return;
            }
            long[] shape = shape(random, total);
            done.append(", ").append(Arrays.toString(source.sizes())).append(Arrays.toString(source.strides())).append(Arrays.toString(shape));
            Layout view = Reshape.attempt(source, shape);
            assertEquals(isView(source, shape), view != null);
            seen[view != null ? 1 : 0]++;
            for (long n = 0; view != null && n < total; n++) {
                assertEquals(ViewsTest.position(source, Shapes.coordinates(source.sizes(), n)),
                    ViewsTest.position(view, Shapes.coordinates(shape, n)));
            }
        });
        assertEquals(true, seen[0] > 1000 && seen[1] > 1000, () -> Arrays.toString(seen));
    }

    @Test
    void workedExamples() {
        Layout m = Layout.rowMajor(new long[] {3, 4});
        Layout split = Reshape.reshape(Views.transpose(m), 2, 2, 3);
        assertArrayEquals(new long[] {2, 1, 4}, split.strides());
        assertNull(Reshape.attempt(Views.transpose(m), 12));
        Layout left = Slicer.slice(m, TensorIndex.all(), TensorIndex.to(2));
        assertNotNull(Reshape.attempt(left, 3, 1, 2));
        assertNull(Reshape.attempt(left, 6));
    }

    @Test
    void flattenAndUnflattenAreReshapes() {
        Layout t = Layout.rowMajor(new long[] {2, 3, 4});
        assertArrayEquals(new long[] {6, 4}, Reshape.flatten(t, 0, 1).sizes());
        assertArrayEquals(new long[] {2, 12}, Reshape.flatten(t, -2, -1).sizes());
        assertArrayEquals(new long[] {24}, Reshape.flatten(t).sizes());
        assertArrayEquals(new long[] {1}, Reshape.flatten(Layout.rowMajor(new long[0])).sizes());
        assertArrayEquals(new long[] {2, 3, 2, 2}, Reshape.unflatten(t, -1, 2, -1).sizes());
        assertArrayEquals(new long[] {12, 4, 2, 1}, Reshape.unflatten(t, 2, 2, 2).strides());
        assertArrayEquals(new long[] {3, 4}, Reshape.unflatten(Layout.rowMajor(new long[] {1, 3, 4}), 0).sizes());
    }

    @Test
    void withoutElementsEveryReshapeIsAView() {
        Layout none = Slicer.slice(Views.transpose(Layout.rowMajor(new long[] {3, 4})), TensorIndex.to(0));
        assertArrayEquals(new long[] {0}, Reshape.flatten(none).sizes());
        assertArrayEquals(new long[] {5, 0, 7}, Reshape.reshape(none, 5, -1, 7).sizes());
    }
}
