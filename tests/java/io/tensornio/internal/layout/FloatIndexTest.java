package io.tensornio.internal.layout;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.ellipsis;
import static io.tensornio.TensorIndex.even;
import static io.tensornio.TensorIndex.excl;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.from;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.mask;
import static io.tensornio.TensorIndex.mod;
import static io.tensornio.TensorIndex.newAxis;
import static io.tensornio.TensorIndex.odd;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.step;
import static io.tensornio.TensorIndex.take;
import static io.tensornio.TensorIndex.to;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.AbstractLongTensorData;
import io.tensornio.BooleanTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorIndex;
import io.tensornio.Tensors;
//~byte import io.tensornio.UInt8;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatSources;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What each index selects of {@code float} data of every kind, and what it refuses when the slice is made. */
@ExtendWith(MemoryBalance.class)
class FloatIndexTest {
    /** Runs a check on filled data of every kind that can be written, and on that which can only be read. */
    static void onEach(Consumer<FloatTensorData> check, long... shape) {
        try (Tensor<Float> tensor = Tensors.denseFloat(shape, data -> {
            FloatValues.fill(data);
            check.accept(data);
        })) {
            check.accept(tensor.floatData());
        }
        for (String kind : FloatSources.KINDS) {
            FloatSources source = FloatSources.of(kind, shape);
            FloatValues.fill(source.data);
            check.accept(source.data);
            check.accept(source.readOnly);
        }
    }

    /** Checks what an index selects of an axis of some size. */
    private static void selects(int size, TensorIndex index, int... chosen) {
        onEach(data -> {
            FloatTensorData slice = data.slice(index);
            assertArrayEquals(new long[] {chosen.length}, slice.shape(), index.toString());
            float[] expected = FloatValues.zeros(chosen.length);
            for (int i = 0; i < chosen.length; i++) {
                expected[i] = FloatValues.of(chosen[i]);
                assertEquals(expected[i], slice.get(i), index.toString());
            }
            assertArrayEquals(expected, FloatValues.all(slice), index.toString());
        }, size);
    }

    /** Checks that an index is refused when the slice is made, on the second axis of {4, size}. */
    private static <E extends Throwable> void refuses(Class<E> type, int size, TensorIndex index, String... parts) {
        onEach(data -> {
            Expect.thrown(type, () -> data.slice(all(), index), parts);
            Expect.thrown(type, () -> data.slice(ellipsis(), index), parts);
        }, 4, size);
    }

    private static void isOutside(int size, TensorIndex index, String... parts) {
        refuses(IndexOutOfBoundsException.class, size, index, parts.length == 0 ? new String[] {index.toString()} : parts);
        refuses(IndexOutOfBoundsException.class, size, index, "axis 1", "size " + size, "[4, " + size + "]");
    }

    private static IntTensorData ints(int... values) {
        return IntTensorData.of(values);
    }

    private static LongTensorData longs(long... values) {
        return LongTensorData.of(values);
    }

    // ---- What they select ------------------------------------------------------------------------------------------

    @Test
    void evenOddAndMod() {
        selects(5, even(), 0, 2, 4);
        selects(4, even(), 0, 2);
        selects(1, even(), 0);
        selects(0, even());
        selects(5, odd(), 1, 3);
        selects(2, odd(), 1);
        selects(1, odd());
        selects(0, odd());
        selects(7, mod(3), 0, 3, 6);
        selects(3, mod(1), 0, 1, 2);
        selects(3, mod(Long.MAX_VALUE), 0);
        selects(0, mod(2));
    }

    @Test
    void fromAndTo() {
        selects(4, from(1), 1, 2, 3);
        selects(4, from(-1), 3);
        selects(4, from(-4), 0, 1, 2, 3);
        selects(4, from(0), 0, 1, 2, 3);
        selects(4, from(4));
        selects(0, from(0));
        selects(4, to(3), 0, 1, 2);
        selects(4, to(-1), 0, 1, 2);
        selects(4, to(4), 0, 1, 2, 3);
        selects(4, to(0));
        selects(4, to(-4));
        selects(0, to(0));
    }

