package io.tensornio.internal.layout;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.ellipsis;
import static io.tensornio.TensorIndex.excl;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.from;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.newAxis;
import static io.tensornio.TensorIndex.odd;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static io.tensornio.TensorIndex.take;
import static io.tensornio.TensorIndex.to;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.LongTensorData;
import io.tensornio.TensorIndex;
import io.tensornio.support.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slices of layouts, most of them of shapes for which no memory would do. */
class LayoutTest {
    private static final long HUGE = 1L << 40;

    private static Layout of(long... shape) {
        return Layout.rowMajor(shape);
    }

    /** The positions of a layout of rank 1 that is not long. */
    private static long[] positions(Layout layout) {
        assertEquals(1, layout.rank());
        return LongStream.range(0, layout.size(0)).map(i -> layout.offset() + layout.distance(0, i)).toArray();
    }

    private static void selects(TensorIndex index, boolean strided, long... expected) {
        Layout layout = Slicer.slice(of(HUGE), index);
        assertArrayEquals(expected, positions(layout), index.toString());
        assertEquals(strided, layout.isStrided(), index.toString());
    }

    @Test
    void positionsOnAVeryLongAxis() {
        selects(incl(HUGE - 1, 0, -HUGE, -1), false, HUGE - 1, 0, 0, HUGE - 1);
        selects(incl(0, HUGE / 2, HUGE - 1), false, 0, HUGE / 2, HUGE - 1);
        selects(incl(1, 1 + HUGE / 4, 1 + HUGE / 2), true, 1, 1 + HUGE / 4, 1 + HUGE / 2);
        selects(incl(-1, -3, -5), true, HUGE - 1, HUGE - 3, HUGE - 5);
        selects(range(-3, HUGE), true, HUGE - 3, HUGE - 2, HUGE - 1);
        selects(range(0, HUGE, HUGE / 2), true, 0, HUGE / 2);
        selects(range(-1, 0, -HUGE / 4), true, HUGE - 1, 3 * HUGE / 4 - 1, HUGE / 2 - 1, HUGE / 4 - 1);
        selects(from(-2), true, HUGE - 2, HUGE - 1);
        selects(to(3 - HUGE), true, 0, 1, 2);
        selects(step(HUGE - 1), true, 0, HUGE - 1);
        selects(step(HUGE), true, 0);
        selects(take(LongTensorData.of(new long[] {-1, 0, 5})), false, HUGE - 1, 0, 5);
        selects(range(Long.MAX_VALUE, Long.MIN_VALUE), true);
        assertEquals(HUGE, Slicer.slice(of(HUGE), excl()).size(0));
        assertEquals(HUGE / 2, Slicer.slice(of(HUGE), odd()).size(0));
    }

    @Test
    void positionsBehindAVeryLongAxisAreRefused() {
        TensorIndex[] bad = {at(HUGE), at(-HUGE - 1), incl(0, HUGE), incl(-HUGE - 1), from(HUGE + 1), to(HUGE + 1), to(-HUGE - 1), from(-HUGE - 1),
            range(0, HUGE + 1),
            range(HUGE, HUGE + 1), excl(HUGE), take(LongTensorData.of(new long[] {HUGE})), at(Long.MIN_VALUE), at(Long.MAX_VALUE),
            incl(Long.MIN_VALUE)};
        for (TensorIndex index : bad) {
            String message = assertThrows(IndexOutOfBoundsException.class, () -> Slicer.slice(of(2, HUGE), all(), index), index.toString())
                .getMessage();
            assertTrue(message.contains("axis 1") && message.contains(" size " + HUGE), message);
        }
    }

    /** The positions of a layout of rank 1 at some indices. */
    private static long[] positions(Layout layout, long... indices) {
        return Arrays.stream(indices).map(i -> layout.offset() + layout.distance(0, i)).toArray();
    }

