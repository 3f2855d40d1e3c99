package io.tensornio.internal;

//#if buffer
import java.nio.FloatBuffer;
//#end
import java.nio.LongBuffer;

/** Reads {@link FloatSparse} for one thread, and remembers where it was: what is near costs no search. */
final class FloatSparseCursor implements FloatSource {
    private final FloatSparse sparse;
    /** The first entry at the last place or behind it, and its key; nothing is stored between the key before and this one. */
    private int entry;
    private long key = -1;
    private long keyBefore = -1;

    FloatSparseCursor(FloatSparse sparse) {
        this.sparse = sparse;
    }

    @Override
    public float read(long at) {
        LongBuffer coordinates = sparse.open();
        if (at <= keyBefore || at > key) {
            entry = sparse.seek(coordinates, at, entry);
            key = entry < sparse.n ? sparse.key(coordinates, entry) : Long.MAX_VALUE;
            keyBefore = entry > 0 ? sparse.key(coordinates, entry - 1) : -1;
        }
        return at == key ? sparse.stored().read(entry) : FloatElement.ZERO;
    }

    @Override
    public void write(float value, long at) {
        sparse.write(value, at);
    }

    @Override
    public boolean isReadOnly() {
        return true;
    }

    @Override
    public void checkOpen() {
        sparse.checkOpen();
    }

    @Override
    public void checkWritable() {
        sparse.checkWritable();
    }

    @Override
    public Object memory() {
        return sparse;
    }

    @Override
    public boolean mayShare(float[] array) {
        return false;
    }

    //#if buffer
    @Override
    public boolean mayShare(FloatBuffer buffer) {
        return false;
    }
    //#end
}