    @Test
    void nothingIsClamped() {
        for (long behind : new long[] {5, 6, 1L << 32, Long.MAX_VALUE}) {
            isOutside(4, from(behind));
            isOutside(4, to(behind));
            isOutside(4, range(0, behind));
            isOutside(4, at(behind - 1));
            isOutside(4, incl(0, behind - 1), "position " + (behind - 1) + " of incl(0, " + (behind - 1) + ")");
            isOutside(4, excl(0, behind - 1), "position " + (behind - 1) + " of excl(0, " + (behind - 1) + ")");
            isOutside(4, take(longs(0, behind - 1)), "position " + (behind - 1) + " of take(0, " + (behind - 1) + ")");
            isOutside(4, longs(behind - 1), "at(" + (behind - 1) + ")");
        }
        for (long before : new long[] {-5, -6, -1L << 32, Long.MIN_VALUE}) {
            isOutside(4, from(before));
            isOutside(4, to(before));
            isOutside(4, range(before, 4));
            isOutside(4, at(before));
            isOutside(4, incl(0, before), "position " + before + " of incl(0, " + before + ")");
            isOutside(4, excl(0, before), "position " + before + " of excl(0, " + before + ")");
            isOutside(4, take(longs(0, before)), "position " + before + " of take(0, " + before + ")");
            isOutside(4, longs(before), "at(" + before + ")");
        }
        isOutside(0, from(1));
        isOutside(0, from(-1));
        isOutside(0, to(-1));
        isOutside(0, incl(0), "position 0 of incl(0)");
        isOutside(0, excl(-1), "position -1 of excl(-1)");
        isOutside(0, take(ints(0)), "position 0 of take(0)");
    }

    @Test
    void inclAndTakeKeepOrderAndRepeats() {
        selects(5, incl(3, 0, 3, 3, -1), 3, 0, 3, 3, 4);
        selects(5, take(ints(3, 0, 3, 3, -1)), 3, 0, 3, 3, 4);
        selects(5, take(longs(3, 0, 3, 3, -1)), 3, 0, 3, 3, 4);
        selects(5, incl(-5, 4), 0, 4);
        selects(5, incl(2), 2);
        selects(5, incl(2, 2), 2, 2);
        selects(5, incl());
        selects(0, incl());
        selects(0, take(ints()));
        selects(5, take(longs()));
        selects(9, incl(8, 6, 4), 8, 6, 4);
        selects(9, incl(1, 4, 7), 1, 4, 7);
    }

    @Test
    void exclLeavesOut() {
        selects(5, excl(1), 0, 2, 3, 4);
        selects(5, excl(-1, 0), 1, 2, 3);
        selects(5, excl(3, 1, 3, -2), 0, 2, 4);
        selects(3, excl(2, 0, 1));
        selects(3, excl(), 0, 1, 2);
        selects(0, excl());
    }

    @Test
    void listsTakeIntsAndLongsAndBothTogether() {
        int i = 2;
        long l = 2;
        int[] ints = {3, 0, -1};
        long[] longs = {3, 0, -1};
        selects(5, incl(i), 2);
        selects(5, incl(l), 2);
        selects(5, incl(i, 0), 2, 0);
        selects(5, incl(i, l, 0), 2, 2, 0);
        selects(5, incl(ints), 3, 0, 4);
        selects(5, incl(longs), 3, 0, 4);
        selects(5, excl(i), 0, 1, 3, 4);
        selects(5, excl(l), 0, 1, 3, 4);
        selects(5, excl(i, 0), 1, 3, 4);
        selects(5, excl(i, l, 0), 1, 3, 4);
        selects(5, excl(ints), 1, 2);
        selects(5, excl(longs), 1, 2);
        selects(5, incl(new int[0]));
        selects(3, excl(new int[0]), 0, 1, 2);
        assertEquals(incl(longs).toString(), incl(ints).toString());
        assertEquals("excl()", excl().toString());
        TensorIndex made = incl(ints);
        TensorIndex left = excl(ints);
        Arrays.fill(ints, 1);               // both have lists of their own
        selects(5, made, 3, 0, 4);
        selects(5, left, 1, 2);
    }

