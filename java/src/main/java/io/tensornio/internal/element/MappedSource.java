package io.tensornio.internal.element;

/** Elements of a mapped file. */
public interface MappedSource extends Source {
    /** What reads many of them. */
    MappedElements elements();
}
