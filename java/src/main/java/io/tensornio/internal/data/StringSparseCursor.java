package io.tensornio.internal.data;

import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.sparse.GallopingSearch;
import java.nio.LongBuffer;

/** A cursor that reads {@link StringSparse} for one thread: accesses near the last one need no search. */
class StringSparseCursor implements StringSource {
    final StringSparse sparse;
    private final GallopingSearch place;

    StringSparseCursor(StringSparse sparse) {
        this.sparse = sparse;
        place = new GallopingSearch(sparse);
    }

    @Override
    public String read(long at) {
        return StringElement.decode(readBytes(at), this, at);
    }

    @Override
    public byte[] readBytes(long at) {
        LongBuffer coordinates = sparse.open();
        place.moveTo(coordinates, at);
        if (at != place.key) {
            return new byte[0];
        }
        byte[] bytes = sparse.stored().readBytes(place.entry);
        sparse.checkRead();
        return bytes;
    }

    @Override
    public Object readAny(long at) {
        return StringElement.any(readBytes(at));
    }

    @Override
    public String where(long at) {
        return sparse.where(at);
    }

    @Override
    public void write(String value, long at) {
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
