/**
 * Tensor graphs: networks of symbolic tensors and comprehensions, whose dimensions are inferred, and which are trained by gradient descent. A
 * {@link io.tensornio.graph.TensorContext} makes the tensors, a {@link io.tensornio.graph.TensorGraph} collects all on
 * which a loss depends, and a {@link io.tensornio.graph.ComputeGraph} is the compiled graph with values.
 *
 * <p>Unless stated otherwise, no parameter may be null, and no result is null. No calls of this package, in any order and from any threads, can crash
 * the JVM or expose the memory of another tensor. Contexts and their tensors are for one thread at a time; compute graphs are thread-safe.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.graph;
