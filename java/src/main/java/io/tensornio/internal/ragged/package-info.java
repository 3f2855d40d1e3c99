/**
 * Ragged rows without their elements' type: row splits, layouts over them and slices of those, and rows that grow.
 *
 * <ul>
 * <li>published: {@code RaggedParts}, {@code RowSplits}, {@code RaggedLayout}; {@code RaggedSlicer} slices
 * <li>under construction: {@code RaggedTree} knows which rows there are, {@code RowTable} where each is in the {@code RowArena}, which has their
 *     elements; {@code RowsSnapshot} is both at one time, for reads and publication; a {@code RowPosition} names an element there
 * </ul>
 */
package io.tensornio.internal.ragged;
