/**
 * Arithmetic, functions, comparisons and choices: {@link io.tensornio.op.math.MathOps}, and the results of its operations.
 *
 * <p>The conventions of {@link io.tensornio.op} apply here, too.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.op.math;