    @Test
    void masksSelectWhereTheyAreTrue() {
        selects(4, mask(BooleanTensorData.of(new boolean[] {true, false, false, true})), 0, 3);
        selects(3, mask(BooleanTensorData.of(new boolean[3])));
        selects(2, mask(BooleanTensorData.of(new boolean[] {true, true})), 0, 1);
        selects(0, mask(BooleanTensorData.of(new boolean[0])));
        boolean[] many = new boolean[200];
        Arrays.fill(many, 50, 150, true);
        many[199] = true;
        int[] chosen = new int[101];
        Arrays.setAll(chosen, i -> i == 100 ? 199 : 50 + i);
        selects(200, mask(BooleanTensorData.of(many)), chosen);
        try (Tensor<Boolean> tensor = Tensors.denseBoolean(new long[] {2, 4}, data -> data.put(new boolean[] {true, false, true, true}, 1))) {
            selects(4, mask(tensor.booleanData().slice(1)), 0, 2, 3);
        }
    }

    @Test
    void masksOfAnotherShapeAreRefused() {
        refuses(IllegalArgumentException.class, 4, mask(BooleanTensorData.of(new boolean[3])),
            "a mask of shape [3] for axis 1 of size 4 in the shape [4, 4]: it must have rank 1 and that length");
        refuses(IllegalArgumentException.class, 4, mask(BooleanTensorData.of(new boolean[5])), "[5]", "size 4", "rank 1");
        refuses(IllegalArgumentException.class, 4, mask(BooleanTensorData.of(new boolean[4], 1, 4)), "[1, 4]", "size 4", "rank 1");
        refuses(IllegalArgumentException.class, 4, mask(BooleanTensorData.of(new boolean[16], 4, 4)), "[4, 4]", "size 4", "rank 1");
        refuses(IllegalArgumentException.class, 1, mask(BooleanTensorData.of(new boolean[1], new long[0])), "[]", "size 1", "rank 1");
        refuses(IllegalArgumentException.class, 4, mask(BooleanTensorData.of(new boolean[0])), "[0]", "size 4", "rank 1");
    }

