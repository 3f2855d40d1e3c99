/**
 * Rows of different lengths, without their elements' type: row splits, layouts over them and slices of those, rows that grow.
 *
 * <p>{@code RaggedParts}, {@code RowSplits}, {@code RaggedLayout} describe what is published and {@code RaggedSlicer} slices it;
 * {@code GrowingRows} over {@code RowArena} and {@code RowTree} are rows while they are filled.
 */
package io.tensornio.internal.rows;
