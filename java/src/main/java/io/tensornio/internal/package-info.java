/**
 * The implementation of {@link io.tensornio}. Not for users: it may change in any release.
 *
 * <p>Where to look, from the top down; a package uses none of those above it, and says in its own words what it has. What is named
 * {@code Float} has siblings for the other types.
 * <ul>
 * <li>{@link io.tensornio.internal.data}: the data that users hold, dense, sparse and ragged
 * <li>{@link io.tensornio.internal.print}: tensors as text
 * <li>{@link io.tensornio.internal.sparse}, {@link io.tensornio.internal.ragged}, {@link io.tensornio.internal.string}: what is special about
 *     sparse and ragged tensors and strings, without the types of elements
 * <li>{@link io.tensornio.internal.element}: elements by their positions, type by type
 * <li>{@link io.tensornio.internal.memory}: native memory and the native library
 * <li>{@link io.tensornio.internal.layout}: where elements are
 * </ul>
 */
package io.tensornio.internal;
