/**
 * The data that users hold, type by type: dense, sparse and ragged data know each other, since each is copied to and compared with each.
 *
 * <ul>
 * <li>dense: {@code FloatIndexed}, {@code FloatData}; {@code FloatStrides} and {@code FloatStrided} for strides, {@code FloatView} for lists and
 *     any source; {@code FloatScalars}, {@code FloatRows}, {@code RowSpliterator}, {@code FloatSpliterator}, {@code FloatStreams} walk,
 *     {@code FloatSelection}, {@code FloatCopies}, {@code FloatBufferCopies} and {@code FloatOperand} copy, {@code FloatEncoding} and
 *     {@code FloatPart} read and write streams, {@code FloatEquality} compares, {@code FloatNested} and {@code Nested} take and make nested arrays,
 *     {@code FloatWraps} takes the user's memory
 * <li>strings: {@code StringPadded}, {@code StringByteArrays}; {@code StringCollector}, {@code StringFilling}, {@code StringInput} while they are
 *     filled
 * <li>sparse: {@code FloatSparse}; {@code FloatSparseCursor}, {@code FloatSparsePicked}, {@code FloatSparseEntries} in order;
 *     {@code FloatSparseBuilder} from coordinates, {@code FloatSparseFilling} by {@code put}
 * <li>ragged: {@code FloatRagged}; {@code FloatGrowing} over {@code FloatGrowth} while it is filled; {@code FloatRaggedTensors},
 *     {@code FloatRaggedNested} make tensors
 * </ul>
 */
package io.tensornio.internal.data;