    @Test
    void leavingOutSomeOfAVeryLongAxisLeavesRuns() {
        Layout two = Slicer.slice(of(HUGE), excl(5, -2, 0, 6));
        assertArrayEquals(new long[] {HUGE - 4}, two.sizes());
        assertArrayEquals(new long[] {1, 4, 7, 8, HUGE - 3, HUGE - 1}, positions(two, 0, 3, 4, 5, HUGE - 6, HUGE - 5));
        assertFalse(two.isStrided());
        assertFalse(two.isContiguous());
        assertEquals(1, two.lowest());
        assertEquals(HUGE - 1, two.highest());
        Layout steps = Slicer.slice(Slicer.slice(two, flip()), step(3));
        assertArrayEquals(new long[] {HUGE - 1, HUGE - 5, HUGE - 8}, positions(steps, 0, 1, 2));
        assertEquals(HUGE - 1, steps.highest());
        Layout less = Slicer.slice(two, excl(0, 3, -2));
        assertArrayEquals(new long[] {2, 3, 7, 8, HUGE - 4, HUGE - 1}, positions(less, 0, 1, 2, 3, HUGE - 9, HUGE - 8));
        assertArrayEquals(new long[] {3, 4, 7, 8}, positions(Slicer.slice(two, range(2, 6))));
        assertEquals(7, Slicer.slice(two, at(4)).offset());
        assertArrayEquals(new long[] {7, 1, HUGE - 1}, positions(Slicer.slice(two, incl(4, 0, -1))));
        assertThrows(IndexOutOfBoundsException.class, () -> Slicer.slice(two, at(HUGE - 4)));
        for (Layout strided : new Layout[] {Slicer.slice(two, range(4, 100)), Slicer.slice(two, range(4, HUGE - 5)), two.part(4, HUGE - 9),
            Slicer.slice(two, range(3, 0, -1)), Slicer.slice(two, excl(-1, 0, 1, 2, 3)), two.part(3, 1), Slicer.slice(two, to(0))}) {
            assertTrue(strided.isStrided());
        }
        assertArrayEquals(new long[] {7, 8}, positions(two.part(4, 2)));
        assertArrayEquals(new long[] {3, 4, 7, 8}, positions(two.part(2, 4)));
    }

    @Test
    void leavingOutMoreThanIsKeptNeedsAList() {
        long[] odd = LongStream.range(0, 50).map(i -> 2 * i + i / 7).toArray();
        Layout layout = Slicer.slice(of(107), 0, excl(odd));
        assertEquals(57, layout.list(0).length);
        assertArrayEquals(positions(Slicer.slice(of(107), excl(odd))), positions(layout));
    }

    /** Layouts of ragged data have no runs. */
    @Test
    void leavingOutSomeOfAnAxisTooLongForAListSaysSo() {
        for (TensorIndex index : new TensorIndex[] {excl(5), excl(0, 2), excl(-2), excl(-1, -3, 0)}) {
            String message = assertThrows(OutOfMemoryError.class, () -> Slicer.apply(of(HUGE), new long[] {HUGE}, 0, index)).getMessage();
            assertTrue(message.contains(index + " of an axis of size " + HUGE) && message.contains(String.valueOf(Integer.MAX_VALUE - 8)), message);
        }
    }

    /** Checks that an index keeps a run of a very long axis, by a stride. */
    private static void keepsRun(long first, long count, TensorIndex index) {
        Layout layout = Slicer.slice(of(HUGE), index);
        assertTrue(layout.isStrided());
        assertEquals(first, layout.offset(), index.toString());
        assertArrayEquals(new long[] {count}, layout.sizes(), index.toString());
        assertArrayEquals(new long[] {1}, layout.strides(), index.toString());
    }

    @Test
    void leavingOutTheEndsOfAVeryLongAxisNeedsNoList() {
        keepsRun(0, HUGE, excl());
        keepsRun(1, HUGE - 1, excl(0));
        keepsRun(0, HUGE - 1, excl(-1));
        keepsRun(0, HUGE - 2, excl(HUGE - 1, -2, -1));
        keepsRun(3, HUGE - 3, excl(2, 0, -HUGE, 1));
        keepsRun(2, HUGE - 3, excl(-1, 1, 0, 1));
    }

    @Test
    void aListThatIsKeptWholeIsTheSameList() {
        Layout layout = Slicer.slice(of(4, 7), incl(0, 3, 2), incl(6, 0, 1, 5));
        for (Layout kept : new Layout[] {Slicer.slice(layout), Slicer.slice(layout, all()), Slicer.slice(layout, range(0, 3)),
            Slicer.slice(layout, step(1)), layout.part(0, 3)}) {
            assertSame(layout.list(0), kept.list(0));
            assertSame(layout.list(1), kept.list(1));
        }
        assertSame(layout.list(1), Slicer.slice(layout, range(1, 3)).list(1));
        assertSame(layout.list(1), Slicer.slice(layout, at(1)).list(0));
        assertSame(layout.list(1), layout.part(1, 2).list(1));
        assertArrayEquals(new long[] {5, 1, 0, 6}, Slicer.slice(layout, at(0), flip()).list(0));
    }

