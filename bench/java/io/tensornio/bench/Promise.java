package io.tensornio.bench;

import java.util.List;

/** A row that a table is to have. */
interface Promise {
    /** What the row needs to be measured, as {@link Results} names it. */
    List<String> benchmarks();

    /** Whether it may be left unmeasured: not every machine has what it is held against. */
    default boolean isOptional() {
        return false;
    }

    Row row(Results results);
}
