package io.tensornio.internal.data;

//#if float int long
import io.tensornio.DataType;
//#end
import io.tensornio.internal.element.FloatBlock;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Storage;
import io.tensornio.internal.sparse.SparseBuilder;

/** The elements of a sparse {@code float} tensor under construction. Once published, it reads from the published tensor. */
public final class FloatSparseBuilder extends SparseBuilder implements FloatSource {
    private final FloatCarrier carrier;
    /** The values of the log. */
    private final Block log;
    /** The same, if they are stored as the carrier itself; else null. */
    private final FloatBlock values;
    private final FloatSource all;

    /**
     * Allocates memory.
     *
     * @param carrier that of the type
     * @param shape the dense shape, checked, which this object keeps
     * @param numValues the number of distinct elements that will be put
     * @throws IllegalArgumentException if that is negative
     * @throws IllegalStateException if the shape has fewer elements
     * @throws OutOfMemoryError if the memory is not available, or one tensor cannot hold it
     */
    public FloatSparseBuilder(FloatCarrier carrier, long[] shape, int numValues) {
        super(carrier.type, shape, checkNumValues(carrier.type, shape, numValues));
        this.carrier = carrier;
        try {
            log = carrier.zeroed(numValues);
        } catch (Throwable e) {
            close();
            throw e;
        }
        log.name(shape);
        values = log instanceof FloatBlock ? (FloatBlock) log : null;
        all = (FloatSource) log;
    }

    //#if float int long
    @Override
    public DataType type() {
        return carrier.type;
    }

    //#end
    private float value(int entry) {
        return values != null ? values.read(entry) : all.read(entry);
    }

    private void put(float value, int entry) {
        if (values != null) {
            values.write(value, entry);
        } else {
            all.write(value, entry);
        }
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
        put(value, entry);
        add(entry, at);
    }

    @Override
    protected void move(int from, int to) {
        put(value(from), to);
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
        float value = value(entry);
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
        FloatSparse sparse = (FloatSparse) SparseTensors.make(carrier, shape, numValues, (indices, sorted) ->
            checkDistinct(sort(carrier.buffer(log, false), entries, carrier.bytes, indices, carrier.buffer(sorted, true))));
        publish(sparse);
        return sparse;
    }

    @Override
    public FloatSparse sorted() {
        checkOpen();
        int entries = entries();
        Storage pinnedPlaces = pin();
        try {
            Storage pinnedValues = log.pin();
            try {
                return (FloatSparse) SparseTensors.make(carrier, shape, entries, (indices, sorted) ->
                    sort(carrier.buffer(log, false), entries, carrier.bytes, indices, carrier.buffer(sorted, true)));
            } finally {
                pinnedValues.unpin();
            }
        } finally {
            pinnedPlaces.unpin();
        }
    }

    @Override
    protected void closeValues() {
        if (log != null) {
            log.close();
        }
    }
}
