package io.tensornio.kotlin

import io.tensornio.DataType
import io.tensornio.op.Operand

/** The remainder, in the scope of the left operand: `a % b`. */
public operator fun <T : Any> Operand<T>.rem(other: Operand<T>): Operand<T> = ops().math.mod(this, other)

/** The negative: `-a`. */
public operator fun <T : Any> Operand<T>.unaryMinus(): Operand<T> = ops().math.neg(this)

/** The matrix product, in the scope of the left operand: `a matmul b`. */
public infix fun <T : Any> Operand<T>.matmul(other: Operand<T>): Operand<T> = ops().linalg.matmul(this, other)

/** The sum with a number: `1 + a`. */
public operator fun <T : Any> Number.plus(operand: Operand<T>): Operand<T> = operand.like(this) + operand

/** The difference of a number: `1 - a`. */
public operator fun <T : Any> Number.minus(operand: Operand<T>): Operand<T> = operand.like(this) - operand

/** The product with a number: `2f * a`. */
public operator fun <T : Any> Number.times(operand: Operand<T>): Operand<T> = operand.like(this) * operand

/** The quotient of a number: `1f / a`. */
public operator fun <T : Any> Number.div(operand: Operand<T>): Operand<T> = operand.like(this) / operand

/** A constant of this operand's type; fractions are refused where the type is of integers. */
private fun <T : Any> Operand<T>.like(number: Number): Operand<T> {
    val type = dataType()
    val made = when (type) {
        DataType.FLOAT -> ops().constant(number.toFloat())
        DataType.DOUBLE -> ops().constant(number.toDouble())
        else -> {
            val whole = number.toLong()
            val fits = when (type) {
                DataType.INT32 -> whole == whole.toInt().toLong()
                DataType.UINT8 -> whole in 0..255
                else -> type == DataType.INT64
            }
            require(fits && number.toDouble() == whole.toDouble()) { "$type cannot hold the number $number" }
            when (type) {
                DataType.INT32 -> ops().constant(whole.toInt())
                DataType.UINT8 -> ops().constant(whole.toByte())
                else -> ops().constant(whole)
            }
        }
    }
    @Suppress("UNCHECKED_CAST") // the type of the elements is the type parameter
    return made as Operand<T>
}
