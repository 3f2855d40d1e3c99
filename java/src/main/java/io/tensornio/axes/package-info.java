/**
 * Tensors of named axes: operands are matched by the meaning of their axes, not by position. {@link io.tensornio.axes.NamedTensor} is lazy: an
 * expression is computed when its elements are first needed, by one {@link io.tensornio.compute.Comprehension}.
 *
 * <p>Unless stated otherwise, no parameter may be null, and no result is null. No calls of this package, in any order and from any threads, can crash
 * the JVM or expose the memory of another tensor.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.axes;
