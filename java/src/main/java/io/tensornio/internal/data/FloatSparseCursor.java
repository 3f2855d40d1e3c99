package io.tensornio.internal.data;

import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.element.FloatSource;
import io.tensornio.internal.sparse.GallopingSearch;
import java.nio.LongBuffer;

/** Reads {@link FloatSparse} for one thread, and remembers where it was: what is near costs no search. */
class FloatSparseCursor implements FloatSource {
    final FloatSparse sparse;
    private final GallopingSearch place;

    FloatSparseCursor(FloatSparse sparse) {
        this.sparse = sparse;
        place = new GallopingSearch(sparse);
    }

    //#if primitive
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
    //#end
    //~string @Override
    //~string public String read(long at) {
    //~string     return StringElement.decode(readBytes(at), this, at);
    //~string }

    //~string @Override
    //~string public byte[] readBytes(long at) {
    //~string     LongBuffer coordinates = sparse.open();
    //~string     place.moveTo(coordinates, at);
    //~string     if (at != place.key) {
    //~string         return new byte[0];
    //~string     }
    //~string     byte[] bytes = sparse.stored().readBytes(place.entry);
    //~string     sparse.checkRead();
    //~string     return bytes;
    //~string }

    //~string @Override
    //~string public Object readAny(long at) {
    //~string     return StringElement.any(readBytes(at));
    //~string }

    //~string @Override
    //~string public String where(long at) {
    //~string     return sparse.where(at);
    //~string }

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
