package io.tensornio.internal.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tensornio.TensorIndex;
import io.tensornio.support.Seeds;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Views of pieces, taken apart, against the part and the position of each element. */
class PiecesTest {
    /** What is in the margin; no element of a part. */
    private static final long MARGIN = -7;

    /** Parts along an axis, and where their elements are: of part {@code n} at {@code n * 1000000} and more. */
    private static final class Joined {
        final Layout[] parts;
        final Pieces pieces;
        final Layout whole;

        Joined(Random random) {
            int rank = 1 + random.nextInt(3);
            int axis = random.nextInt(rank);
            long[] inner = new long[rank];
            for (int d = 0; d < rank; d++) {
                inner[d] = 1 + random.nextInt(9);
            }
            parts = new Layout[1 + random.nextInt(3)];
            long total = 0;
            for (int n = 0; n < parts.length; n++) {
                long[] sizes = inner.clone();
                sizes[axis] = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(6);
                total += sizes[axis];
                parts[n] = part(random, sizes);
            }
            boolean isCyclic = total > 0 && random.nextInt(3) == 0;
            inner[axis] = total * (isCyclic ? 1 + random.nextInt(3) : 1);
            long[] before = new long[rank];
            long[] shape = inner.clone();
            for (int d = 0; d < rank; d++) {
                before[d] = random.nextInt(3);
                shape[d] += before[d] + random.nextInt(3);
            }
            pieces = new Pieces(shape, before, inner, axis, parts);
            whole = Layout.rowMajor(shape);
        }

        private static Layout part(Random random, long... sizes) {
            Layout part = Layout.rowMajor(sizes.clone());
            int d = random.nextInt(sizes.length);
            switch (random.nextInt(4)) {
                case 0:
                    return Views.flip(part, d);
                case 1: {
                    long[] large = sizes.clone();
                    large[d] = 1 + sizes[d] * sizes[d];
                    TensorIndex[] squares = new TensorIndex[d + 1];
                    Arrays.fill(squares, TensorIndex.all());
                    squares[d] = TensorIndex.incl(LongStream.range(0, sizes[d]).map(i -> i * i).toArray());
                    return Slicer.slice(Layout.rowMajor(large), squares);
                }
                default:
                    return part;
            }
        }

        /** Which element is at a place. */
        long at(long place) {
            int part = pieces.part(place);
            return part < 0 ? MARGIN : part * 1000000L + pieces.position(part, place);
        }
    }

    private static Layout view(Random random, Layout whole) {
        Layout view = whole;
        for (int n = random.nextInt(4); n > 0; n--) {
            int rank = view.rank();
            int d = rank == 0 ? 0 : random.nextInt(rank);
            TensorIndex[] some = new TensorIndex[rank == 0 ? 0 : d + 1];
            Arrays.fill(some, TensorIndex.all());
            switch (rank == 0 ? 0 : random.nextInt(8)) {
                case 1:
                    view = Views.transpose(view);
                    break;
                case 2:
                    view = Views.flip(view, d);
                    break;
                case 3:
                    some[d] = TensorIndex.step(2);
                    view = Slicer.slice(view, some);
                    break;
                case 4:
                    if (rank > 1) {
                        view = Views.diagonal(view, d, (d + 1) % rank);
                    }
                    break;
                case 5:
                    if (view.isStrided(d) && view.size(d) > 0) {
                        view = Views.slidingWindow(view, d, 1 + random.nextInt((int) view.size(d)), 1 + random.nextInt(2));
                    }
                    break;
                case 6:
                    if (view.size(d) > 3) {
                        some[d] = TensorIndex.incl(2, 0, view.size(d) - 1, 1, 1);
                        view = Slicer.slice(view, some);
                    }
                    break;
                case 7:
                    some[d] = TensorIndex.from(Math.min(1, view.size(d)));
                    view = Slicer.slice(view, some);
                    break;
                default:
                    view = Views.expandDims(view, 0);
            }
        }
        return view;
    }

