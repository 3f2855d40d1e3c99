package io.tensornio.examples

import io.tensornio.TensorIndex.*
import io.tensornio.axes.NamedTensor
import io.tensornio.compute.Comprehension
import io.tensornio.op.{Operand, Ops}
// Last, since it brings a package `io` that hides the root's.
import io.tensornio.*
import java.nio.ReadOnlyBufferException
import scala.jdk.CollectionConverters.*
import scala.reflect.ClassTag
import scala.util.Using

// With these, data is read and written like an array of Scala.
extension (data: FloatTensorData)
  def apply(i: Int, j: Int): Float = data.get(i, j)
  def update(i: Int, j: Int, value: Float): Unit = data.put(value, i, j)

class Table(rows: Long, columns: Long) extends AbstractIntTensorData(rows, columns):
  override protected def getAt(indices: Array[Long]): Int = ((indices(0) + 1) * (indices(1) + 1)).toInt

/** TensorNIO from Scala. README.md and docs show parts of this program, and a test compares what it prints with its comments. */
object ScalaTour:
  /** Made in the function, read by `get`, given back at the end of `Using`. */
  private def dense(): Unit =
    Using.resource(Tensors.denseFloat(Array(2, 3), data =>
      data.put(Array(1f, 2f, 3f), 0)                            // a row, in bulk
      data.put(5, 1, 2)                                         // one element
    )) { matrix =>
      val data = matrix.floatData
      println(data.get(1, 2))                                   // prints 5.0
      for row <- data.elements.asScala do println(row)
      // prints
      // FLOAT[3] [1., 2., 3.]
      // FLOAT[3] [0., 0., 5.]
      for j <- 0 until 3 do println(data.slice(all, at(j)))
      // prints
      // FLOAT[2] [1., 0.]
      // FLOAT[2] [2., 0.]
      // FLOAT[2] [3., 5.]
    }

  /** With the operators above. */
  private def operators(): Unit =
    val tensor: Tensor[java.lang.Float] = Tensors.denseFloat(Array(2, 2), data =>
      data(0, 1) = 4f
      data(1, 0) = data(0, 1) - 1.5f
    )
    var sum = 0f
    tensor.floatData.scalars.forEach(sum += _)
    println(sum)                                                // prints 6.5

  /** Data of one's own is indexed, sliced and copied like any other. */
  private def own(): Unit =
    val table = Table(9, 9)
    println(table.get(6, 7))                                    // prints 56
    println(Tensors.create(table.slice(from(7), to(4))))
    // prints
    // INT32[2, 4]
    // [[ 8, 16, 24, 32],
    //  [ 9, 18, 27, 36]]

  /** What each element is, computed by native code. */
  private def computed(): Unit =
    val product = Comprehension.of("y[i] += A[i,j] * x[j]")
    Using.resource(Tensors.ofNested(Array(Array(1f, 2f), Array(3f, 4f)))) { a =>
      Using.resource(product.run(a, FloatTensorData.of(Array(10f, 1f)))) { results =>
        println(results.floatTensor("y").floatData)             // prints FLOAT[2] [12., 34.]
      }
    }

  /** The same elements in another order or between others: nothing is copied before copy. */
  private def views(): Unit =
    val data = FloatTensorData.of(Array(1f, 2f, 3f, 4f, 5f, 6f), 2, 3)
    data.transpose.put(9, 2, 0)                                     // writes data.get(0, 2)
    println(data.reshape(3, -1).slice(all, at(0)))                  // prints FLOAT[3] [1., 9., 5.]
    val framed = FloatTensorData.concat(0, data, data.flip(1)).pad(Array(0L, 1L), Array(1L, 0L))
    Using.resource(framed.copy)(println)
    // prints
    // FLOAT[5, 4]
    // [[0., 1., 2., 9.],
    //  [0., 4., 5., 6.],
    //  [0., 9., 2., 1.],
    //  [0., 6., 5., 4.],
    //  [0., 0., 0., 0.]]

  /** Operations that compute at once, with operators of one's own. */
  private def eager(): Unit =
    Using.resource(Ops.create()) { tf =>
      extension [T](a: Operand[T])
        def +(b: Operand[T]): Operand[T] = a.ops.math.add(a, b)
        def matmul(b: Operand[T]): Operand[T] = a.ops.linalg.matmul(a, b)
      val a = tf.constant(Array(Array(1f, 2f), Array(3f, 4f)))
      val b = tf.constant(Array(10f, 20f))
      println(tf.reduce.sum(a + b, 0))                          // prints FLOAT[2] [24., 46.]
      println(tf.reduce.sum(a.matmul(a)))                       // prints FLOAT[] 54.
      println(tf.array.sort(b, 0, true))                        // prints FLOAT[2] [20., 10.]
      println(tf.array.cumsum(b, 0))                            // prints FLOAT[2] [10., 30.]
      println(tf.linalg.triangularSolve(a, b, false))           // prints FLOAT[2] [0., 5.]
    }

  /** Axes by name: an expression is computed when it is read. */
  private def named(): Unit =
    val row = Axis.of("row", 2)
    val column = Axis.of("column", 3)
    val x = NamedTensor.of(FloatTensorData.of(Array(1f, 2f, 3f, 4f, 5f, 9f), 2, 3), row, column)
    Using.resource(x.minus(x.mean(column))) { centred =>
      println(centred.floatData.slice(1))                       // prints FLOAT[3] [-2., -1.,  3.]
    }

  /** Words by the document that they are in: rows of any length, and how often each letter begins one. */
  private def texts(): Unit =
    val texts = Seq("the quick brown fox", "jumps over", "the lazy dog")
    Using.resource(Tensors.raggedString(Array(texts.size, -1), data =>
      for (text, i) <- texts.zipWithIndex do data.put(text.split(' '), i)
    )) { words =>
      val data = words.stringData
      check(data.get(2, 1) == "lazy")
      check(data.slice(1).size(0) == 2)
      check(data.elements.asScala.map(_.stream().count()).toSeq == Seq(4, 2, 3))
      check(words.toDense("-").stringData.slice(1).toString == "STRING[4] ['jumps', 'over', '-', '-']")

      val letters = Tensors.sparseInt(Array(3, 26), 9, counts =>
        for (row, i) <- data.elements.asScala.zipWithIndex do
          row.scalars.forEach(word => counts.put(counts.get(i, word(0) - 'a') + 1, i, word(0) - 'a'))
      )
      Using.resource(letters) { letters =>
        check(letters.intData.get(0, 't' - 'a') == 1)
        check(letters.intData.stream().sum() == 9)
        check(letters.values.numElements == 9)
      }
    }

  /** What goes wrong is an exception of Java, with a message. */
  private def mistakes(): Unit =
    def refused[E <: Throwable](message: String)(block: => Any)(using kind: ClassTag[E]): Unit =
      val thrown = try { block; null } catch { case e: Throwable => e }
      check(kind.runtimeClass.isInstance(thrown) && (message.isEmpty || thrown.getMessage == message), s"$thrown")
    val tensor = Tensors.denseFloat(Array(2, 3), _ => ())
    val data = tensor.floatData
    refused[IndexOutOfBoundsException]("index 3 of [1, 3] is outside of axis 1 of size 3 in the shape [2, 3]")(data(1, 3))
    refused[IllegalStateException]("the elements of this tensor are FLOAT, not INT32")(tensor.intData)
    refused[ReadOnlyBufferException]("")(data(0, 0) = 1f)
    tensor.close()
    refused[TensorClosedException]("the FLOAT tensor of shape [2, 3] is closed")(data(0, 0))

  private def check(holds: Boolean, message: => String = "is not so"): Unit = if !holds then throw IllegalStateException(message)

  def main(args: Array[String]): Unit =
    dense()
    operators()
    own()
    computed()
    views()
    eager()
    named()
    texts()
    mistakes()
