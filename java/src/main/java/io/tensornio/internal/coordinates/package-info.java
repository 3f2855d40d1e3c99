/**
 * Sparse tensors without their elements' type: sorted coordinates (COO), and ways through them.
 *
 * <p>{@code SparseFilling} takes coordinates in any order; {@code Sparse} has them sorted; {@code SparseWalk}, {@code SparseList} and
 * {@code SparsePlace} go through those of a slice.
 */
package io.tensornio.internal.coordinates;
