package io.tensornio.bench;

/** What a pass does with the elements. */
public enum Does {
    /** Reads each into an array. */
    COPY,
    /** Writes each: the sum of row and column, since the index would be at hand for raw loops alone, and a count where a loop knows of neither. */
    PUT,
    /** Looks for the largest. */
    MAX
}
