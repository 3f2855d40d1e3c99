package io.tensornio.internal.data;

import io.tensornio.internal.element.FloatBlock;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.memory.Storage;

/** The elements of a sparse {@code float} tensor that is being filled. Once published, it reads what it was published as. */
public final class FloatSparseBuilder extends AbstractFloatSparseBuilder {
    /** The values of the log. */
    private final FloatBlock values;

    /**
     * Takes memory.
     *
     * @param shape the dense shape, checked, which this object keeps
     * @param numValues how many distinct elements will be put
     * @throws IllegalArgumentException if that is negative
     * @throws IllegalStateException if there are fewer elements
     * @throws OutOfMemoryError if the memory is not available, or one tensor cannot hold it
     */
    public FloatSparseBuilder(long[] shape, int numValues) {
        super(shape, checkNumValues(FloatElement.TYPE, shape, numValues));
        try {
            values = new FloatBlock(new long[] {numValues});
        } catch (Throwable e) {
            close();
            throw e;
        }
        values.name(shape);
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

    // ---- The end ---------------------------------------------------------------------------------------------------

    /**
     * Sorts what was put. Reads go on, of the result; writes are refused from now on.
     *
     * @return the elements, for the caller to close
     * @throws IllegalStateException if fewer distinct values than numValues were put
     * @throws OutOfMemoryError if the memory for the result is not available
     */
    public FloatSparse publish() {
        int entries = stop();
        FloatSparse sparse = FloatSparseTensors.make(shape, numValues, (indices, sorted) ->
            checkDistinct(sort(values.rd, entries, FloatElement.BYTES, indices, sorted.wr)));
        publish(sparse);
        return sparse;
    }

    /** What was put so far, sorted, for the caller to close. */
    FloatSparse sorted() {
        checkOpen();
        int entries = entries();
        Storage pinnedPlaces = pin();
        try {
            Storage pinnedValues = values.pin();
            try {
                return FloatSparseTensors.make(shape, entries, (indices, sorted) ->
                    sort(open(values.rd), entries, FloatElement.BYTES, indices, sorted.wr));
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
