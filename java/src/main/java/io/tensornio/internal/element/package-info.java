/**
 * Elements by position, for each element type; data is a view of them.
 *
 * <p>{@code FloatSource} is any source of elements: {@code FloatBlock} in native memory; {@code FloatArray} and {@code FloatOtherBuffer} in a user's
 * arrays and buffers. {@code FloatElement} reads and writes one element, {@code FloatBulk} many; {@code StringElement} converts to and from UTF-8.
 */
package io.tensornio.internal.element;