    @Test
    void dataOfRankZeroDropsItsAxis() {
        IntTensorData one = IntTensorData.of(new int[] {-1}, new long[0]);
        LongTensorData other = LongTensorData.of(new long[] {3}, new long[0]);
        onEach(data -> {
            for (TensorIndex index : new TensorIndex[] {one, other, take(one), take(other), longs(7, 3).slice(1)}) {
                assertArrayEquals(new long[] {3}, data.slice(all(), index).shape());
                assertEquals(FloatValues.of(11), data.slice(all(), index).get(2));
                assertArrayEquals(new float[] {FloatValues.of(3), FloatValues.of(7), FloatValues.of(11)}, FloatValues.all(data.slice(all(), index)));
            }
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(other), "at(3)", "axis 0", "size 3", "[3, 4]");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(take(other)), "position 3 of take(3)", "axis 0", "size 3", "[3, 4]");
        }, 3, 4);
    }

    @Test
    void dataOfRankOneHasCoordinates() {
        onEach(data -> {
            assertEquals(FloatValues.of(23), data.slice(ints(1, -1, 3)).get());
            assertEquals(FloatValues.of(23), data.slice(longs(1, -1, 3)).get());
            assertArrayEquals(FloatValues.array(20, 4), FloatValues.all(data.slice(longs(-1, 2))));
            assertArrayEquals(FloatValues.array(20, 4), FloatValues.all(data.slice(at(-1), ints(2))));
            assertArrayEquals(new float[] {FloatValues.of(9), FloatValues.of(21)}, FloatValues.all(data.slice(all(), ints(-1, 1))));
            assertArrayEquals(new float[] {FloatValues.of(9), FloatValues.of(21)}, FloatValues.all(data.slice(ellipsis(), longs(2, 1))));
            assertArrayEquals(new long[] {2, 3, 4}, data.slice(ints()).shape());
            assertArrayEquals(new long[] {1, 1, 4}, data.slice(newAxis(), ints(1, 1), newAxis()).shape());
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(ints(0, 0, 4)), "at(4)", "axis 2", "size 4", "[2, 3, 4]");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(longs(0, -4)), "at(-4)", "axis 1", "size 3", "[2, 3, 4]");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(longs(0, 1L << 32)), "at(" + (1L << 32) + ")", "axis 1", "size 3");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(ints(0, 0, 0, 0)), "4 indices", "[2, 3, 4]", "rank 3");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(all(), longs(0, 0, 0)), "4 indices", "[2, 3, 4]", "rank 3");
        }, 2, 3, 4);
    }

    @Test
    void dataOfHigherRankIsRefused() {
        IntTensorData square = IntTensorData.of(new int[4], 2, 2);
        LongTensorData cube = LongTensorData.of(new long[0], 0, 1, 1);
        refuses(IllegalArgumentException.class, 4, square, "[2, 2]", "as an index", "rank 0 or 1");
        refuses(IllegalArgumentException.class, 4, cube, "[0, 1, 1]", "as an index", "rank 0 or 1");
        refuses(IllegalArgumentException.class, 4, take(square), "[2, 2]", "take", "rank 0 or 1");
        refuses(IllegalArgumentException.class, 4, take(cube), "[0, 1, 1]", "take", "rank 0 or 1");
    }

    @Test
    void stepsBelowOne() {
        for (long k : new long[] {0, -1, Long.MIN_VALUE}) {
            Expect.thrown(IllegalArgumentException.class, () -> step(k), "step(" + k + ")", "at least 1");
            Expect.thrown(IllegalArgumentException.class, () -> mod(k), "mod(" + k + ")", "at least 1");
        }
        Expect.thrown(IllegalArgumentException.class, () -> range(3, 1, 0), "range(3, 1, 0)");
    }

    @Test
    void newAxes() {
        onEach(data -> {
            assertArrayEquals(new long[] {1, 2, 3}, data.slice(newAxis()).shape());
            assertArrayEquals(new long[] {2, 1, 3}, data.slice(all(), newAxis()).shape());
            assertArrayEquals(new long[] {2, 3, 1}, data.slice(all(), all(), newAxis()).shape());
            assertArrayEquals(new long[] {2, 3, 1}, data.slice(ellipsis(), newAxis()).shape());
            assertArrayEquals(new long[] {1, 1, 3}, data.slice(newAxis(), at(1), newAxis()).shape());
            assertArrayEquals(FloatValues.array(0, 6), FloatValues.all(data.slice(all(), newAxis(), all(), newAxis())));
            assertEquals(FloatValues.of(5), data.slice(at(1), newAxis(), at(2)).get(0));
            assertEquals(FloatValues.of(4), data.slice(flip(), newAxis(), incl(2, 1, 1)).get(0, 0, 2));
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(newAxis(), all(), all(), all()), "3 indices", "[2, 3]", "rank 2");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(newAxis(), all(), at(3)), "at(3)", "axis 1", "size 3", "[2, 3]");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(newAxis()).get(1, 0, 0), "index 1", "axis 0", "size 1", "[1, 2, 3]");
        }, 2, 3);
        onEach(data -> {
            assertArrayEquals(new long[] {1, 1}, data.slice(newAxis(), newAxis()).shape());
            assertArrayEquals(new long[] {1}, data.slice(newAxis(), ellipsis()).shape());
            assertEquals(FloatValues.of(0), data.slice(newAxis()).get(0));
            assertEquals(1, FloatValues.all(data.slice(newAxis())).length);
        });
    }

    @Test
    void ranksFarBeyondThoseOfTensors() {
        TensorIndex[] many = new TensorIndex[70];
        Arrays.fill(many, newAxis());
        many[35] = flip();
        many[36] = incl(2, 0, 0);
        onEach(data -> {
            FloatTensorData deep = data.slice(many);
            assertEquals(70, deep.rank());
            float[] expected = {FloatValues.of(5), FloatValues.of(3), FloatValues.of(3), FloatValues.of(2), FloatValues.of(0), FloatValues.of(0)};
            assertArrayEquals(expected, FloatValues.all(deep));
            float[] bulk = FloatValues.zeros(6);
            deep.copyTo(bulk);
            assertArrayEquals(expected, bulk);
            int[] at = new int[70];
            at[35] = 1;
            assertEquals(FloatValues.of(2), deep.get(at));
            try (Tensor<Float> copy = Tensors.denseFloat(deep.shape(), other -> other.put(deep))) {
                assertEquals(deep, copy.floatData());
                TensorIndex[] every = new TensorIndex[70];
                Arrays.fill(every, flip());
                FloatTensorData flipped = copy.floatData().slice(every);
                flipped.copyTo(bulk);
                assertEquals(FloatValues.of(0), bulk[0]);
                assertEquals(FloatValues.of(2), bulk[2]);
                assertEquals(FloatValues.of(5), bulk[5]);
                try (Tensor<Float> again = Tensors.denseFloat(deep.shape(), other -> other.put(flipped))) {
                    assertEquals(deep, again.floatData().slice(every));
                }
            }
        }, 2, 3);
    }

    @Test
    void anEllipsisStandsForWhatIsLeft() {
        onEach(data -> {
            assertArrayEquals(new long[] {2, 3, 4}, data.slice(ellipsis()).shape());
            assertArrayEquals(new long[] {2, 3}, data.slice(ellipsis(), at(0)).shape());
            assertArrayEquals(new long[] {3, 4}, data.slice(at(0), ellipsis()).shape());
            assertArrayEquals(new long[] {3}, data.slice(at(1), ellipsis(), at(-1)).shape());
            assertArrayEquals(new float[] {FloatValues.of(15), FloatValues.of(19), FloatValues.of(23)},
                FloatValues.all(data.slice(at(1), ellipsis(), at(-1))));
            assertEquals(FloatValues.of(23), data.slice(at(1), at(2), ellipsis(), at(3)).get());
            assertEquals(FloatValues.of(0), data.slice(at(0), at(0), at(0), ellipsis()).get());
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(all(), all(), ellipsis(), all(), at(77)), "4 indices", "[2, 3, 4]",
                "rank 3");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(ellipsis(), at(4)), "at(4)", "axis 2", "size 4", "[2, 3, 4]");
        }, 2, 3, 4);
        onEach(data -> assertEquals(FloatValues.of(0), data.slice(ellipsis()).get()));
    }

    @Test
    void twoEllipsesAreRefused() {
        onEach(data -> {
            Expect.thrown(IllegalArgumentException.class, () -> data.slice(ellipsis(), ellipsis()),
                "at most one ellipsis() is allowed; the indices are [ellipsis(), ellipsis()]");
            Expect.thrown(IllegalArgumentException.class, () -> data.slice(ellipsis(), at(1), ellipsis(), at(9)), "at most one ellipsis()",
                "at(1)");
        }, 2, 3, 4);
    }

    @Test
    void tooManyIndicesAreListedAndManyAbridged() {
        TensorIndex[] ellipses = new TensorIndex[100_000];
        Arrays.fill(ellipses, ellipsis());
        TensorIndex[] ats = new TensorIndex[100_000];
        Arrays.fill(ats, at(0));
        onEach(data -> {
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(at(0), at(1), at(2), at(3)),
                "4 indices [at(0), at(1), at(2), at(3)] for the shape [2, 3, 4] of rank 3");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(0, 1), "2 indices [0, 1] for the shape [2, 3, 4] of rank 3");
            String[] says = {"100000 indices", "0, 0, 0", "... 99992 more", "[2, 3, 4]"};
            assertTrue(Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(new int[100_000]), says).getMessage().length() < 200);
            assertTrue(Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(new int[100_000]), says).getMessage().length() < 200);
            assertTrue(Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(ats), "100000 indices", "at(0), at(0)", "... 99992 more")
                .getMessage().length() < 200);
            assertTrue(Expect.thrown(IllegalArgumentException.class, () -> data.slice(ellipses), "at most one ellipsis()", "... 99992 more")
                .getMessage().length() < 300);
        }, 2, 3, 4);
    }

    @Test
    void tooManyCoordinatesAreRefusedUnread() {
        for (long n : new long[] {4, 100_000_000, 1L << 40}) {
            LongTensorData coordinates = new AbstractLongTensorData(n) {
                @Override
                protected long getAt(long[] indices) {
                    throw new AssertionError("read");
                }
            };
            onEach(data -> Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(coordinates),
                n + " indices for the shape [2, 3, 4] of rank 3"), 2, 3, 4);
        }
    }

    @Test
    void nullsAreNamed() {
        Expect.thrown(NullPointerException.class, () -> incl((long[]) null), "positions");
        Expect.thrown(NullPointerException.class, () -> incl((int[]) null), "positions");
        Expect.thrown(NullPointerException.class, () -> excl((long[]) null), "positions");
        Expect.thrown(NullPointerException.class, () -> excl((int[]) null), "positions");
        Expect.thrown(NullPointerException.class, () -> take((IntTensorData) null), "positions");
        Expect.thrown(NullPointerException.class, () -> take((LongTensorData) null), "positions");
        Expect.thrown(NullPointerException.class, () -> mask(null), "mask");
        onEach(data -> {
            Expect.thrown(NullPointerException.class, () -> data.slice((TensorIndex[]) null), "indices");
            Expect.thrown(NullPointerException.class, () -> data.slice((int[]) null), "indices");
            Expect.thrown(NullPointerException.class, () -> data.slice(at(99), null), "null", "2 indices");
        }, 2, 3);
    }

    @Test
    void indicesOfAClassThatTheLibraryDidNotMake() {
        TensorIndex foreign = new TensorIndex() { };
        onEach(data -> Expect.thrown(IllegalArgumentException.class, () -> data.slice(incl(0, 0, 1), foreign), foreign.getClass().getName()), 2, 3);
    }

    @Test
    void longListsAreShortenedInMessages() {
        long[] many = new long[1000];
        many[999] = 4;
        isOutside(4, incl(many), "position 4 of incl(0, 0, 0, 0, 0, 0, 0, 0, ... 992 more)");
        isOutside(4, take(longs(many)), "position 4 of take(0, 0, 0, 0, 0, 0, 0, 0, ... 992 more)");
        isOutside(4, excl(many), "position 4 of excl(0, 0, 0, 0, 0, 0, 0, 0, ... 992 more)");
    }

    @Test
    void emptyResultsHaveNoElements() {
        List<TensorIndex> empty = new ArrayList<>(Arrays.asList(range(5, 0), range(2, 2), range(0, 3, -1), from(3), to(0), incl(), excl(0, 1, 2),
            take(ints()), take(longs()), mask(BooleanTensorData.of(new boolean[3]))));
        onEach(data -> {
            for (TensorIndex index : empty) {
                checkEmpty(data.slice(index), 0, 3);
                checkEmpty(data.slice(all(), index), 3, 0);
                checkEmpty(data.slice(incl(1, 0, 1), index), 3, 0);
                checkEmpty(data.slice(index, incl(1, 0, 1)), 0, 3);
                checkEmpty(data.slice(at(1), index), 0);
                checkEmpty(data.slice(index, newAxis(), index), 0, 1, 0);
            }
        }, 3, 3);
    }

    private static void checkEmpty(FloatTensorData data, long... shape) {
        assertArrayEquals(shape, data.shape());
        assertEquals(0, data.totalSize());
        FloatTensorIterator scalars = data.scalars();
        assertFalse(scalars.hasMoreElements());
        Expect.thrown(NoSuchElementException.class, scalars::get, "past the last of 0 elements");
        scalars.forEach(value -> {
            throw new AssertionError("an element of nothing");
        });
        int n = 0;
        for (FloatTensorData element : data.elements()) {
            assertEquals(0, element.totalSize());
            n++;
        }
        assertEquals(shape[0], n);
        data.copyTo(FloatValues.zeros(0));
        float[] one = {FloatValues.OWN};
        data.copyTo(one);
        assertEquals(FloatValues.OWN, one[0]);
        assertEquals(data, data.slice(flip()));
        assertEquals(data.hashCode(), data.slice(flip()).hashCode());
        Expect.thrown(IndexOutOfBoundsException.class, () -> data.get(new int[shape.length]), "index 0", Arrays.toString(shape));
        if (!data.isReadOnly()) {
            data.copyFrom(FloatValues.zeros(0));
            data.put(data);
            data.scalars().onEach(() -> {
                throw new AssertionError("an element for nothing");
            });
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.copyFrom(FloatValues.zeros(1)), "1 element", "which has 0");
        }
    }
}
