/**
 * Native memory, and the boundary to the native library.
 *
 * <p>{@code NativeMemory} has the native methods; {@code NativeLibrary}, {@code Platform}, {@code LibraryCopy} find and load the library.
 * {@code Memory} is the budget and the register of open memory; {@code Storage} is one piece with its owners; {@code Slab}, {@code Slabs} hold
 * small pieces;
 * {@code Block} is the elements of one tensor, {@code ReadFence} orders their reads. {@code Janitor}, {@code BlockReference}, {@code LeakDetector}
 * handle tensors that were never closed; {@code TensorTally} counts, {@code MemoryBean}, {@code MemoryBeanRegistration} report figures.
 */
package io.tensornio.internal.memory;
