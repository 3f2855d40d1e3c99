package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.layout.Shapes;
import java.util.Arrays;
import java.util.Objects;

/**
 * A part of {@code float} data of any implementation that is cut into halves, again and again, until they are small enough. How many elements each
 * has is asked for once, and has to add up: whatever the user's own data answers, the cutting ends.
 */
final class FloatPart {
    /** Of one axis. */
    private static final int MOST_HALVINGS = 64;
    /** By far no data has as many axes of more than one position. */
    private static final int HIGHEST_RANK = 1 << 12;

    final FloatTensorData data;
    final long total;
    /** How many times this may be halved. */
    private final int left;

    private FloatPart(FloatTensorData data, long total, int left) {
        this.data = data;
        this.total = total;
        this.left = left;
    }

    /**
     * All of some data.
     *
     * @throws IllegalStateException if it says that it has fewer elements than none
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
     * Both halves of a part of more than one element, along the first axis that has more than one position.
     *
     * @throws IllegalStateException if these have not as many elements together, or halving does not end
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
