/**
 * The implementation of {@link io.tensornio}. Not for users: it may change in any release.
 *
 * <p>The packages, from the top down; each uses none of those above it, and its own description has the details. Classes named
 * {@code Float} have siblings for the other types.
 * <ul>
 * <li>{@link io.tensornio.internal.compute}: programs of comprehensions, and their runs
 * <li>{@link io.tensornio.internal.data}: the data that users hold, dense, sparse and ragged
 * <li>{@link io.tensornio.internal.print}: tensors as strings
 * <li>{@link io.tensornio.internal.sparse}, {@link io.tensornio.internal.ragged}, {@link io.tensornio.internal.string}: the parts that are special
 *     to sparse and ragged tensors and strings, independent of the element type
 * <li>{@link io.tensornio.internal.element}: elements by position, for each type
 * <li>{@link io.tensornio.internal.memory}: native memory and the native library
 * <li>{@link io.tensornio.internal.layout}: shapes, layouts and indices
 * </ul>
 */
package io.tensornio.internal;
