/**
 * The data that users hold, for each element type. Dense, sparse and ragged data are in one package, since each is copied to and compared with each.
 *
 * <p>Names: {@code FloatSparse...} is sparse, {@code FloatRagged...} ragged, {@code ...Nested} nested Java arrays;
 * {@code ...Builder} is data of a tensor under construction, {@code ...Tensors} has factories.
 *
 * <ul>
 * <li>dense: {@code FloatIndexed}, {@code FloatData}; {@code AbstractFloatStrided} and {@code FloatStrided} for strides, {@code FloatLaidOut} and
 *     {@code FloatView} for index lists and any source
 * <li>complex views: {@code FloatComplex} makes them, of a {@code FloatMade}, which adds the values to {@code Made}; {@code FloatPieces} by
 *     {@code FloatPieceCopies}
 * <li>iteration: {@code FloatScalars}, {@code FloatElementsCursor}, {@code SubTensorSpliterator}, {@code FloatSpliterator}, {@code FloatStreams}
 * <li>copies: {@code FloatSelection}; {@code FloatCopies} between data, {@code FloatArrayCopies}, {@code FloatBufferCopies}; native calls with a
 *     {@code StridedOperand}, loops in {@code FloatLoops}; {@code FloatEncoding} and {@code DataPart} read and write streams of
 *     bytes; {@code FloatFromNested} with its {@code FloatNestedWalk}, {@code FloatToNested}, {@code Nested} and {@code ParallelParts} copy nested
 *     arrays
 * <li>indices that are data: {@code DataIndices}
 * <li>comparison: {@code FloatEquality}; user-allocated memory: {@code FloatWrapping}
 * <li>strings: {@code StringPadded}, {@code StringByteArrays}; {@code StringTensorBuilder} with {@code StringCollector} and
 *     {@code StreamedStrings}
 * <li>sparse: {@code FloatSparse}, read in order by {@code FloatSparseCursor}, and as {@code FloatSparseEntries}:
 *     {@code FloatSortedEntries}, or {@code FloatFewEntries} under construction; {@code FloatSparseBuilder} by {@code
 * put}, {@code FloatSparseTensors} from coordinates
 * <li>ragged: {@code FloatRagged}, whose trees are {@code RaggedRows}; {@code FloatRaggedPuts} and {@code FloatRaggedBuilder} over
 *     {@code FloatRowArena}; {@code FloatRaggedTensors}; {@code FloatRaggedNested}, a {@code NestedRows}
 * </ul>
 */
package io.tensornio.internal.data;
