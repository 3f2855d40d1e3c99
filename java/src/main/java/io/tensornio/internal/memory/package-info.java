/**
 * Native memory, and the boundary to the native library.
 *
 * <p>{@code NativeMemory} has the native methods; {@code NativeLibrary}, {@code Platform}, {@code LibraryCopy} find and load the library.
 * {@code Memory} keeps the budget and the lists of blocks; {@code Storage} is the memory of one tensor with its owners; {@code Slab},
 * {@code Slabs} allocate small storages; {@code Block} is the elements of one tensor, {@code ReadFence} orders reads. {@code Janitor},
 * {@code BlockReference}, {@code LeakDetector} handle tensors that were never closed; {@code TensorTally} counts, {@code MemoryBean},
 * {@code MemoryBeanRegistration} report figures.
 */
package io.tensornio.internal.memory;
