/**
 * Tensor data for the JVM: typed, n-dimensional access to native memory without copies.
 *
 * <p>{@link io.tensornio.Tensors} makes tensors, a {@link io.tensornio.Tensor} owns memory until it is closed or becomes
 * unreachable, and data such as {@link io.tensornio.FloatTensorData} reads and writes the elements. No calls of this package,
 * in any order and from any threads, can crash the JVM or expose the memory of another tensor.
 *
 * <p>Unless stated otherwise, no parameter may be null, and no result is null.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio;
