/**
 * The data that users hold, for each element type. Dense, sparse and ragged data are in one package, since each is copied to and compared with each.
 *
 * <p>What is called for each element is written once for each carrier, by the generator: {@code FloatStrided}, {@code FloatView}, {@code
 * FloatScalars}, {@code FloatLoops}, and what has the type in its signatures. What is called once for a copy, a view or a tensor, and touches no
 * element, is generic over a {@code Carrier}, of which {@code FloatCarrier} and its siblings are the instances; {@code PrimitiveCarrier} is all
 * but {@code String}'s.
 *
 * <p>Names: {@code ...Sparse...} is sparse, {@code ...Ragged...} ragged, {@code ...Nested} nested Java arrays;
 * {@code ...Builder} is data of a tensor under construction, {@code ...Tensors} has factories.
 *
 * <ul>
 * <li>dense: {@code OwnData} has what all data has in common, {@code FloatData} the calls that name the type; {@code AbstractFloatStrided} and
 *     {@code FloatStrided} are for strides, {@code FloatView} for index lists and any source
 * <li>complex views: {@code Complex} makes them, of a {@code FloatMade}, which adds the values to {@code Made}; an {@code Assembly} finds the part
 *     that has an element; {@code PieceCopies} copies part by part
 * <li>iteration: {@code FloatScalars}, {@code ElementsCursor}, {@code SubTensorSpliterator}, {@code FloatSpliterator}, {@code FloatStreams}
 * <li>copies: {@code Selection}; {@code Copies} between data, {@code FloatArrayCopies}, {@code FloatBufferCopies}; native calls with a
 *     {@code StridedOperand}, loops in {@code FloatLoops}; {@code StreamedBytes} and {@code DataPart} read and write streams of
 *     bytes; {@code FromNested} with {@code FloatNestedWalk}, {@code ToNested}, {@code Nested} and {@code ParallelParts} copy nested
 *     arrays
 * <li>indices that are data: {@code DataIndices}
 * <li>comparison: {@code Equality}
 * <li>strings: {@code StringPadded}, {@code StringByteArrays}; {@code StringTensorBuilder} with {@code StringCollector} and
 *     {@code StreamedStrings}
 * <li>sparse: {@code FloatSparse}, read in order by {@code FloatSparseCursor}, and as {@code SparseEntries}:
 *     {@code SortedEntries}, or {@code FewEntries} under construction; {@code FloatSparseBuilder} by {@code
 *     put}, {@code SparseTensors} from coordinates
 * <li>ragged: {@code FloatRagged}, whose trees are {@code RaggedRows}; {@code FloatRaggedBuilder}, which is a {@code GrowingPart}, over
 *     {@code FloatRowArena}, a {@code BlockArena}; {@code RaggedTensors}; {@code RaggedNested}, a {@code NestedRows}
 * </ul>
 */
package io.tensornio.internal.data;
