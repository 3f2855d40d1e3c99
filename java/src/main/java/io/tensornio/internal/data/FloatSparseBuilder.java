package io.tensornio.internal.data;

import io.tensornio.internal.element.FloatBlock;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.Storage;
import io.tensornio.internal.sparse.SparseBuilder;

/** The elements of a sparse {@code float} tensor under construction. Once published, it reads from the published tensor. */
public final class FloatSparseBuilder extends SparseBuilder implements FloatSource {
    /** The values of the log. */
    private final FloatBlock values;

    /**
     * Allocates memory.
     *
     * @param shape the dense shape, checked, which this object keeps
     * @param numValues the number of distinct elements that will be put
     * @throws IllegalArgumentException if that is negative
     * @throws IllegalStateException if the shape has fewer elements
     * @throws OutOfMemoryError if the memory is not available, or one tensor cannot hold it
     */
    public FloatSparseBuilder(long[] shape, int numValues) {
        super(FloatElement.TYPE, shape, checkNumValues(FloatElement.TYPE, shape, numValues));
        try {
            values = new FloatBlock(new long[] {numValues});
        } catch (Throwable e) {
            close();
            throw e;
        }
        values.name(shape);
    }

    /** The published elements; null before. */
    FloatSparse published() {
        return (FloatSparse) result();
    }

    @Override
    public FloatSource cursor(Layout layout) {
        FloatSparse sparse = published();
        return sparse == null ? this : sparse.cursor(layout);
    }

    @Override
    public boolean readAll(Layout layout, float[] to, int at) {
        FloatSparse sparse = published();
        return sparse != null && sparse.readAll(layout, to, at);
    }

    // ---- Elements --------------------------------------------------------------------------------------------------

    @Override
    public void write(float value, long at) {
        int entry = entryFor(at);
        values.write(value, entry);
        add(entry, at);
    }

    @Override
    protected void move(int from, int to) {
        values.write(values.read(from), to);
    }

    @Override
    public float read(long at) {
        FloatSparse sparse = published();
        if (sparse != null) {
            return sparse.read(at);
        }
        int entry = find(at);
        if (entry < 0) {
            return FloatElement.ZERO;
        }
        float value = values.read(entry);
        if (isClosedAfterRead()) {
            checkOpen();
            return published().read(at);
        }
        return value;
    }

    // ---- Publication -----------------------------------------------------------------------------------------------

    @Override
    public FloatSparse publish() {
        int entries = stop();
        FloatSparse sparse = (FloatSparse) SparseTensors.make(FloatCarrier.FLOAT, shape, numValues, (indices, sorted) ->
            checkDistinct(sort(values.rd, entries, FloatElement.BYTES, indices, FloatCarrier.FLOAT.buffer(sorted, true))));
        publish(sparse);
        return sparse;
    }

    @Override
    public FloatSparse sorted() {
        checkOpen();
        int entries = entries();
        Storage pinnedPlaces = pin();
        try {
            Storage pinnedValues = values.pin();
            try {
                return (FloatSparse) SparseTensors.make(FloatCarrier.FLOAT, shape, entries, (indices, sorted) ->
                    sort(open(values.rd), entries, FloatElement.BYTES, indices, FloatCarrier.FLOAT.buffer(sorted, true)));
            } finally {
                pinnedValues.unpin();
            }
        } finally {
            pinnedPlaces.unpin();
        }
    }

    @Override
    protected void closeValues() {
        if (values != null) {
            values.close();
        }
    }
}