    @Test
    void stridesBeyond32Bits() {
        long n = 1L << 20;
        Layout cube = of(n, n, n);
        assertArrayEquals(new long[] {n * n, n, 1}, cube.strides());
        assertEquals(n * n * n - 1, Slicer.slice(cube, at(-1), at(-1), at(-1)).offset());
        assertEquals(n * n * n - 1, cube.offsetOf((int) n - 1, (int) n - 1, (int) n - 1));
        assertEquals(5 * n * n + 7, Slicer.slice(cube, ellipsis(), at(7)).at(5, 0).offset());
        Layout flipped = Slicer.slice(cube, flip(), incl(3, 1, 1), flip());
        assertEquals((n - 1 - 2) * n * n + n + n - 1 - 4, flipped.offsetOf(2, 2, 4));
        Layout steps = Slicer.slice(cube, step(n / 2), step(n / 2));
        assertArrayEquals(new long[] {n * n * n / 2, n * n / 2, 1}, steps.strides());
        assertEquals(n * n * n / 2 + n * n / 2 + 9, steps.offsetOf(1, 1, 9));
    }

    @Test
    void evenlySpacedListsAreStrides() {
        Layout vector = of(12);
        for (TensorIndex index : new TensorIndex[] {incl(), incl(5), incl(5, 3), incl(5, 5), incl(3, 3, 3),
            incl(1, 4, 7, 10), incl(-1, -4, -7), excl(0), excl(-1),
            excl(0, 1, 2), excl(11, 0), excl(),
            excl(0, 2, 4, 6, 8, 10), take(LongTensorData.of(new long[] {2, 4, 6}))}) {
            assertTrue(Slicer.slice(vector, index).isStrided(), index.toString());
        }
        for (TensorIndex index : new TensorIndex[] {incl(1, 2, 4), incl(0, 1, 0), excl(5), excl(1, -2)}) {
            assertFalse(Slicer.slice(vector, index).isStrided(), index.toString());
        }
    }

    @Test
    void evenlySpacedPartsOfListsAreStridesAgain() {
        Layout list = Slicer.slice(of(12), incl(7, 1, 3, 5, 7, 7));
        assertArrayEquals(new long[] {1, 3, 5, 7}, positions(Slicer.slice(list, range(1, 5))));
        assertTrue(Slicer.slice(list, range(1, 5)).isStrided());
        assertTrue(Slicer.slice(list, incl(3, 2, 1)).isStrided());
        assertTrue(Slicer.slice(list, incl(0, 3)).isStrided());
        assertTrue(Slicer.slice(list, to(1)).isStrided());
        assertTrue(Slicer.slice(list, to(0)).isStrided());
        assertTrue(Slicer.slice(list, at(-1)).isStrided());
        assertTrue(Slicer.slice(list, from(4)).isStrided(), "repeats");
        assertTrue(list.at(3).isStrided());
        Layout two = Slicer.slice(of(12, 12), incl(7, 1, 3), excl(4));
        assertFalse(Slicer.slice(two, at(0)).isStrided());
        assertFalse(Slicer.slice(two, all(), at(0)).isStrided());
        assertTrue(Slicer.slice(two, at(0), at(0)).isStrided());
        assertTrue(Slicer.slice(two, from(1), to(4)).isStrided());
        assertEquals(3 * 12 + 5, Slicer.slice(two, at(2), at(4)).offset());
        assertEquals(3 * 12 + 5, Slicer.slice(two, from(1), newAxis(), from(4)).offsetOf(1, 0, 0));
    }

    /** What a chain of slices should make of an axis: where its positions are, in elements. */
    private static final class Axis {
        final long size;
        final LongUnaryOperator distance;

        Axis(long size, LongUnaryOperator distance) {
            this.size = size;
            this.distance = distance;
        }

