package io.tensornio.internal.ragged;

import static io.tensornio.TensorIndex.all;
import static io.tensornio.TensorIndex.at;
import static io.tensornio.TensorIndex.ellipsis;
import static io.tensornio.TensorIndex.even;
import static io.tensornio.TensorIndex.excl;
import static io.tensornio.TensorIndex.flip;
import static io.tensornio.TensorIndex.from;
import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.newAxis;
import static io.tensornio.TensorIndex.odd;
import static io.tensornio.TensorIndex.range;
import static io.tensornio.TensorIndex.take;
import static io.tensornio.TensorIndex.to;
import static io.tensornio.internal.ragged.FloatRaggedRows.row;
import static io.tensornio.internal.ragged.FloatRaggedRows.rows;
import static io.tensornio.internal.ragged.FloatRaggedRows.with;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.TensorIndex;
import io.tensornio.support.Expect;
import io.tensornio.support.FloatValues;
import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Slices of ragged {@code float} tensors: examples. */
@ExtendWith(MemoryBalance.class)
class FloatRaggedSliceTest {
    private static float[] array(int from, int n) {
        return FloatValues.array(from, n);
    }

    @Test
    void everyIndexOnARaggedAxis() {
        with(new long[] {3, -1}, FloatRaggedRows::three, tensor -> {
            FloatTensorData data = tensor.floatData();
            rows(data.slice(all(), to(2)), row(0, 1), row(3), row(4, 5));
            rows(data.slice(all(), range(1, 10)), row(1, 2), row(), row(5));
            rows(data.slice(all(), range(-2, 10)), row(1, 2), row(3), row(4, 5));
            rows(data.slice(all(), range(5, 0, -1)), row(2, 1), row(), row(5));
            rows(data.slice(all(), from(-1)), row(2), row(3), row(5));
            rows(data.slice(all(), even()), row(0, 2), row(3), row(4));
            rows(data.slice(all(), odd()), row(1), row(), row(5));
            rows(data.slice(flip(), flip()), row(5, 4), row(3), row(2, 1, 0));
            rows(data.slice(all(), excl(1, 7)), row(0, 2), row(3), row(4));
            rows(data.slice(all(), excl(-1)), row(0, 1), row(), row(4));
            rows(data.slice(all(), incl(0, -1)), row(0, 2), row(3, 3), row(4, 5));
            rows(data.slice(all(), take(IntTensorData.of(new int[] {0}))), row(0), row(3), row(4));
            assertArrayEquals(new long[] {3}, data.slice(all(), at(-1)).shape());
            assertEquals(FloatTensorData.of(new float[] {FloatValues.of(2), FloatValues.of(3), FloatValues.of(5)}), data.slice(all(), at(-1)));
            rows(data.slice(incl(2, 0, 2)), row(4, 5), row(0, 1, 2), row(4, 5));
            assertArrayEquals(new long[] {3, 1, -1}, data.slice(all(), newAxis()).shape());
            assertArrayEquals(new long[] {1, 3, -1}, data.slice(newAxis(), ellipsis()).shape());
            assertArrayEquals(new long[] {3, -1, 1}, data.slice(ellipsis(), newAxis()).shape());
            assertEquals(FloatValues.of(5), data.slice(IntTensorData.of(new int[] {2, 1})).get());
            assertArrayEquals(array(4, 2), FloatValues.all(data.slice(IntTensorData.of(new int[] {2}))));
        });
    }

    @Test
    void theRestIsPlainData() {
        with(new long[] {3, -1}, FloatRaggedRows::three, tensor -> {
            FloatTensorData data = tensor.floatData();
            assertEquals(FloatTensorData.of(array(0, 3)), data.slice(0));
            assertEquals(FloatTensorData.of(array(0, 3)).hashCode(), data.slice(0).hashCode());
            FloatTensorData ends = data.slice(incl(0, 2), incl(0, 1));
            assertArrayEquals(new long[] {2, 2}, ends.shape());
            rows(ends, row(0, 1), row(4, 5));
        });
    }

    @Test
    void rangesWhoseEndsAreFarFromTheRowsAreCutToThem() {
        with(new long[] {3, -1}, data -> {
            data.put(array(1, 3), 0);
            data.put(array(4, 1), 1);
            data.put(array(5, 2), 2);
        }, tensor -> {
            FloatTensorData data = tensor.floatData();
            long max = Long.MAX_VALUE;
            long min = Long.MIN_VALUE;
            for (FloatTensorData some : new FloatTensorData[] {data, data.slice(incl(0)), data.slice(range(1, 2))}) {
                for (TensorIndex none : new TensorIndex[] {range(max, -5), range(max, min), range(0, min), range(max, max), range(max, 0),
                    range(min, 100, -1), range(min, max, -1), range(0, max, min),
                    range(min, min, -1)}) {
                    FloatTensorData slice = some.slice(all(), none);
                    assertEquals(0, slice.totalSize(), none.toString());
                    assertEquals(0, slice.slice(0).size(0), none.toString());
                }
                assertEquals(some, some.slice(all(), range(min, max)));
                assertEquals(some, some.slice(all(), range(0, max)));
                assertEquals(some.slice(all(), flip()), some.slice(all(), range(max, min, -1)));
            }
        });
    }

