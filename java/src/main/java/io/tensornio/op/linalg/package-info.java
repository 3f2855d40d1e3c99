/**
 * Products of matrices and vectors: {@link io.tensornio.op.linalg.LinalgOps}, and the results of its operations.
 *
 * <p>What {@link io.tensornio.op} says holds here, too.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.op.linalg;
