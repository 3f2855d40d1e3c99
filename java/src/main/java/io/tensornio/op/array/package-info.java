/**
 * Rearranging elements, and new tensors: {@link io.tensornio.op.array.ArrayOps}, and the results of its operations.
 *
 * <p>The conventions of {@link io.tensornio.op} apply here, too.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.op.array;
