package io.tensornio;

import io.tensornio.internal.data.DataIndices;
import io.tensornio.internal.layout.AtIndex;
import io.tensornio.internal.layout.EllipsisIndex;
import io.tensornio.internal.layout.ExceptIndex;
import io.tensornio.internal.layout.NewAxisIndex;
import io.tensornio.internal.layout.Positions;
import io.tensornio.internal.layout.PositionsIndex;
import io.tensornio.internal.layout.RangeIndex;

/**
 * Selects positions on one axis of a tensor, for {@link TensorData#slice(TensorIndex...)}.
 *
 * <p>Negative numbers count from the end: -1 is the last position. Nothing is clamped: a number out of bounds for the axis
 * is an {@link IndexOutOfBoundsException} when the slice is made. Axes without an index are kept whole.
 *
 * <p>{@link IntTensorData} and {@link LongTensorData} are indices, too: data of rank 0 acts as {@link #at}; data of rank 1 supplies one coordinate
 * for each of as many axes as it has elements. Such data is read when the slice is made; changing it later changes no slice.
 *
 * <p>On a ragged axis the index applies to each row separately: {@link #range}, {@link #from}, {@link #to}, {@link #step}, {@link #even},
 * {@link #odd}, {@link #mod} and {@link #flip} are cut to the row's length, {@link #excl} leaves out those positions that the row has; {@link #at},
 * {@link #incl} and {@link #take} need their positions in every row; {@link #mask} is an {@link IllegalArgumentException}.
 *
 * <p>Methods with numbers are overloaded for {@code int}, because Kotlin does not convert an {@code int} to a {@code long}, nor Java an
 * {@code int[]} to a {@code long[]}.
 *
 * <p>An index may be used for any number of slices and by any thread. Indices are made by the methods here, or are data, or the one
 * other implementation, {@link io.tensornio.op.Constant}, which acts as its data does; no other class may implement this interface.
 *
 * <pre>{@code
 * matrix.slice(at(-1));                            // the last row
 * matrix.slice(all(), even());                     // every second column
 * matrix.slice(incl(2, 0, 2));                     // rows 2, 0 and 2 again
 * matrix.slice(mask(BooleanTensorData.of(keep)));  // the rows for which `keep` is true
 * images.slice(ellipsis(), at(0));                 // the first channel, whatever the rank
 * }</pre>
 */
public interface TensorIndex {
    /**
     * One position; its axis is dropped.
     *
     * @param i the position; -1 is the last
     * @return the index
     */
    static TensorIndex at(long i) {
        return new AtIndex(i);
    }

    /**
     * The same as {@link #at(long)}.
     *
     * @param i the position; -1 is the last
     * @return the index
     */
    static TensorIndex at(int i) {
        return at((long) i);
    }

    /**
     * All positions.
     *
     * @return the index
     */
    static TensorIndex all() {
        return RangeIndex.ALL;
    }

    /**
     * The positions from {@code start} to {@code end - 1}. Empty if {@code end <= start}, even if both are out of range.
     *
     * @param start the first position; a negative number counts from the end
     * @param end the end, exclusive; a negative number counts from the end
     * @return the index
     */
    static TensorIndex range(long start, long end) {
        return new RangeIndex(start, end, 1);
    }

    /**
     * The same as {@link #range(long, long)}.
     *
     * @param start the first position; a negative number counts from the end
     * @param end the end, exclusive; a negative number counts from the end
     * @return the index
     */
    static TensorIndex range(int start, int end) {
        return range((long) start, end);
    }

    /**
     * Every {@code step}-th position from {@code start} up to, but not including, {@code end}. A negative step runs
     * backwards, down to but not including {@code end}. Empty if the step leads away from {@code end} or both are equal, even if both are out of
     * range. To run down to and including 0, take {@code range(0, start + 1)} and {@link #flip()} it.
     *
     * @param start the first position; a negative number counts from the end
     * @param end the end, exclusive; a negative number counts from the end
     * @param step the distance between two positions, not 0
     * @return the index
     * @throws IllegalArgumentException if the step is 0
     */
    static TensorIndex range(long start, long end, long step) {
        if (step == 0) {
            throw new IllegalArgumentException("the step of range(" + start + ", " + end + ", 0) is 0; it must be positive or negative");
        }
        return new RangeIndex(start, end, step);
    }

    /**
     * The same as {@link #range(long, long, long)}.
     *
     * @param start the first position; a negative number counts from the end
     * @param end the end, exclusive; a negative number counts from the end
     * @param step the distance between two positions, not 0
     * @return the index
     * @throws IllegalArgumentException if the step is 0
     */
    static TensorIndex range(int start, int end, int step) {
        return range((long) start, end, step);
    }

    /**
     * Every {@code k}-th position, from the first: 0, k, 2k, ...
     *
     * @param k the distance between two positions, at least 1
     * @return the index
     * @throws IllegalArgumentException if {@code k} is less than 1
     */
    static TensorIndex step(long k) {
        if (k < 1) {
            throw new IllegalArgumentException("step(" + k + "): the step must be at least 1");
        }
        return RangeIndex.everyNth(0, k);
    }

    /**
     * The same as {@link #step(long)}.
     *
     * @param k the distance between two positions, at least 1
     * @return the index
     * @throws IllegalArgumentException if {@code k} is less than 1
     */
    static TensorIndex step(int k) {
        return step((long) k);
    }

