package io.tensornio.internal.data;

import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.sparse.GallopingSearch;
import java.nio.LongBuffer;

/** A cursor that reads {@link FloatSparse} for one thread: accesses near the last one need no search. */
class FloatSparseCursor implements FloatSource {
    final FloatSparse sparse;
    private final GallopingSearch place;

    FloatSparseCursor(FloatSparse sparse) {
        this.sparse = sparse;
        place = new GallopingSearch(sparse);
    }

    @Override
    public float read(long at) {
        LongBuffer coordinates = sparse.open();
        place.moveTo(coordinates, at);
        if (at != place.key) {
            return FloatElement.ZERO;
        }
        float value = sparse.stored().read(place.entry);
        sparse.checkRead();
        return value;
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
}
