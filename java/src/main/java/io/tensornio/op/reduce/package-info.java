/**
 * Reductions: {@link io.tensornio.op.reduce.ReduceOps}, and the results of its operations.
 *
 * <p>What {@link io.tensornio.op} says holds here, too.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.op.reduce;
