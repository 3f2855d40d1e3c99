/**
 * Sparse tensors, independently of the element type: coordinates (COO), and searches among them.
 *
 * <p>{@code SparseBuilder} takes coordinates in any order, {@code SparseBuild} sorts them, by {@code NativeSparse}, which has the native methods;
 * {@code Sparse} holds them in row-major order. A {@code SparseSliceIterator} visits
 * the stored elements of a slice, by a {@code GallopingSearch} and, on axes of index lists, by a {@code SparseIndexList}; a {@code SparseLookup}
 * finds those of all elements of one.
 */
package io.tensornio.internal.sparse;
