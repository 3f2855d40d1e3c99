package io.tensornio.internal.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.TensorIndex;
import io.tensornio.support.Expect;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Steps of views, each against the function from indices of the view to indices of its source. */
class ViewsTest {
    /** A layout of a random shape, as slices of a tensor make it: with gaps, in reverse, with lists. */
    static Layout random(Random random, boolean lists) {
        long[] shape = new long[random.nextInt(5)];
        TensorIndex[] indices = new TensorIndex[shape.length];
        for (int d = 0; d < shape.length; d++) {
            shape[d] = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(4);
            long[] squares = {0, 0, 1, 4, 9};
            indices[d] = shape[d] == 0 ? TensorIndex.all()
                : lists && random.nextInt(5) == 0 ? TensorIndex.incl(Arrays.copyOfRange(squares, 1, 1 + (int) shape[d]))
                : random.nextInt(4) == 0 ? TensorIndex.flip() : random.nextInt(3) == 0 ? TensorIndex.to(-1) : TensorIndex.all();
            shape[d] = indices[d] instanceof PositionsIndex ? 10 : shape[d];
        }
        return Slicer.slice(Layout.rowMajor(shape), indices);
    }

    static long position(Layout layout, long... indices) {
        long at = layout.offset();
        for (int d = 0; d < indices.length; d++) {
            at += layout.distance(d, indices[d]);
        }
        return at;
    }

    private static void follows(Layout view, Layout source, UnaryOperator<long[]> toSource) {
        for (long n = 0; n < view.totalSize(); n++) {
            long[] indices = Shapes.coordinates(view.sizes(), n);
            assertEquals(position(source, toSource.apply(indices)), position(view, indices), () -> Arrays.toString(indices));
        }
    }

    private static int[] shuffled(Random random, int rank) {
        int[] axes = IntStream.range(0, rank).toArray();
        for (int d = rank - 1; d > 0; d--) {
            int other = random.nextInt(d + 1);
            int axis = axes[d];
            axes[d] = axes[other];
            axes[other] = axis;
        }
        return axes;
    }

    @Test
    void stepsFollowTheirIndexFunctions() {
        Seeds.each(3201, 3000, (random, done) -> {
            Layout source = random(random, true);
            done.append(", ").append(Arrays.toString(source.sizes())).append(Arrays.toString(source.strides()));
            int rank = source.rank();
            int[] axes = shuffled(random, rank);
            follows(Views.permute(source, axes), source, i -> {
                long[] to = new long[rank];
                for (int k = 0; k < rank; k++) {
                    to[axes[k]] = i[k];
                }
                return to;
            });
            int place = random.nextInt(rank + 1);
            Layout expanded = Views.expandDims(source, random.nextBoolean() ? place : place - rank - 1);
            assertEquals(1, expanded.size(place));
            follows(expanded, source, i -> without(i, place));
            assertArrayEquals(source.sizes(), Views.squeeze(expanded, place).sizes());
            follows(Views.squeeze(expanded, place), source, i -> i);
            Layout squeezed = Views.squeeze(source);
            follows(squeezed, source, i -> {
                long[] to = new long[rank];
                for (int d = 0, k = 0; d < rank; d++) {
                    to[d] = source.size(d) == 1 ? 0 : i[k++];
                }
                return to;
            });
            int[] flipped = Arrays.copyOf(axes, random.nextInt(rank + 1));
            follows(Views.flip(source, flipped), source, i -> {
                long[] to = i.clone();
                for (int d = 0; d < rank; d++) {
                    int axis = d;
                    to[d] = flipped.length == 0 || Arrays.stream(flipped).anyMatch(f -> f == axis) ? source.size(d) - 1 - i[d] : i[d];
                }
                return to;
            });
        });
    }

    @Test
    void stepsThatRepeatOrDropFollowTheirIndexFunctions() {
        Seeds.each(3202, 3000, (random, done) -> {
            Layout source = random(random, true);
            done.append(", ").append(Arrays.toString(source.sizes())).append(Arrays.toString(source.strides()));
            int rank = source.rank();
            int added = random.nextInt(3);
            long[] wide = new long[rank + added];
            for (int k = 0; k < wide.length; k++) {
                long own = k < added ? 1 : source.size(k - added);
                wide[k] = own == 1 ? random.nextInt(3) : own;
            }
            Layout broadcast = Views.broadcastTo(source, wide);
            assertTrue(broadcast.isReadOnly());
            assertArrayEquals(wide, broadcast.sizes());
            follows(broadcast, source, i -> {
                long[] to = Arrays.copyOfRange(i, added, i.length);
                for (int d = 0; d < rank; d++) {
                    to[d] = source.size(d) == 1 ? 0 : to[d];
                }
                return to;
            });
            if (rank < 2) {
                return;
            }
            int[] axes = shuffled(random, rank);
            Layout diagonal = Views.diagonal(source, axes[0], axes[1] - rank);
            assertEquals(Math.min(source.size(axes[0]), source.size(axes[1])), diagonal.size(rank - 2));
            follows(diagonal, source, i -> {
                long[] to = new long[rank];
                for (int d = 0, k = 0; d < rank; d++) {
                    to[d] = d == axes[0] || d == axes[1] ? i[rank - 2] : i[k++];
                }
                return to;
            });
            int axis = axes[0];
            if (source.isStrided(axis) && source.size(axis) > 0) {
                long size = 1 + random.nextInt((int) source.size(axis));
                long step = 1 + random.nextInt(3);
                Layout windows = Views.slidingWindow(source, axis, size, step);
                assertTrue(windows.isReadOnly());
                assertEquals((source.size(axis) - size) / step + 1, windows.size(axis));
                follows(windows, source, i -> {
                    long[] to = Arrays.copyOf(i, rank);
                    to[axis] = i[axis] * step + i[rank];
                    return to;
                });
            }
        });
    }

