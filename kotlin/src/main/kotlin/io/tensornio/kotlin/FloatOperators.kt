package io.tensornio.kotlin

import io.tensornio.FloatTensorData
import io.tensornio.TensorIndex

/** Writes an element: `data[i] = value`. */
public operator fun FloatTensorData.set(i: Int, value: Float): Unit = put(value, i)

/** Writes an element: `data[i, j] = value`. */
public operator fun FloatTensorData.set(i: Int, j: Int, value: Float): Unit = put(value, i, j)

/** Writes an element: `data[i, j, k] = value`. */
public operator fun FloatTensorData.set(i: Int, j: Int, k: Int, value: Float): Unit = put(value, i, j, k)

/** Writes an element: `data[i, j, k, l] = value`. */
public operator fun FloatTensorData.set(i: Int, j: Int, k: Int, l: Int, value: Float): Unit = put(value, i, j, k, l)

/** Writes an element, at any rank. */
public operator fun FloatTensorData.set(vararg indices: Int, value: Float): Unit = put(value, *indices)

/** A view of the positions in the ranges, one for each axis from the first on: `data[0..2, 1..3]`. */
public operator fun FloatTensorData.get(vararg ranges: IntProgression): FloatTensorData = slice(*ranges.map { it.index }.toTypedArray())

/** A view, as by [FloatTensorData.slice]: `data[all(), even()]`. */
public operator fun FloatTensorData.get(vararg indices: TensorIndex): FloatTensorData = slice(*indices)

/** A view of a part of one row: `data[i, 1..3]`. */
public operator fun FloatTensorData.get(i: Int, range: IntProgression): FloatTensorData = slice(TensorIndex.at(i), range.index)

/** A view of a part of one column: `data[1..3, j]`. */
public operator fun FloatTensorData.get(range: IntProgression, j: Int): FloatTensorData = slice(range.index, TensorIndex.at(j))

/** A view: `data[1..3, even()]`. */
public operator fun FloatTensorData.get(range: IntProgression, index: TensorIndex): FloatTensorData = slice(range.index, index)

/** A view: `data[all(), 1..3]`. */
public operator fun FloatTensorData.get(index: TensorIndex, range: IntProgression): FloatTensorData = slice(index, range.index)

/** Copies data of the same shape to the positions in the ranges: `data[0..2, 1..3] = other`. */
public operator fun FloatTensorData.set(vararg ranges: IntProgression, value: FloatTensorData): Unit = get(*ranges).put(value)

/** Copies data of the same shape to the positions of the indices: `data[all(), at(0)] = column`. */
public operator fun FloatTensorData.set(vararg indices: TensorIndex, value: FloatTensorData): Unit = slice(*indices).put(value)

/** A view in another shape, as by [FloatTensorData.reshape], of sizes that are Ints: `data.reshape(n, 3)`. */
public fun FloatTensorData.reshape(vararg sizes: Int): FloatTensorData = reshape(*shapeOf(*sizes))

/** A read-only view, broadcast as by [FloatTensorData.broadcastTo], to sizes that are Ints: `data.broadcastTo(n, 3)`. */
public fun FloatTensorData.broadcastTo(vararg sizes: Int): FloatTensorData = broadcastTo(*shapeOf(*sizes))

/** A view with one axis split, as by [FloatTensorData.unflatten], into sizes that are Ints: `data.unflatten(0, n, -1)`. */
public fun FloatTensorData.unflatten(axis: Int, vararg sizes: Int): FloatTensorData = unflatten(axis, *shapeOf(*sizes))

/** A read-only view of windows, as by [FloatTensorData.slidingWindow], of an Int size: `data.slidingWindow(0, n, 1)`. */
public fun FloatTensorData.slidingWindow(axis: Int, size: Int, step: Int): FloatTensorData = slidingWindow(axis, size.toLong(), step.toLong())

/** A read-only view that repeats the data along each axis, as by [FloatTensorData.tile], Int times: `data.tile(n, 1)`. */
public fun FloatTensorData.tile(vararg repeats: Int): FloatTensorData = tile(*shapeOf(*repeats))

/** A read-only view that repeats each position of an axis, as by [FloatTensorData.repeat], Int times: `data.repeat(0, n)`. */
public fun FloatTensorData.repeat(axis: Int, times: Int): FloatTensorData = repeat(axis, times.toLong())