    /**
     * All positions in reverse order.
     *
     * @return the index
     */
    static TensorIndex flip() {
        return RangeIndex.FLIP;
    }

    /**
     * The positions 0, 2, 4, ...
     *
     * @return the index
     */
    static TensorIndex even() {
        return RangeIndex.everyNth(0, 2);
    }

    /**
     * The positions 1, 3, 5, ...
     *
     * @return the index
     */
    static TensorIndex odd() {
        return RangeIndex.everyNth(1, 2);
    }

    /**
     * The multiples of {@code m}: 0, m, 2m, ... The same as {@link #step}.
     *
     * @param m the modulus, at least 1
     * @return the index
     * @throws IllegalArgumentException if {@code m} is less than 1
     */
    static TensorIndex mod(long m) {
        if (m < 1) {
            throw new IllegalArgumentException("mod(" + m + "): the modulus must be at least 1");
        }
        return RangeIndex.everyNth(0, m);
    }

    /**
     * The same as {@link #mod(long)}.
     *
     * @param m the modulus, at least 1
     * @return the index
     * @throws IllegalArgumentException if {@code m} is less than 1
     */
    static TensorIndex mod(int m) {
        return mod((long) m);
    }

    /**
     * The positions from {@code start} on.
     *
     * @param start the first position; a negative number counts from the end; if equal to the axis size, nothing is selected
     * @return the index
     */
    static TensorIndex from(long start) {
        return RangeIndex.from(start);
    }

    /**
     * The same as {@link #from(long)}.
     *
     * @param start the first position; a negative number counts from the end; if equal to the axis size, nothing is selected
     * @return the index
     */
    static TensorIndex from(int start) {
        return from((long) start);
    }

    /**
     * The positions before {@code end}.
     *
     * @param end the end, exclusive; a negative number counts from the end
     * @return the index
     */
    static TensorIndex to(long end) {
        return RangeIndex.to(end);
    }

    /**
     * The same as {@link #to(long)}.
     *
     * @param end the end, exclusive; a negative number counts from the end
     * @return the index
     */
    static TensorIndex to(int end) {
        return to((long) end);
    }

    /**
     * The given positions, in this order; a position may be repeated.
     *
     * @param positions the positions; negative ones count from the end
     * @return the index
     */
    static TensorIndex incl(long... positions) {
        return PositionsIndex.incl(positions);
    }

    /**
     * The same as {@link #incl(long...)}.
     *
     * @param positions the positions; negative ones count from the end
     * @return the index
     */
    static TensorIndex incl(int... positions) {
        return PositionsIndex.incl(Positions.longs(positions));
    }

    /**
     * No position: the axis becomes empty.
     *
     * @return the index
     */
    static TensorIndex incl() {
        return PositionsIndex.incl();
    }

    /**
     * All positions except the given ones, in ascending order. Unless the remaining positions are contiguous, they are kept as a list, 8 bytes of
     * heap each. No list is needed for sparse data, nor for more than 2^24 positions of data that is not ragged, if few are left out.
     *
     * @param positions the positions to leave out, in any order; negative ones count from the end
     * @return the index
     */
    static TensorIndex excl(long... positions) {
        return new ExceptIndex(positions);
    }

    /**
     * The same as {@link #excl(long...)}.
     *
     * @param positions the positions to leave out, in any order; negative ones count from the end
     * @return the index
     */
    static TensorIndex excl(int... positions) {
        return new ExceptIndex(Positions.longs(positions));
    }

    /**
     * All positions except none of them: the axis stays whole.
     *
     * @return the index
     */
    static TensorIndex excl() {
        return new ExceptIndex();
    }

    /**
     * The positions that are the elements of data, in their order; a position may be repeated. Data of rank 0 acts as {@link #at}; data of a rank
     * above 1 is an {@link IllegalArgumentException} when the slice is made.
     *
     * @param positions the positions, of rank 0 or 1; negative ones count from the end
     * @return the index
     */
    static TensorIndex take(IntTensorData positions) {
        return DataIndices.take(positions);
    }

    /**
     * The positions that are the elements of data, in their order; a position may be repeated. Data of rank 0 acts as {@link #at}; data of a rank
     * above 1 is an {@link IllegalArgumentException} when the slice is made.
     *
     * @param positions the positions, of rank 0 or 1; negative ones count from the end
     * @return the index
     */
    static TensorIndex take(LongTensorData positions) {
        return DataIndices.take(positions);
    }

    /**
     * The positions at which a mask is true. The mask must have rank 1 and the length of the axis; otherwise it is an
     * {@link IllegalArgumentException} when the slice is made.
     *
     * @param mask one element for each position
     * @return the index
     */
    static TensorIndex mask(BooleanTensorData mask) {
        return DataIndices.mask(mask);
    }

    /**
     * A new axis of size 1; it consumes none of the tensor's axes.
     *
     * @return the index
     */
    static TensorIndex newAxis() {
        return NewAxisIndex.NEW_AXIS;
    }

    /**
     * All axes that the other indices do not consume, whole. Two ellipses are an {@link IllegalArgumentException} when the slice is made.
     *
     * @return the index
     */
    static TensorIndex ellipsis() {
        return EllipsisIndex.ELLIPSIS;
    }
}