    private static long[] without(long[] indices, int axis) {
        long[] rest = new long[indices.length - 1];
        for (int d = 0; d < rest.length; d++) {
            rest[d] = indices[d < axis ? d : d + 1];
        }
        return rest;
    }

    @Test
    void stepsOfRunsAreThoseOfTheirPositions() {
        Layout runs = Slicer.slice(Layout.rowMajor(new long[] {40, 2}), 4, TensorIndex.excl(7, 20));
        assertTrue(runs.hasRuns());
        follows(Views.transpose(runs), runs, i -> new long[] {i[1], i[0]});
        follows(Views.flip(runs, 0), runs, i -> new long[] {37 - i[0], i[1]});
        follows(Views.diagonal(runs, 0, 1), runs, i -> new long[] {i[0], i[0]});
        follows(Reshape.reshape(runs, 1, 38, 2, 1), runs, i -> new long[] {i[1], i[2]});
        Expect.thrown(IllegalArgumentException.class, () -> Reshape.flatten(runs), "axis 0 is a list of positions", "copy()");
    }

    @Test
    void listsAtEqualDistancesAreStrides() {
        Layout vector = Layout.rowMajor(new long[] {5});
        assertEquals(0, Slicer.slice(vector, TensorIndex.incl(3, 3, 3)).stride(0));
        assertTrue(Slicer.slice(vector, TensorIndex.incl(3, 3, 3)).isStrided());
        Layout list = Slicer.slice(vector, TensorIndex.incl(0, 1, 4));
        assertFalse(list.isStrided());
        assertTrue(Slicer.slice(list, TensorIndex.to(2)).isStrided());
    }

    @Test
    void viewsOfReadOnlyViewsAreReadOnly() {
        Layout wide = Views.broadcastTo(Layout.rowMajor(new long[] {1, 3}), 2, 3);
        assertTrue(Views.transpose(wide).isReadOnly());
        assertTrue(Views.flip(wide).isReadOnly());
        assertTrue(Slicer.slice(wide, TensorIndex.at(0)).isReadOnly());
        assertTrue(wide.at(1).isReadOnly());
        assertTrue(wide.part(0, 1).isReadOnly());
        assertTrue(Reshape.reshape(wide, 2, 3, 1).isReadOnly());
        assertFalse(Views.diagonal(Layout.rowMajor(new long[] {3, 3}), 0, 1).isReadOnly());
    }

    @Test
    void errorsNameWhatWasAskedAndWhatWasPossible() {
        Layout m = Layout.rowMajor(new long[] {2, 3});
        Class<IllegalArgumentException> bad = IllegalArgumentException.class;
        Expect.thrown(bad, () -> Views.permute(m, 0), "1 axes [0]", "[2, 3]");
        Expect.thrown(bad, () -> Views.permute(m, 0, 0), "axis 0 is named twice in [0, 0]");
        Expect.thrown(bad, () -> Views.permute(m, 0, 2), "no axis 2 in the shape [2, 3] of rank 2: they are -2 to 1");
        Expect.thrown(bad, () -> Views.expandDims(m, 3), "no axis 3", "[2, 3]", "-3 to 2");
        Expect.thrown(bad, () -> Views.squeeze(m, 1), "axis 1 of the shape [2, 3] has the size 3");
        Expect.thrown(bad, () -> Views.flip(m, -3), "no axis -3", "-2 to 1");
        Expect.thrown(bad, () -> Views.flip(m, 1, -1), "axis 1 is named twice");
        Expect.thrown(bad, () -> Views.diagonal(m, 0, -2), "axis 0 is named twice");
        Expect.thrown(bad, () -> Views.broadcastTo(m, 3), "[2, 3]", "[3]");
        Expect.thrown(bad, () -> Views.broadcastTo(m, 2, 4), "[2, 3]", "[2, 4]");
        Expect.thrown(bad, () -> Views.broadcastTo(m, -1, 3), "negative");
        Expect.thrown(bad, () -> Views.broadcastTo(m, Long.MAX_VALUE, 2, 3), "more elements than a long can count");
        Expect.thrown(bad, () -> Views.slidingWindow(m, 1, 4, 1), "size 4", "step of 1", "axis 1 of size 3", "1 to 3");
        Expect.thrown(bad, () -> Views.slidingWindow(m, 1, 2, 0), "step of 0");
        Expect.thrown(bad, () -> Views.slidingWindow(Slicer.slice(m, TensorIndex.all(), TensorIndex.incl(0, 0, 2)), 1, 2, 1), "copy()");
        Expect.thrown(bad, () -> Reshape.reshape(m, 5), "[5]", "6 elements", "[2, 3]");
        Expect.thrown(bad, () -> Reshape.reshape(m, -1, 4), "[-1, 4]", "6 elements");
        Expect.thrown(bad, () -> Reshape.reshape(m, -1, -1), "[-1, -1]");
        Expect.thrown(bad, () -> Reshape.reshape(m, -2, -3), "[-2, -3]");
        Expect.thrown(bad, () -> Reshape.reshape(Views.transpose(m), 6), "[3, 2]", "[6]", "[1, 3]", "copy()");
        Expect.thrown(bad, () -> Reshape.flatten(m, 1, 0), "axis 1 to 0");
        Expect.thrown(bad, () -> Reshape.unflatten(m, 1, 2, 2), "[2, 2]", "3 elements");
        Expect.thrown(bad, () -> Views.transpose(Layout.rowMajor(new long[0])).take(Axes.check("flip", new long[0], 0)), "there are none");
    }
}
