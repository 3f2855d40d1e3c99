/**
 * Where elements are: shapes, layouts (offset, sizes, strides, lists of positions), and the indices of slices. Knows nothing of
 * memory, nor of data: indices that are data give their positions as {@link io.tensornio.internal.layout.IndexData}.
 *
 * <p>{@link io.tensornio.internal.layout.Shapes} checks shapes, {@link io.tensornio.internal.layout.Layout} is the place of a slice's elements,
 * {@link io.tensornio.internal.layout.Positions} computes with them; {@link io.tensornio.internal.layout.AxisIndex} and the classes
 * {@code ...Index} are applied by {@link io.tensornio.internal.layout.Slicer}. {@link io.tensornio.internal.layout.ArrayLength} says how arrays grow.
 */
package io.tensornio.internal.layout;
