package app

import io.tensornio.Tensors
import io.tensornio.TensorIndex.*
import scala.util.Using

/** Makes a tensor, and prints its last column. */
@main def run(): Unit =
  Using.resource(Tensors.denseInt(Array(2, 3), _.copyFrom(Array(0, 1, 2, 10, 11, 12))))(tensor => println(tensor.intData.slice(all(), at(-1))))
