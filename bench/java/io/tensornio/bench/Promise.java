package io.tensornio.bench;

/** A row that a table is to have. */
interface Promise {
    /** Whether all that the row needs was measured. */
    boolean isMeasured(Results results);

    /** Whether it may be left unmeasured: not every machine has what it is held against. */
    default boolean isOptional() {
        return false;
    }

    Row row(Results results);
}
