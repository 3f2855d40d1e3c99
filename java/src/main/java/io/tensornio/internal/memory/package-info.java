/**
 * Native memory, and the boundary to the native library.
 *
 * <p>{@code Native} and {@code NativeLibrary} are the boundary; {@code Memory} is the budget and what is open; {@code Storage} is one piece with
 * its owners; {@code Slab}, {@code Slabs} hold small pieces; {@code Block} is the elements of one tensor. {@code Janitor},
 * {@code BlockReference}, {@code LeakDetector} see to what nobody closed; {@code MemoryBean}, {@code MemoryBeanRegistration} tell figures of it.
 */
package io.tensornio.internal.memory;
