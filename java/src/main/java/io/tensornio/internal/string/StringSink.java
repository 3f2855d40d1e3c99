package io.tensornio.internal.string;

/** What takes the bytes of values, in their order. */
interface StringSink {
    /** Takes the next value. */
    void put(byte[] bytes);

    /**
     * Takes the next {@code n} values.
     *
     * @param bytes theirs, one after the other, from the first place on
     * @param length how many these are
     * @param lengths how many each value has, which are all of these together; more may follow
     */
    void putAll(byte[] bytes, int length, int[] lengths, int n);
}
