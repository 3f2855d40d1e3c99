/**
 * Ragged rows, independently of the element type: row splits, layouts over them, their slices, and growing rows.
 *
 * <ul>
 * <li>published: {@code RaggedParts}, {@code RowSplits}, {@code RaggedLayout}; {@code RaggedSlicer} slices
 * <li>under construction: {@code RaggedTree} has the rows, {@code RowTable} their locations in the {@code RowArena}, which has their elements; {@code
 * RowsSnapshot} is a snapshot of both, for reads and publication; a {@code RowPosition} addresses an element in the arena
 * </ul>
 */
package io.tensornio.internal.ragged;
