package io.tensornio.internal.string;

/** What takes the bytes of values, in their order. */
public interface StringSink {
    /**
     * Takes the next value.
     *
     * @return false, and nothing is taken, if there is no memory for it
     */
    boolean put(byte[] bytes);

    /**
     * Takes the next {@code n} values.
     *
     * @param bytes theirs, one after the other, from the first place on
     * @param length how many these are, at most {@link StringBatches#LONGEST}
     * @param lengths how many each value has, which are all of these together; more may follow
     * @param n at most {@link StringBatches#BATCH}
     * @return false, and nothing is taken, if there is no memory for them
     */
    boolean putAll(byte[] bytes, int length, int[] lengths, int n);
}
