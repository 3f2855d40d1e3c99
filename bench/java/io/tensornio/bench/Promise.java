package io.tensornio.bench;

/** A row that a table is to have. */
interface Promise {
    /** Whether all that the row needs was measured. */
    boolean isMeasured(Results results);

    Row row(Results results);
}
