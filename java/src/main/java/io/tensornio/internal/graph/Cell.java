package io.tensornio.internal.graph;

import io.tensornio.DataType;
import io.tensornio.internal.data.WritableTensor;

/**
 * The elements of a parameter, of a constant, or of an optimizer's state, double-buffered: a step reads the current ones and writes the next ones to
 * another buffer, which replaces them when it has succeeded. So a step that fails changes nothing.
 */
final class Cell implements AutoCloseable {
    final DataType type;
    final long[] shape;
    private WritableTensor now;
    private WritableTensor next;

    /** A cell whose elements are zero. */
    Cell(DataType type, long... shape) {
        this.type = type;
        this.shape = shape;
        now = WritableTensor.zeroed(type, shape);
    }

    WritableTensor now() {
        return now;
    }

    /** The buffer for the next elements; allocated by the first call. */
    WritableTensor next() {
        if (next == null) {
            next = WritableTensor.allocate(type, shape);
        }
        return next;
    }

    /** Makes the next elements the current ones. */
    void advance() {
        WritableTensor former = now;
        now = next;
        next = former;
    }

    /** Replaces the elements; takes ownership of memory of the same type and shape. */
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
