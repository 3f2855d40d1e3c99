/**
 * Elements by their positions, type by type: what data looks at.
 *
 * <p>{@code FloatSource} is any source of elements: {@code FloatBlock} in native memory; {@code FloatArray} and {@code FloatOtherBuffer} in the
 * user's own. {@code FloatElement} reads and writes one, {@code FloatBulk} many; {@code StringElement} goes to and from UTF-8.
 */
package io.tensornio.internal.element;
