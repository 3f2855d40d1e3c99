/**
 * Tensor data for the JVM: typed, n-dimensional access to native memory without copies.
 *
 * <p>{@link io.tensornio.Tensors} makes tensors, a {@link io.tensornio.Tensor} owns memory until it is closed or becomes
 * unreachable, and data such as {@link io.tensornio.FloatTensorData} reads and writes the elements. No call of this package,
 * in whichever order and from whichever thread, makes the JVM crash or shows memory of another tensor.
 *
 * <p>A dimension is also called an axis. No parameter may be null and no result is, unless it says so.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio;
