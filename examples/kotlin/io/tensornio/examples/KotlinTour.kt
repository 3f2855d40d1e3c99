/** TensorNIO from Kotlin. README.md and docs show parts of this program, and a test compares what it prints with its comments. */
package io.tensornio.examples

import io.tensornio.*
import io.tensornio.TensorIndex.*
import io.tensornio.axes.NamedTensor
import io.tensornio.compute.Comprehension
import io.tensornio.kotlin.*
import io.tensornio.op.Ops
import java.nio.ReadOnlyBufferException

// Kotlin assigns by set(i, j, value), and loops over what has iterator(), hasNext() and next().

operator fun FloatTensorData.set(i: Int, j: Int, value: Float) = put(value, i, j)

operator fun FloatTensorIterator.iterator() = this
operator fun FloatTensorIterator.hasNext() = hasMoreElements()
operator fun FloatTensorIterator.next() = get()

class Products(rows: Long, columns: Long) : AbstractIntTensorData(rows, columns) {
    override fun getAt(indices: LongArray) = ((indices[0] + 1) * (indices[1] + 1)).toInt()
}

/** Made in the lambda, read by `data[i, j]`, given back at the end of `use`. */
private fun dense() {
    Tensors.denseFloat(longArrayOf(2, 3)) { data ->
        data.put(floatArrayOf(1f, 2f, 3f), 0)                   // a row, in bulk
        data.put(5f, 1, 2)                                      // one element
    }.use { matrix ->
        val data = matrix.floatData()
        println(data[1, 2])                                     // prints 5.0
        for (row in data.elements()) {
            println(row)
        }
        // prints
        // FLOAT[3] [1., 2., 3.]
        // FLOAT[3] [0., 0., 5.]
        for (j in 0 until 3) {
            println(data.slice(all(), at(j)))
        }
        // prints
        // FLOAT[2] [1., 0.]
        // FLOAT[2] [2., 0.]
        // FLOAT[2] [3., 5.]
    }
}

/** With the operators above. */
private fun operators() {
    val tensor = Tensors.denseFloat(longArrayOf(2, 2)) { data ->
        data[0, 1] = 4f
        data[1, 0] += 2.5f
    }
    var sum = 0f
    for (x in tensor.floatData().scalars()) {
        sum += x
    }
    println(sum)                                                // prints 6.5
}

/** Data of one's own is indexed, sliced and copied like any other. */
private fun own() {
    val products = Products(9, 9)
    println(products[6, 7])                                     // prints 56
    println(Tensors.create(products.slice(from(7), range(0, 4))))
    // prints
    // INT32[2, 4]
    // [[ 8, 16, 24, 32],
    //  [ 9, 18, 27, 36]]
}

/** What each element is, computed by native code. */
private fun computed() {
    val product = Comprehension.of("y[i] += A[i,j] * x[j]")
    Tensors.ofNested(arrayOf(floatArrayOf(1f, 2f), floatArrayOf(3f, 4f))).use { a ->
        product.run(a, FloatTensorData.of(floatArrayOf(10f, 1f))).use { results ->
            println(results.floatTensor("y").floatData())       // prints FLOAT[2] [12., 34.]
        }
    }
}

/** The same elements in another order or between others: nothing is copied before copy(). */
private fun views() {
    val data = FloatTensorData.of(floatArrayOf(1f, 2f, 3f, 4f, 5f, 6f), 2, 3)
    data.transpose().put(9f, 2, 0)                                  // writes data[0, 2]
    println(data.reshape(3, -1).slice(all(), at(0)))                // prints FLOAT[3] [1., 9., 5.]
    val n = 3                                                       // an Int, which tensornio-kotlin takes
    println(data.reshape(n, 2).slice(at(0)))                        // prints FLOAT[2] [1., 2.]
    println(data.slice(at(0)).tile(n).slidingWindow(0, n, n).stream().sum())        // prints 36.0
    val framed = FloatTensorData.concat(0, data, data.flip(1)).pad(longArrayOf(0, 1), longArrayOf(1, 0))
    framed.copy().use { println(it) }
    // prints
    // FLOAT[5, 4]
    // [[0., 1., 2., 9.],
    //  [0., 4., 5., 6.],
    //  [0., 9., 2., 1.],
    //  [0., 6., 5., 4.],
    //  [0., 0., 0., 0.]]
}

