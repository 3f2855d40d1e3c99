package io.tensornio.internal.element;

/** A source that keeps its elements as bytes, of which each read of a text makes a new one. */
public interface EncodedSource extends StringSource {
    @Override
    byte[] readBytes(long at);

    @Override
    default String read(long at) {
        return StringElement.decode(readBytes(at), this, at);
    }

    @Override
    default Object readAny(long at) {
        return StringElement.any(readBytes(at));
    }
}
