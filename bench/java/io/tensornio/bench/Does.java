package io.tensornio.bench;

/** What a loop does with the elements. There is no sum: the latency of the additions hides all else. */
public enum Does {
    /** Reads each into an array. */
    COPY,
    /** Writes each, a count that goes up: 0, 1, 2, ... */
    PUT,
    /** Looks for the largest. */
    MAX
}