    private static void check(Layout view, Joined made, int[] seen) {
        int n = (int) view.totalSize();
        long[] expected = new long[n];
        for (int k = 0; k < n; k++) {
            expected[k] = made.at(ViewsTest.position(view, Shapes.coordinates(view.sizes(), k)));
        }
        long[] copied = new long[n];
        int[] copies = {0};
        boolean isDone = made.pieces.copy(view, Layout.rowMajor(view.sizes().clone()), (part, from, to) -> {
            copies[0]++;
            assertArrayEquals(from.sizes(), to.sizes());
            assertTrue(to.isStrided());
            for (long k = 0; k < from.totalSize(); k++) {
                long[] at = Shapes.coordinates(from.sizes(), k);
                copied[(int) ViewsTest.position(to, at)] = part < 0 ? MARGIN : part * 1000000L + ViewsTest.position(from, at);
            }
        });
        if (isDone) {
            assertArrayEquals(expected, copied);
        } else {
            assertEquals(0, copies[0]);
        }
        seen[isDone ? 1 : 0]++;
    }

    @Test
    void eachElementIsCopiedFromItsPart() {
        int[] seen = new int[2];
        Seeds.each(3271, 3000, (random, done) -> {
            Joined made = new Joined(random);
            Layout view = view(random, made.whole);
            done.append(", shape ").append(Arrays.toString(made.pieces.shape())).append(", view ").append(Arrays.toString(view.sizes()))
                .append(Arrays.toString(view.strides()));
            check(view, made, seen);
        });
        assertTrue(seen[0] > 20 && seen[1] > 2000, () -> Arrays.toString(seen));
    }

    @Test
    void eachOfConsecutiveElementsIsCopiedFromItsPart() {
        int[] seen = new int[2];
        Seeds.each(3272, 1000, (random, done) -> {
            Joined made = new Joined(random);
            int n = (int) made.whole.totalSize();
            int from = random.nextInt(n + 1);
            int count = random.nextInt(n - from + 1);
            done.append(", shape ").append(Arrays.toString(made.pieces.shape())).append(", ").append(count).append(" from ").append(from);
            check(Reshape.flatten(made.whole).part(from, count), made, seen);
        });
        assertTrue(seen[1] > 500, () -> Arrays.toString(seen));
    }

    /** Two matrices of 40 x 50 side by side. */
    private static int copies(Layout view) {
        Layout one = Layout.rowMajor(new long[] {40, 50});
        Pieces pieces = new Pieces(new long[] {40, 100}, new long[2], new long[] {40, 100}, 1, one, one);
        int[] copies = {0};
        boolean isDone = pieces.copy(view, Layout.rowMajor(view.sizes().clone()), (part, from, to) -> copies[0]++);
        return isDone ? copies[0] : -1;
    }

    @Test
    void thereAreAsManyCopiesAsBoxes() {
        Layout whole = Layout.rowMajor(new long[] {40, 100});
        assertEquals(2, copies(whole));
        assertEquals(2, copies(Views.transpose(whole)));
        assertEquals(1, copies(Views.diagonal(whole, 0, 1)));
        assertEquals(1, copies(Slicer.slice(whole, TensorIndex.all(), TensorIndex.to(50))));
        assertEquals(2 * 3, copies(Slicer.slice(whole, TensorIndex.incl(7, 3, 4))));
        assertEquals(2 * 3, copies(Views.slidingWindow(whole, 0, 3, 1)));
        assertEquals(2, copies(Reshape.flatten(whole)));
        // The rest of a row, nine rows, and what is left of the first matrix in the next one.
        assertEquals(2 + 2 + 1, copies(Reshape.flatten(whole).part(130, 1000)));
        assertEquals(-1, copies(Slicer.slice(whole, TensorIndex.at(0), TensorIndex.incl(7, 3, 4))));
    }
}
