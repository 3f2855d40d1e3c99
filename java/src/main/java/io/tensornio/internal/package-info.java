/**
 * What is behind {@link io.tensornio}: native memory, the native library, the implementations. Not for users: it may change in any
 * release.
 *
 * <p>Where to look, from the bottom up; what is named {@code Float} has siblings for the other types:
 * <ul>
 * <li>native memory: {@code Native} and {@code NativeLibrary}, the boundary; {@code Memory}, the budget and what is open; {@code Storage}, one
 *     piece with its owners; {@code Slab}, {@code Slabs}, small pieces; {@code Block}, the elements of one tensor, and {@code FloatBlock};
 *     {@code Janitor}, {@code BlockReference}, {@code LeakDetector}, what nobody closed; {@code MemoryBean}, {@code Beans}, figures of it
 * <li>where elements are: {@code Shapes}, {@code Layout}, {@code Positions}; {@code AxisIndex} and the classes {@code ...Index}, applied by
 *     {@code Slicer}
 * <li>sources of elements: {@code FloatSource}; blocks, and {@code FloatArray}, {@code FloatOtherBuffer}, {@code FloatWraps} for the user's
 *     own memory
 * <li>dense data: {@code FloatIndexed}, {@code FloatData}; {@code FloatStrides} and {@code FloatStrided} for strides, {@code FloatView} for
 *     lists and any source; {@code FloatScalars}, {@code FloatRows}, {@code FloatSpliterator}, {@code FloatStreams} walk, {@code FloatCopies}
 *     and {@code FloatBulk} copy, {@code FloatEncoding} reads and writes streams, {@code FloatEquality} compares, {@code FloatNested} takes
 *     and makes nested arrays
 * <li>strings: {@code StringPacked} and {@code StringPadded}, in memory; {@code StringCollector} over {@code StringTape} in order, and
 *     {@code StringStore} in any other, while they are filled; {@code StringAhead}, {@code StringRun}, read in order; {@code StringElement}, to and from UTF-8
 * <li>sparse: {@code SparseFilling}, {@code FloatSparseFilling}, while it is filled; {@code Sparse}, {@code FloatSparse}, published;
 *     {@code SparseWalk}, {@code SparsePlace}, {@code FloatSparseCursor}, {@code FloatSparseEntries}, in order; {@code FloatSparseBuilder},
 *     from coordinates
 * <li>ragged: {@code GrowingRows} over {@code RowArena} and {@code FloatGrowth}, while it is filled, as {@code FloatGrowing} shows it;
 *     {@code RaggedParts}, {@code RowSplits}, {@code RaggedLayout}, {@code FloatRagged}, published; {@code RaggedSlicer}, slices of either
 * <li>printing: {@code TensorPrinter}, {@code RaggedPrinter}, {@code ElementText} and its kin
 * </ul>
 */
package io.tensornio.internal;