/** Operations that compute at once. */
private fun eager() {
    Ops.create().use { tf ->
        val a = tf.constant(arrayOf(floatArrayOf(1f, 2f), floatArrayOf(3f, 4f)))
        val b = tf.constant(floatArrayOf(10f, 20f))
        println(tf.reduce.sum(a + b, 0))                        // prints FLOAT[2] [24., 46.]
        println(tf.reduce.sum(a * 2f))                          // prints FLOAT[] 20.
        println(tf.reduce.sum(1 - (a matmul a) / 2))            // prints FLOAT[] -23.
        println(tf.array.sort(b, 0, true))                      // prints FLOAT[2] [20., 10.]
        println(tf.array.cumsum(b, 0))                          // prints FLOAT[2] [10., 30.]
        println(tf.linalg.triangularSolve(a, b, false))         // prints FLOAT[2] [0., 5.]
    }
}

/** Axes by name: an expression is computed when it is read. */
private fun named() {
    val row = Axis.of("row", 2)
    val column = Axis.of("column", 3)
    val x = NamedTensor.of(FloatTensorData.of(floatArrayOf(1f, 2f, 3f, 4f, 5f, 9f), 2, 3), row, column)
    (x - x.mean(column)).use { centred ->
        println(centred.floatData().slice(1))                   // prints FLOAT[3] [-2., -1.,  3.]
    }
}

/** Words by the document that they are in: rows of any length, and how often each letter begins one. */
private fun texts() {
    val texts = listOf("the quick brown fox", "jumps over", "the lazy dog")
    Tensors.raggedString(longArrayOf(texts.size.toLong(), -1)) { data ->
        texts.forEachIndexed { i, text -> data.put(text.split(' ').toTypedArray(), i) }
    }.use { words ->
        val data = words.stringData()
        check(data[2, 1] == "lazy")
        check(data.slice(1).size(0) == 2L)
        check(data.elements().map { row -> row.stream().count() } == listOf(4L, 2L, 3L))
        check(words.toDense("-").stringData().slice(1).toString() == "STRING[4] ['jumps', 'over', '-', '-']")

        val letters = Tensors.sparseInt(longArrayOf(3, 26), 9) { counts ->
            data.elements().forEachIndexed { i, row ->
                row.scalars().forEach { word -> counts.put(counts[i, word[0] - 'a'] + 1, i, word[0] - 'a') }
            }
        }
        letters.use {
            check(it.intData()[0, 't' - 'a'] == 1)
            check(it.intData().stream().sum() == 9)
            check(it.values().numElements() == 9L)
        }
    }
}

/** What goes wrong is an exception of Java, with a message. */
private fun mistakes() {
    fun <E : Throwable> refused(kind: Class<E>, message: String?, block: () -> Unit) {
        val thrown = runCatching(block).exceptionOrNull()
        check(kind.isInstance(thrown) && (message == null || thrown?.message == message)) { "$thrown" }
    }
    val tensor = Tensors.denseFloat(longArrayOf(2, 3)) {}
    val data = tensor.floatData()
    refused(IndexOutOfBoundsException::class.java, "index 3 of [1, 3] is outside of axis 1 of size 3 in the shape [2, 3]") { data[1, 3] }
    refused(IllegalStateException::class.java, "the elements of this tensor are FLOAT, not INT32") { tensor.intData() }
    refused(ReadOnlyBufferException::class.java, null) { data[0, 0] = 1f }
    tensor.close()
    refused(TensorClosedException::class.java, "the FLOAT tensor of shape [2, 3] is closed") { data[0, 0] }
}

fun main() {
    dense()
    operators()
    own()
    computed()
    views()
    eager()
    named()
    texts()
    mistakes()
}
