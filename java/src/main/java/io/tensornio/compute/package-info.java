/**
 * Computing: a {@link io.tensornio.compute.Comprehension} defines each element of a tensor, in text such as {@code C[i,j] += A[i,k] * B[k,j]} or
 * built from {@link io.tensornio.compute.TensorName}s and {@link io.tensornio.compute.LoopIndex}es.
 *
 * <p>Unless stated otherwise, no parameter may be null, and no result is null. No calls of this package, in any order and from any threads, can crash
 * the JVM or expose the memory of another tensor.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.compute;
