/**
 * Shapes, layouts (offset, sizes, strides, lists of positions), and the indices of slices. Independent of memory and of
 * data: indices that are data provide their positions as {@link io.tensornio.internal.layout.IndexData}.
 *
 * <p>{@link io.tensornio.internal.layout.Shapes} checks shapes, {@link io.tensornio.internal.layout.Layout} maps indices to positions in memory,
 * {@link io.tensornio.internal.layout.Positions} reads and formats lists of positions; {@link io.tensornio.internal.layout.AxisIndex} and the classes
 * {@code ...Index} are applied by {@link io.tensornio.internal.layout.Slicer}. {@link
 * io.tensornio.internal.layout.ArrayLength} computes how arrays grow.
 */
package io.tensornio.internal.layout;
