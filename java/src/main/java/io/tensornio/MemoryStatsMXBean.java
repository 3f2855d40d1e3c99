package io.tensornio;

/** {@link MemoryStats} as a bean, under the name {@code io.tensornio:type=Memory}. */
public interface MemoryStatsMXBean {
    /**
     * As {@link MemoryStats#bytesInUse()}.
     *
     * @return the number of bytes
     */
    long getBytesInUse();

    /**
     * As {@link MemoryStats#peakBytes()}.
     *
     * @return the number of bytes
     */
    long getPeakBytes();

    /**
     * As {@link MemoryStats#tensorsAlive()}.
     *
     * @return the number of blocks of memory
     */
    long getTensorsAlive();

    /**
     * As {@link MemoryStats#bytesPooled()}.
     *
     * @return the number of bytes
     */
    long getBytesPooled();

    /**
     * As {@link MemoryStats#bytesAwaitingCollection()}.
     *
     * @return the number of bytes
     */
    long getBytesAwaitingCollection();

    /**
     * As {@link MemoryStats#foreignBytes()}.
     *
     * @return the number of bytes
     */
    long getForeignBytes();

    /**
     * As {@link MemoryStats#mappedBytes()}.
     *
     * @return the number of bytes
     */
    long getMappedBytes();

    /**
     * As {@link MemoryStats#maxMemory()}.
     *
     * @return the number of bytes
     */
    long getMaxMemory();
}
