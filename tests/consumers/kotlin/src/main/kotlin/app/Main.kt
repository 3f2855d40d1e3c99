package app

import io.tensornio.IntTensorData
import io.tensornio.TensorIndex.all
import io.tensornio.TensorIndex.at
import io.tensornio.TensorIndex.even
import io.tensornio.Tensors
import io.tensornio.kotlin.*
import io.tensornio.op.Ops

private fun IntTensorData.list(): List<Int> = stream().toArray().toList()

private fun check(expected: List<Int>, data: IntTensorData) = check(expected == data.list()) { "$expected is not $data" }

/** Uses every operator, and prints the last column of a matrix. */
fun main() {
    val (n, m) = 3 to 4
    Tensors.denseInt(shapeOf(n, m)) { data ->
        for (i in 0 until n) for (j in 0 until m) data[i, j] = 10 * i + j
    }.use { tensor ->
        val data = tensor.intData()
        check(data[2, 3] == 23)
        check(listOf(11, 12, 21, 22), data[1..2, 1..2])
        check(listOf(10, 11, 12, 13, 20, 21, 22, 23), data[1 until n])
        check(listOf(12, 13), data[1, 2..3])
        check(listOf(1, 11), data[0..1, 1])
        check(listOf(0, 2, 10, 12), data[0..1, even()])
        check(listOf(3, 13, 23), data[all(), 3..3])
        check(listOf(0, 1, 2, 3), data[at(0)])
        // Progressions: steps, down to a position, down to 0, from the end, across 0.
        check(listOf(0, 2), data[at(0)][0..3 step 2])
        check(listOf(3, 2, 1), data[at(0)][3 downTo 1])
        check(listOf(3, 2, 1, 0), data[at(0)][3 downTo 0])
        check(listOf(2, 3), data[at(0)][-2..-1])
        check(listOf(1, 2), data[at(0)][-3..-2])
        check(listOf(1, 3), data[at(0)][-3..-1 step 2])
        check(listOf(3, 0), data[at(0)][-1..0])
        check(listOf(0, 3), data[at(0)][0 downTo -1])
        check(emptyList(), data[at(0)][2..1])
        check(listOf(3), data[at(0)][3..Int.MAX_VALUE step Int.MAX_VALUE])
        // Shapes of Ints are the extension's; literals and Longs are the member's.
        check(listOf(3, 10, 11), data.reshape(m, n)[at(1)])
        check(listOf(21, 22, 23), data.reshape(-1, n)[at(3)])
        check(listOf(12, 13, 20, 21, 22, 23), data.reshape(2, 6)[at(1)])
        check(listOf(22, 23), data.reshape(6, n - 1L)[at(5)])
        // So it is with the other views that take sizes.
        val row = data[at(1)]
        check(listOf(10, 11, 12, 13, 10, 11, 12, 13), row.broadcastTo(n - 1, m))
        check(listOf(10, 11, 12, 13, 10, 11, 12, 13), row.tile(n - 1))
        check(listOf(10, 10, 11, 11, 12, 12, 13, 13), row.repeat(0, n - 1))
        check(listOf(10, 11, 12, 11, 12, 13), row.slidingWindow(0, n, 1))
        check(listOf(12, 13), row.unflatten(0, n - 1, -1)[at(1)])
    }
    Tensors.denseUInt8(shapeOf(2)) { it[0] = 200; it[1] = 7.toByte() }.use { check(it.uInt8Data().getUnsigned(0) == 200) }
    Tensors.denseFloat(shapeOf(2, 2)) { it[1, 1] = 1.5f }.use { check(it.floatData()[1, 1] == 1.5f) }
    Tensors.denseString(shapeOf(1, 1, 1)) { it[0, 0, 0] = "a" }.use { check(it.stringData()[0, 0, 0] == "a") }
    Tensors.denseDouble(shapeOf(1, 1, 1, 1, 1)) { it[0, 0, 0, 0, 0] = 2.0 }.use { check(it.doubleData()[0, 0, 0, 0, 0] == 2.0) }
    Ops.create().use { tf ->
        val a = tf.constant(intArrayOf(1, 2, 3, 4, 5, 6))
        val b = tf.constant(intArrayOf(10, 20, 30, 40, 50, 60))
        check(listOf(44, 55, 66), (a + b).asTensor().intData().reshape(n - 1, 3)[at(1)])
    }
    val row = IntTensorData.of(intArrayOf(2, 12), 2)
    Tensors.denseInt(shapeOf(2, 3)) { data ->
        data[all(), at(2)] = row
        data[0..0, 0..1] = IntTensorData.of(intArrayOf(8, 9), 1, 2)
    }.use { check(listOf(8, 9, 2, 0, 0, 12), it.intData()) }
    println(row)
}
