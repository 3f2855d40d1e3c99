/**
 * Products of matrices and vectors: {@link io.tensornio.op.linalg.LinalgOps}, and the results of its operations.
 *
 * <p>The conventions of {@link io.tensornio.op} apply here, too.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.op.linalg;
