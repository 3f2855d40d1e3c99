/**
 * Eager operations: {@link io.tensornio.op.Ops} computes immediately, and closes the results.
 *
 * <p>Unless stated otherwise, no parameter may be null, and no result is null. No calls of this package, in any order and from any threads, can crash
 * the JVM or expose the memory of another tensor.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.op;
