package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.layout.Shapes;
import java.util.Arrays;
import java.util.Objects;

/**
 * A part of {@code float} data of any implementation that is halved recursively until it is small enough. The sizes of
 * the halves are read once, and must add up, so that the recursion terminates whatever user-defined data returns.
 */
final class FloatPart {
    /** The maximum number of halvings of one axis. */
    private static final int MOST_HALVINGS = 64;
    /** An upper bound of the number of axes with more than one position. */
    private static final int HIGHEST_RANK = 1 << 12;

    final FloatTensorData data;
    final long total;
    /** The remaining number of halvings. */
    private final int left;

    private FloatPart(FloatTensorData data, long total, int left) {
        this.data = data;
        this.total = total;
        this.left = left;
    }

    /**
     * The whole of data.
     *
     * @throws IllegalStateException if its number of elements is negative
     */
    static FloatPart of(FloatTensorData data) {
        long total = data.totalSize();
        if (total < 0) {
            throw nonsense(data, total, "");
        }
        return new FloatPart(data, total, MOST_HALVINGS * (Math.max(0, Math.min(data.rank(), HIGHEST_RANK)) + 1));
    }

    private static IllegalStateException nonsense(FloatTensorData data, long total, String more) {
        return new IllegalStateException("data of the shape " + Arrays.toString(data.shape()) + " answers that it has " + Shapes.elements(total)
            + more);
    }

    /**
     * Both halves, along the first axis with more than one position, of a part of more than one element.
     *
     * @throws IllegalStateException if their numbers of elements do not add up, or halving does not terminate
     */
    FloatPart[] halves() {
        if (left == 0) {
            throw nonsense(data, total, ", but does not end when it is halved");
        }
        FloatTensorData rows = FloatSelection.withoutOnes(data);
        long n = rows.size(0);
        FloatTensorData first = slice(rows, 0, n / 2);
        FloatTensorData second = slice(rows, n / 2, n);
        long before = first.totalSize();
        long after = second.totalSize();
        if (before < 0 || after < 0 || before > total || after != total - before) {
            throw nonsense(data, total, ", but its halves that they have " + before + " and " + after);
        }
        return new FloatPart[] {new FloatPart(first, before, left - 1), new FloatPart(second, after, left - 1)};
    }

    private static FloatTensorData slice(FloatTensorData rows, long from, long to) {
        return Objects.requireNonNull(rows.slice(TensorIndex.range(from, to)), "slice() gave null");
    }
}