        Axis select(long count, LongUnaryOperator position) {
            return new Axis(count, i -> distance.applyAsLong(position.applyAsLong(i)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void chainsOfSlicesOfHugeShapes(int rank) {
        Seeds.each(rank, 2000, (random, done) -> {
            long[] shape = new long[rank];
            long most = rank == 1 ? 1L << 60 : rank == 2 ? 1L << 30 : 1L << 20;
            Arrays.setAll(shape, d -> random.nextInt(4) == 0 ? 1 + random.nextInt(9) : 1 + (long) (random.nextDouble() * (most - 1)));
            Layout layout = of(shape);
            List<Axis> axes = new ArrayList<>();
            for (int d = 0; d < rank; d++) {
                long stride = layout.stride(d);
                axes.add(new Axis(shape[d], i -> i * stride));
            }
            long[] base = {0};
            long longestList = random.nextInt(100);
            for (int n = 0; n < 4; n++) {
                List<TensorIndex> indices = new ArrayList<>();
                List<Axis> next = new ArrayList<>();
                for (Axis axis : axes) {
                    indices.add(pick(random, axis, next, base));
                }
                done.append(", ").append(indices);
                layout = Slicer.slice(layout, longestList, indices.toArray(new TensorIndex[0]));
                axes = next;
                check(layout, axes, base[0], random, done.toString());
            }
        });
    }

    /** A random index for an axis; what it selects is added to the axes that follow, or to the base. */
    private static TensorIndex pick(Random random, Axis axis, List<Axis> next, long... base) {
        long size = axis.size;
        long first = size == 0 ? 0 : (long) (random.nextDouble() * size);
        switch (random.nextInt(size == 0 ? 2 : size < 100 ? 7 : 8)) {
            case 0:
                next.add(axis);
                return all();
            case 1:
                next.add(axis.select(size, i -> size - 1 - i));
                return flip();
            case 2: {
                long step = 1 + (long) (random.nextDouble() * (random.nextBoolean() ? size : 3));
                next.add(axis.select((size - 1) / step + 1, i -> i * step));
                return step(step);
            }
            case 3: {
                long end = first + (long) (random.nextDouble() * (size - first + 1));
                next.add(axis.select(end - first, i -> first + i));
                return range(random.nextBoolean() ? first : first - size, end);
            }
            case 4: {
                long step = 1 + (long) (random.nextDouble() * (random.nextBoolean() ? size : 3));
                next.add(axis.select(first == 0 ? 0 : (first - 1) / step + 1, i -> first - i * step));
                return range(first, 0, -step);
            }
            case 5:
                if (random.nextInt(3) == 0) {
                    base[0] += axis.distance.applyAsLong(first);
                    return at(first);
                }
                next.add(axis);
                return all();
            case 7: {
                long[] out = random.longs(1 + random.nextInt(4), 0, size).sorted().distinct().toArray();
                next.add(axis.select(size - out.length, i -> {
                    long position = i;
                    for (long o : out) {
                        position += o <= position ? 1 : 0;
                    }
                    return position;
                }));
                return excl(Arrays.stream(out).map(i -> random.nextBoolean() ? i : i - size).toArray());
            }
            default: {
                long[] positions = new long[random.nextInt(5)];
                Arrays.setAll(positions, i -> random.nextInt(3) == 0 ? first : (long) (random.nextDouble() * size));
                next.add(axis.select(positions.length, i -> positions[(int) i]));
                return incl(Arrays.stream(positions).map(i -> random.nextBoolean() ? i : i - size).toArray());
            }
        }
    }

    /** Runs are as few as can be, and searched as they lie. */
    private static void checkRuns(Runs runs, Axis axis, Layout layout, String done) {
        assertTrue(runs.count() > 1 && !layout.isStrided() && layout.hasRuns(), done);
        for (int run = 0; run < runs.count(); run++) {
            long first = run == 0 ? 0 : runs.end(run - 1);
            assertTrue(first < runs.end(run) && (run == 0 || runs.base(run) != runs.base(run - 1)), done);
            for (int near = 0; near < runs.count(); near++) {
                assertEquals(run, runs.run(first, near), done);
                assertEquals(run, runs.run(runs.end(run) - 1, near), done);
            }
            for (long i : new long[] {first, runs.end(run) - 1}) {
                long toNext = Long.signum(runs.stride());
                assertEquals(i, runs.first(runs.distance(i)), done);
                assertEquals(i + 1, runs.first(runs.distance(i) + toNext), done);
                assertEquals(i, runs.first(i == 0 ? runs.distance(i) - toNext : runs.distance(i - 1) + toNext), done);
            }
        }
        assertEquals(axis.size, runs.end(runs.count() - 1), done);
        assertEquals(runs.stride() > 0 ? axis.size : 0, runs.first(Long.MAX_VALUE), done);
        assertEquals(runs.stride() > 0 ? 0 : axis.size, runs.first(Long.MIN_VALUE), done);
    }

    private static void check(Layout layout, List<Axis> axes, long base, Random random, String done) {
        assertEquals(axes.size(), layout.rank(), done);
        for (int d = 0; d < axes.size(); d++) {
            assertEquals(axes.get(d).size, layout.size(d), done);
            Runs runs = layout.runs(d);
            if (runs != null) {
                checkRuns(runs, axes.get(d), layout, done);
            }
            long[] list = layout.list(d);
            if (list != null) {
                assertEquals(list.length, layout.size(d), done);
                long step = list[1] - list[0];
                boolean even = step != 0;
                for (int i = 2; i < list.length; i++) {
                    even &= list[i] - list[i - 1] == step;
                }
                assertFalse(even, () -> "a list that should be a stride: " + done);
            }
        }
        if (layout.totalSize() == 0) {
            return;
        }
        for (int n = 0; n < 8; n++) {
            long expected = base;
            long position = layout.offset();
            for (int d = 0; d < axes.size(); d++) {
                Axis axis = axes.get(d);
                long i = n == 0 ? 0 : n == 1 ? axis.size - 1 : (long) (random.nextDouble() * axis.size);
                expected += axis.distance.applyAsLong(i);
                position += layout.distance(d, i);
            }
            assertEquals(expected, position, done);
        }
    }
}
