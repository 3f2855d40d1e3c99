/**
 * Reductions: {@link io.tensornio.op.reduce.ReduceOps}, and the results of its operations.
 *
 * <p>The conventions of {@link io.tensornio.op} apply here, too.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.op.reduce;
