package io.tensornio;

/** {@link MemoryStats} as a bean, under the name {@code io.tensornio:type=Memory}. */
public interface MemoryStatsMXBean {
    /**
     * As {@link MemoryStats#bytesInUse()}.
     *
     * @return bytes
     */
    long getBytesInUse();

    /**
     * As {@link MemoryStats#peakBytes()}.
     *
     * @return bytes
     */
    long getPeakBytes();

    /**
     * As {@link MemoryStats#tensorsAlive()}.
     *
     * @return how many
     */
    long getTensorsAlive();

    /**
     * As {@link MemoryStats#bytesPooled()}.
     *
     * @return bytes
     */
    long getBytesPooled();

    /**
     * As {@link MemoryStats#bytesAwaitingCollection()}.
     *
     * @return bytes
     */
    long getBytesAwaitingCollection();

    /**
     * As {@link MemoryStats#maxMemory()}.
     *
     * @return bytes
     */
    long getMaxMemory();
}
