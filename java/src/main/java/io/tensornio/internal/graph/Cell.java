package io.tensornio.internal.graph;

import io.tensornio.DataType;
import io.tensornio.internal.data.WritableTensor;

/**
 * The elements of a parameter, of a constant, or of what an optimizer remembers. A step reads them and writes the next ones apart; once it has
 * succeeded, these take their place. So a step that fails changes nothing.
 */
final class Cell implements AutoCloseable {
    final DataType type;
    final long[] shape;
    private WritableTensor now;
    private WritableTensor next;

    /** One whose elements are zero. */
    Cell(DataType type, long... shape) {
        this.type = type;
        this.shape = shape;
        now = WritableTensor.zeroed(type, shape);
    }

    WritableTensor now() {
        return now;
    }

    /** Where the next elements are written; allocated by the first call. */
    WritableTensor next() {
        if (next == null) {
            next = WritableTensor.allocate(type, shape);
        }
        return next;
    }

    /** The next elements take the place of those of now. */
    void advance() {
        WritableTensor former = now;
        now = next;
        next = former;
    }

    /** Takes memory of the same type and shape over, in place of the elements. */
    void replace(WritableTensor with) {
        WritableTensor former = now;
        now = with;
        former.close();
    }

    @Override
    public void close() {
        now.close();
        if (next != null) {
            next.close();
        }
    }
}
