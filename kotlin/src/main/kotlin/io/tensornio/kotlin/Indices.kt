package io.tensornio.kotlin

import io.tensornio.TensorIndex

/**
 * The positions of a range or progression as an index: `(0..2).index`, `(0 until n step 2).index`, `(n downTo 0).index`.
 *
 * Both ends are inclusive, as in Kotlin. Negative numbers count from the end: `(-3..-1).index` is the last three positions. What [TensorIndex.range]
 * can say is a range, anything else, such as a progression down to 0, a list of its positions.
 */
public val IntProgression.index: TensorIndex
    get() {
        // The end is exclusive, and must count from the same side as the start.
        val end = last.toLong() + (if (step > 0) 1 else -1)
        return when {
            isEmpty() -> TensorIndex.incl()
            (first < 0) == (end < 0) -> TensorIndex.range(first.toLong(), end, step.toLong())
            first < 0 && end == 0L && step == 1 -> TensorIndex.from(first)
            else -> TensorIndex.incl(*toList().toIntArray())
        }
    }

/** The sizes of a shape, as factories take them: `Tensors.denseFloat(shapeOf(n, 3)) { ... }`. */
public fun shapeOf(vararg sizes: Int): LongArray = LongArray(sizes.size) { sizes[it].toLong() }