    @Test
    void rowsNamedByIndicesThatAreCoordinatesGrow() {
        with(new long[] {2, -1, -1}, data -> {
            data.put(FloatValues.of(1), 1, 0, 0);
            data.slice(at(1), at(-1)).put(FloatValues.of(2), 1);
            data.slice(at(-1)).put(FloatValues.of(3), 1, 0);
            data.slice(at(1)).slice(at(1)).put(array(4, 2), new int[0]);
            assertEquals(4, data.totalSize());
            assertEquals(4, data.slice(at(1)).totalSize());
            assertEquals(0, data.slice(at(0)).totalSize());
            assertEquals(FloatValues.of(2), data.slice(at(1), at(0), at(-1)).get());
            assertEquals(FloatValues.of(5), data.slice(at(1), at(1), flip()).get(0));
            assertArrayEquals(new long[] {2, -1}, data.slice(at(1), all()).shape());
            // What is behind is of the row as it is now, as any slice by such indices.
            FloatTensorData flipped = data.slice(at(1), at(0), flip());
            data.put(FloatValues.of(9), 1, 0, 2);
            assertEquals(2, flipped.size(0));
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(at(1), at(2)), "at(2)", "[2, -1, -1]");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(at(1), at(1), at(2)), "at(2)");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(at(0), at(0)), "at(0)", "[2, -1, -1]");
            Expect.thrown(IndexOutOfBoundsException.class, () -> data.slice(at(1), at(1), at(0), at(0)));
        }, tensor -> {
            assertEquals(5, tensor.numElements());
            assertArrayEquals(new float[] {FloatValues.of(1), FloatValues.of(2), FloatValues.of(9)}, FloatValues.all(tensor.floatData().slice(1, 0)));
            assertArrayEquals(array(4, 2), FloatValues.all(tensor.floatData().slice(1, 1)));
        });
    }

    private static TensorIndex[] join(TensorIndex[] first, TensorIndex... then) {
        TensorIndex[] all = Arrays.copyOf(first, first.length + then.length);
        System.arraycopy(then, 0, all, first.length, then.length);
        return all;
    }

    @Test
    void aRowWithNewAxesIsWhatItsOwnSliceIs() {
        TensorIndex[][] ofRow = {{newAxis()}, {newAxis(), newAxis()}, {newAxis(), range(0, 1)}, {range(0, 1), newAxis()}, {newAxis(), flip()},
            {newAxis(), newAxis(), excl(0)}, {newAxis(), at(0)}, {newAxis(), incl(0, 0)}, {newAxis(), ellipsis(), newAxis()}, {newAxis(), from(1)}};
        for (long[] shape : new long[][] {{2, -1}, {2, -1, -1}, {2, -1, 2}, {2, -1, -1, 2}, {2, 3, -1}}) {
            int[] last = new int[shape.length];
            last[0] = 1;
            last[shape.length - 1] = 1;
            with(shape, data -> {
                data.put(FloatValues.of(7), last);
                data.put(FloatValues.of(8), new int[shape.length]);
            }, tensor -> {
                FloatTensorData data = tensor.floatData();
                for (int i = 0; i < 2; i++) {
                    for (TensorIndex[] indices : ofRow) {
                        FloatTensorData expected = data.slice(i).slice(indices);
                        TensorIndex[] inFront = join(new TensorIndex[] {newAxis(), at(i)}, Arrays.copyOfRange(indices, 1, indices.length));
                        TensorIndex[] byData = join(new TensorIndex[] {IntTensorData.of(new int[] {i})}, indices);
                        for (TensorIndex[] some : new TensorIndex[][] {join(new TensorIndex[] {at(i)}, indices), byData, inFront}) {
                            if (some != inFront || indices[0] == newAxis()) {
                                FloatTensorData slice = data.slice(some);
                                assertArrayEquals(expected.shape(), slice.shape(), Arrays.toString(some) + " of " + Arrays.toString(shape));
                                assertEquals(expected, slice, Arrays.toString(some) + " of " + Arrays.toString(shape));
                            }
                        }
                    }
                }
            });
        }
    }
}
