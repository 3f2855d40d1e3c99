/**
 * Strings in memory, and on the way there.
 *
 * <ul>
 * <li>memory: {@code StringBlock} and its form {@code StringPacked}, offsets and bytes; {@code StringPadding} is the form of fixed-length strings
 * <li>while a tensor is filled: {@code StringHeap}
 * <li>many at once: {@code StringBatches} encodes {@code StringValues} into a {@code StringSink}; {@code StagedStrings} and
 *     {@code StringPaddedSink} make that all or nothing
 * <li>reads of published strings in order: {@code StringReadAhead} copies a {@code StringPrefetch}
 * <li>{@code Ascii} copies short strings without an encoder
 * </ul>
 */
package io.tensornio.internal.string;
