package io.tensornio.internal.data;

//#if float int long
import io.tensornio.DataType;
//#end
import io.tensornio.internal.element.FloatBlock;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.element.LongBlock;
import io.tensornio.internal.layout.Layout;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.memory.Storage;
import io.tensornio.internal.sparse.NativeSparse;
import io.tensornio.internal.sparse.Sparse;
import io.tensornio.internal.sparse.SparseSliceIterator;
import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;

/** The elements of a published sparse {@code float} tensor; those without an entry are 0. */
public final class FloatSparse extends Sparse implements FloatSource {
    /** The values of the entries; null if they are stored narrow, and {@link #all} has them alone. */
    private final FloatBlock stored;
    private final FloatSource all;

    /** Keeps the checked shape, and both blocks: distinct coordinates in row-major order, and their values. */
    FloatSparse(long[] shape, LongBlock indices, Block values) {
        super(shape, indices, values);
        stored = values instanceof FloatBlock ? (FloatBlock) values : null;
        all = (FloatSource) values;
    }

    //#if float int long
    @Override
    public DataType type() {
        return values.dataType();
    }

    //#end
    private float entry(int entry) {
        return stored != null ? stored.read(entry) : all.read(entry);
    }

    @Override
    public float read(long at) {
        return value(find(open(), at));
    }

    /** The value of an entry; 0 for -1, where there is none. */
    float value(int entry) {
        if (entry < 0) {
            return FloatElement.ZERO;
        }
        float value = entry(entry);
        checkRead();
        return value;
    }

    @Override
    public FloatSource cursor(Layout layout) {
        return new FloatSparseCursor(this, layout);
    }

    // ---- Many elements ---------------------------------------------------------------------------------------------

    @Override
    public boolean readAll(Layout layout, float[] to, int at) {
        LongBuffer coordinates = open();
        Arrays.fill(to, at, at + (int) layout.totalSize(), FloatElement.ZERO);
        SparseSliceIterator walk = SparseSliceIterator.inAnyOrder(this, layout);
        for (int entry = walk.next(coordinates); entry >= 0; entry = walk.next(coordinates)) {
            to[at + (int) walk.number()] = entry(entry);
        }
        checkRead();
        return true;
    }

    /** Copies elements to a block, starting at {@code at}; {@code buffer} is its writable buffer. */
    void readAll(Layout layout, FloatBlock to, FloatBuffer buffer, int at) {
        int total = (int) layout.totalSize();
        if (at == 0 && to.isNative() && layout.isContiguous() && total == Shapes.product(shape)) {
            toDense(FloatCarrier.FLOAT, to, buffer);
            return;
        }
        LongBuffer coordinates = open();
        for (int i = at; i < at + total; i++) {
            FloatElement.write(buffer, i, FloatElement.ZERO);
        }
        SparseSliceIterator walk = SparseSliceIterator.inAnyOrder(this, layout);
        for (int entry = walk.next(coordinates); entry >= 0; entry = walk.next(coordinates)) {
            FloatElement.write(buffer, at + (int) walk.number(), entry(entry));
        }
        checkRead();
    }

    /** Copies all elements to the start of a block, whose writable buffer is given. */
    void toDense(FloatCarrier carrier, Block to, Buffer buffer) {
        Storage[] pinned = new Storage[3];          // unpinned in this order, as close() does
        try {
            pinned[0] = pin(values);
            pinned[1] = pin(indices);
            pinned[2] = to.pin();
            LongBuffer coordinates = open();
            // Each field is read once: a close sets it to null, pinned or not.
            NativeSparse.toDense(coordinates, carrier.buffer(values, false), n, shape, carrier.bytes, buffer);
        } finally {
            for (Storage storage : pinned) {
                if (storage != null) {
                    storage.unpin();
                }
            }
        }
    }

    @Override
    public void write(float value, long at) {
        checkWritable();
    }
}
