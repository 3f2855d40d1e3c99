package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
//~boolean import io.tensornio.internal.element.FloatElement;
import java.lang.reflect.Array;
//#if primitive
import java.nio.FloatBuffer;
//#end
import java.util.Objects;

/** Makes nested arrays from {@code float} data: the inverse of {@link FloatFromNested}. */
public final class FloatToNested {
    //~boolean /** From here on, a row is copied faster by a native call. */
    //~boolean private static final int LONG_ROW = 256;

    /** The maximum number of elements of a sub-tensor that is read at once. */
    private static final int FEW = 8192;

    private final long[] shape;
    /** The class of the rows of each axis but the last. */
    private final Class<?>[] rowTypes;
    //#if primitive
    /** The elements in row-major order, from its position on; null if they are not contiguous. */
    private FloatBuffer buffer;
    //#end

    /** The depth from which on no axis is ragged. */
    private final int uniformFrom;
    /** The staging array: the elements of a small sub-tensor in row-major order; null outside of one. */
    private float[] few;
    /** The index of the first of them that was not copied to a row yet. */
    private int next;

    private FloatToNested(long... shape) {
        this.shape = shape;
        int uniform = shape.length;
        while (uniform > 0 && shape[uniform - 1] >= 0) {
            uniform--;
        }
        uniformFrom = uniform;
        rowTypes = Nested.rowTypes(float[].class, shape.length);
    }

    /**
     * All elements as nested arrays; ragged rows keep their lengths.
     *
     * @param data any data
     * @return new arrays; at rank 0 the element
     */
    public static Object of(FloatTensorData data) {
        FloatTensorData from = Objects.requireNonNull(data.slice(), "slice() gave null");
        int rank = from.rank();
        if (rank == 0) {
            return from.get();
        }
        FloatToNested walk = new FloatToNested(from.shape());
        //#if primitive
        boolean isOneRun = from instanceof FloatStrided && ((FloatStrided) from).isContiguous();
        //~boolean isOneRun &= walk.shape[rank - 1] < LONG_ROW;
        if (isOneRun) {
            FloatStrided source = (FloatStrided) from;
            walk.buffer = FloatCopies.start(source.block.readable(), source);
            Object nested = walk.make(0, null);
            source.checkOpen();             // otherwise the last rows may have been read after the release of the memory
            return nested;
        }
        //#end
        return walk.make(0, from);
    }

    /** Makes the arrays at a depth: from the buffer, if there is one; else from data. */
    private Object make(int depth, FloatTensorData from) {
        int n = Nested.length(from == null ? shape[depth] : from.size(0), depth);
        if (from instanceof FloatData && depth >= uniformFrom && depth < shape.length - 1 && from.totalSize() <= FEW) {
            few = new float[(int) from.totalSize()];        // read at once, since rows may be short
            next = 0;
            ((FloatData) from).readAll(few, 0);
            Object nested = make(depth, null);
            few = null;
            return nested;
        }
        if (depth == shape.length - 1) {
            float[] row = new float[n];
            if (few != null) {
                System.arraycopy(few, next, row, 0, n);
                next += n;
                return row;
            }
            //#if buffer
            if (buffer != null) {
                buffer.get(row);
                return row;
            }
            //#end
            //~boolean if (buffer != null) {
            //~boolean     int start = buffer.position();
            //~boolean     for (int i = 0; i < n; i++) {
            //~boolean         row[i] = FloatElement.read(buffer, start + i);
            //~boolean     }
            //~boolean     buffer.position(start + n);
            //~boolean     return row;
            //~boolean }
            from.copyTo(row);
            return row;
        }
        Object[] rows = (Object[]) Array.newInstance(rowTypes[depth], n);
        for (int i = 0; i < n; i++) {
            rows[i] = make(depth + 1, from == null ? null : Objects.requireNonNull(from.slice(i), "slice() gave null"));
        }
        return rows;
    }
}
