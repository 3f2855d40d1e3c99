/**
 * Elements put elsewhere, and new tensors: {@link io.tensornio.op.array.ArrayOps}, and the results of its operations.
 *
 * <p>What {@link io.tensornio.op} says holds here, too.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.op.array;
