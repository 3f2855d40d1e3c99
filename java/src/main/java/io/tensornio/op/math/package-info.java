/**
 * Arithmetic, functions, comparisons and choices: {@link io.tensornio.op.math.MathOps}, and the results of its operations.
 *
 * <p>What {@link io.tensornio.op} says holds here, too.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.op.math;
