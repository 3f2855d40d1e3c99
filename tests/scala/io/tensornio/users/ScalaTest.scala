package io.tensornio.users

import io.tensornio.TensorIndex.*
import io.tensornio.*
import java.io.{ByteArrayInputStream, ByteArrayOutputStream}
import java.nio.{FloatBuffer, ReadOnlyBufferException}
import java.util.function.Consumer
import java.util.stream.{Collectors, DoubleStream, IntStream, LongStream, Stream}
import org.junit.jupiter.api.Assertions.{assertArrayEquals, assertEquals, assertThrows, assertTrue}
import org.junit.jupiter.api.Test
import scala.jdk.CollectionConverters.*
import scala.reflect.ClassTag
import scala.util.Using

/**
 * The API as Scala sees it, 3 and 2.13: every call here has to be found without a hint or a warning, and to be the one that is meant. Hence the
 * braces and `new`.
 */
class ScalaTest {
  private def counting(shape: Long*): IntTensorData = {
    var next = -1
    Tensors.denseInt(shape.toArray, _.scalars.onEach(() => { next += 1; next })).intData
  }

  private def refused[E <: Throwable](block: => Any)(implicit kind: ClassTag[E]): E =
    assertThrows(kind.runtimeClass.asInstanceOf[Class[E]], () => block)

  @Test
  def everyTypeIsMadeReadAndWritten(): Unit = {
    Using.resource(Tensors.denseFloat(Array(2, 2), _.put(1.5f, 0, 1)))(t => assertEquals(1.5f, t.floatData.get(0, 1)))
    Using.resource(Tensors.denseDouble(Array(2, 2), _.put(1.5, 0, 1)))(t => assertEquals(1.5, t.doubleData.get(0, 1)))
    Using.resource(Tensors.denseInt(Array(2, 2), _.put(7, 0, 1)))(t => assertEquals(7, t.intData.get(0, 1)))
    Using.resource(Tensors.denseLong(Array(2, 2), _.put(7, 0, 1)))(t => assertEquals(7L, t.longData.get(0, 1)))
    Using.resource(Tensors.denseBoolean(Array(2, 2), _.put(true, 0, 1)))(t => assertTrue(t.booleanData.get(0, 1)))
    Using.resource(Tensors.denseString(Array(2, 2), _.put("ß", 0, 1)))(t => assertEquals("ß", t.stringData.get(0, 1)))
    Using.resource(Tensors.denseUInt8(Array(2, 2), _.put(200, 0, 1))) { t =>
      assertEquals(200, t.uInt8Data.getUnsigned(0, 1))
      assertEquals(-56.toByte, t.uInt8Data.get(0, 1))
    }
    val typed: (Tensor[java.lang.Float], Tensor[UInt8]) = (Tensors.denseFloat(Array(2), _ => ()), Tensors.denseUInt8(Array(2), _ => ()))
    assertEquals(2, typed._2.numBytes)
  }

  @Test
  def bytesOfLiteralsAndVariablesAreUnsigned(): Unit = {
    val data = Tensors.denseUInt8(Array(3), data => {
      val n = 250
      data.put(n, 0)
      data.put(5, 1)
      data.put(251.toByte, 2)
      refused[IllegalArgumentException](data.put(-1, 0))
      refused[IllegalArgumentException](data.put(256, 0))
    }).uInt8Data
    assertEquals(Seq(250, 5, 251), data.stream().toArray.toSeq)
  }

  @Test
  def getReadsAtAnyRank(): Unit = {
    assertEquals(0, counting().get())
    assertEquals(4, counting(5).get(4))
    assertEquals(7, counting(2, 5).get(1, 2))
    assertEquals(23, counting(2, 3, 4).get(1, 2, 3))
    assertEquals(119, counting(2, 3, 4, 5).get(1, 2, 3, 4))
    assertEquals(31, counting(2, 2, 2, 2, 2).get(1, 1, 1, 1, 1))
  }

  @Test
  def anIntArrayIsACopyAndASpreadOneIsCoordinates(): Unit = {
    val data = counting(2, 3)
    val array = Array.fill(6)(-1)
    data.get(array)
    assertArrayEquals(Array(0, 1, 2, 3, 4, 5), array)
    assertEquals(5, data.get(Array(1, 2)*))
    data.get(array, 1)
    assertArrayEquals(Array(3, 4, 5, 3, 4, 5), array)
    val copy = IntTensorData.of(new Array[Int](6), 2, 3)
    copy.put(Array(1, 2))
    copy.put(9, Array(1, 2)*)
    assertEquals("[[1, 2, 0],\n [0, 0, 9]]", copy.toString(TensorFormat.DEFAULT.withoutHeader()))
  }

  @Test
  def allIndicesAreFound(): Unit = {
    val data = counting(4, 5)
    val i = 1
    val n = data.size(1)
    assertEquals(data.slice(1), data.slice(at(i)))
    assertEquals(data.slice(at(1L)), data.slice(at(i)))
    assertEquals(data.slice(all, range(i, n)), data.slice(all, from(i)))
    assertEquals(data.slice(range(3, 1, -1)), data.slice(incl(3, i + 1)))
    assertEquals(data.slice(even), data.slice(step(i + 1)))
    assertEquals(data.slice(mod(3)), data.slice(incl(Array(0L, 3L)*)))
    assertEquals(data.slice(incl(0, 3)), data.slice(mask(BooleanTensorData.of(Array(true, false, false, true)))))
    assertEquals(data.slice(excl(1, 2), odd), data.slice(take(IntTensorData.of(Array(0, 3))), take(LongTensorData.of(Array(1L, 3L)))))
    assertEquals(19, data.slice(flip, flip).get(0, 0))
    assertArrayEquals(Array(1L, 4L, 5L), data.slice(newAxis, ellipsis).shape)
    assertEquals(13, data.slice(IntTensorData.of(Array(2, 3))).get())
    assertEquals(data.slice(2, 3), data.slice(Seq(at(2), at(3))*))
  }

  @Test
  def listsTakeIntsAndLongs(): Unit = {
    val data = counting(5)
    def picked(index: TensorIndex): Seq[Int] = data.slice(index).stream().toArray.toSeq
    val i = 2
    val l = 2L
    assertEquals(Seq(0, 2), picked(incl(0, 2)))
    assertEquals(Seq(2), picked(incl(i)))
    assertEquals(Seq(2), picked(incl(l)))
    assertEquals(Seq(2, 3), picked(incl(i, i + 1)))
    assertEquals(Seq(2, 0), picked(incl(l, 0)))
    assertEquals(Seq(2, 2), picked(incl(l, i)))
    assertEquals(Seq(3, 0), picked(incl(Array(3, 0)*)))
    assertEquals(Seq(3, 0), picked(incl(Array(3L, 0L)*)))
    assertEquals(Seq(), picked(incl()))
    assertEquals(Seq(0, 1, 3, 4), picked(excl(i)))
    assertEquals(Seq(0, 1, 3, 4), picked(excl(l)))
    assertEquals(Seq(0, 4), picked(excl(1, i, 3)))
    assertEquals(Seq(1, 2, 4), picked(excl(Array(3, 0)*)))
    assertEquals(Seq(1, 2, 4), picked(excl(Array(3L, 0L)*)))
    assertEquals(Seq(0, 1, 2, 3, 4), picked(excl()))
  }

  @Test
  def functionsOfEveryTypeWalkThroughScalars(): Unit = {
    val floats = FloatTensorData.of(new Array[Float](3))
    var x = 0f
    floats.scalars.onEach(() => { x += 0.5f; x })
    var sum = 0f
    floats.scalars.forEach(sum += _)
    assertEquals(3f, sum)
    val seen = new StringBuilder()
    val doubles = DoubleTensorData.of(new Array[Double](2))
    doubles.scalars.onEach(() => 0.5)
    doubles.scalars.forEach(v => seen.append(v).append(' '))
    counting(2).scalars.forEach(v => seen.append(v).append(' '))
    val longs = LongTensorData.of(new Array[Long](2))
    longs.scalars.onEach(() => 1)
    longs.scalars.forEach(v => seen.append(v).append(' '))
    val booleans = BooleanTensorData.of(new Array[Boolean](2))
    booleans.scalars.onEach(() => true)
    booleans.scalars.forEach(v => seen.append(v).append(' '))
    val bytes = ByteTensorData.of(new Array[Byte](2))
    bytes.scalars.onEach(() => 100)
    bytes.scalars.forEach(v => seen.append(v).append(' '))
    StringTensorData.of(Array("a", "a")).scalars.forEach(v => seen.append(v))
    assertEquals("0.5 0.5 0 1 1 1 true true 100 100 aa", seen.toString)
  }

  @Test
  def elementsAreAnIterableOfViews(): Unit = {
    val data = counting(3, 2)
    assertEquals(Seq(1, 5, 9), data.elements.asScala.map(row => row.get(0) + row.get(1)).toSeq)
    assertEquals(Seq(data.slice(0), data.slice(1), data.slice(2)), data.elements.asScala.toList)
    var rows = 0
    data.elements.forEach(row => rows += row.rank)
    assertEquals(3, rows)
    val copy = FloatTensorData.of(new Array[Float](6), 3, 2)
    copy.elements.put(Array(1f, 2f)).put(FloatBuffer.wrap(Array(3f, 4f))).put(copy.slice(0))
    assertEquals(FloatTensorData.of(Array(1f, 2f, 3f, 4f, 1f, 2f), 3, 2), copy)
  }

  @Test
  def streamsOfEveryTypeGoBothWays(): Unit = {
    val floats = FloatTensorData.of(new Array[Float](2))
    floats.put(DoubleStream.of(1, 2))
    assertEquals(3.0, floats.stream().sum())
    val longs = LongTensorData.of(new Array[Long](4))
    longs.put(LongStream.range(0, 4))
    assertEquals(6L, longs.stream().sum())
    val bytes = ByteTensorData.of(new Array[Byte](4))
    bytes.put(IntStream.range(0, 4))
    assertEquals(6, bytes.stream().filter(_ > 0).sum())
    val booleans = BooleanTensorData.of(new Array[Boolean](2))
    booleans.put(Stream.of[java.lang.Boolean](true, false))
    assertEquals(1L, booleans.stream().filter(x => x).count())
    val texts = StringTensorData.of(Array("", ""))
    texts.put(List("a", "b").asJava.stream())
    assertEquals("ab", texts.stream().collect(Collectors.joining()))
  }

  @Test
  def sparseTensorsOfEveryTypeAreFilledByCoordinate(): Unit = {
    val shape = Array(1000L, 1000L)
    Using.resource(Tensors.sparseFloat(shape, 2, data => { data.put(2, 999, 5); data.put(1, 0, 4) })) { tensor =>
      assertEquals(2f, tensor.floatData.get(999, 5))
      assertEquals(LongTensorData.of(Array(0L, 4L, 999L, 5L), 2, 2), tensor.indices.longData)
      val again = Tensors.sparseFloat(tensor.indices.longData, tensor.values.floatData, 1000, 1000)
      assertEquals(tensor.floatData, again.floatData)
    }
    assertEquals(1.0, Tensors.sparseDouble(shape, 1, _.put(1, 2, 3)).doubleData.get(2, 3))
    assertEquals(1, Tensors.sparseInt(shape, 1, _.put(1, 2, 3)).intData.get(2, 3))
    assertEquals(1L, Tensors.sparseLong(shape, 1, _.put(1, 2, 3)).longData.get(2, 3))
    assertTrue(Tensors.sparseBoolean(shape, 1, _.put(true, 2, 3)).booleanData.get(2, 3))
    assertEquals(255, Tensors.sparseUInt8(shape, 1, _.put(255, 2, 3)).uInt8Data.getUnsigned(2, 3))
    assertEquals("a", Tensors.sparseString(shape, 1, _.put("a", 2, 3)).stringData.get(2, 3))
    val dense: SparseTensor[UInt8] = SparseTensor.fromDense(ByteTensorData.of(Array[Byte](0, 1)))
    assertEquals(1L, dense.values.numElements)
  }

  @Test
  def raggedTensorsTakeRowsAndPadding(): Unit = {
    val ragged = Tensors.raggedFloat(Array(2, -1), data => {
      data.put(Array(1f, 2f, 3f), 0)
      data.put(4, 1, 0)
    })
    assertEquals(FloatTensorData.of(Array(1f, 2f, 3f, 4f, -1f, -1f), 2, 3), ragged.toDense(-1).floatData)
    assertEquals(ragged.toDense(0.5).floatData, ragged.toDense(0.5f).floatData)
    assertTrue(ragged.toDense(Float.NaN).floatData.get(1, 2).isNaN)
    val values = ragged.values.floatData
    Seq(
      RaggedTensor.fromRowSplits(values, 0, 3, 4), RaggedTensor.fromRowSplits(values, Array(0L, 3L, 4L)),
      RaggedTensor.fromRowSplits(values, Array(0L, 3L, 4L)*), RaggedTensor.fromRowSplits(values, ragged.rowSplits(1).longData),
      RaggedTensor.fromRowLengths(values, 3, 1), RaggedTensor.fromRowLengths(values, Array(3L, 1L)),
      RaggedTensor.fromDense(ragged.toDense(-1).floatData, -1), RaggedTensor.fromDense(ragged.toDense.floatData, Array(3L, 1L))
    ).foreach(made => assertEquals(ragged.floatData, made.floatData))
  }

  @Test
  def stringsHaveTextsBytesAndFixedLengths(): Unit = {
    // Overloaded: Array(2) would be one of Int here, and Scala 2 does not know the function's parameter.
    val fixed = Tensors.denseString(Array(2L), 4, ' ', (data: StringTensorData) => data.put(Array("de", "fr")))
    assertEquals(8L, fixed.numBytes)
    val any = Tensors.denseString(Array(2), data => { data.putBytes(Array(-1), 0); data.put("日本", 1) }).stringData
    assertArrayEquals(Array[Byte](-1), any.getBytes(0))
    assertEquals(6, any.getBytes(1).length)
    val texts = new Array[String](2)
    fixed.stringData.copyTo(texts)
    assertEquals(Seq("de", "fr"), texts.toSeq)
  }

  @Test
  def nestedArraysGoBothWays(): Unit = {
    val rows = Array.tabulate(2, 3)((i, j) => (10 * i + j).toFloat)
    val tensor: Tensor[java.lang.Float] = Tensors.ofNested(rows)
    assertEquals(12f, tensor.floatData.get(1, 2))
    assertEquals(rows.map(_.toSeq).toSeq, tensor.toNested(classOf[Array[Array[Float]]]).map(_.toSeq).toSeq)
    val texts: Tensor[String] = Tensors.ofNested(Array(Array("a", "b"), Array("c", "d")))
    assertEquals("d", texts.stringData.get(1, 1))
    val bytes: Tensor[UInt8] = Tensors.ofNested(Array(Array[Byte](-1)))
    assertEquals(255, bytes.uInt8Data.getUnsigned(0, 0))
    val ragged: RaggedTensor[Integer] = Tensors.raggedOfNested(Array(Array(1), Array[Int]()))
    assertEquals(1L, ragged.numElements)
  }

  @Test
  def dataOfOnesOwnWorksWhereverDataIsTaken(): Unit = {
    val grid = new Grid(Array.ofDim(2, 2))
    grid.put(3, 1, 0)
    grid.slice(all, at(1)).put(Array(4f, 5f))
    assertEquals(FloatTensorData.of(Array(0f, 4f, 3f, 5f), 2, 2), grid)
    assertTrue(!grid.isReadOnly && new Names().isReadOnly)
    refused[ReadOnlyBufferException](new Names().put("a", 0, 0))
    assertEquals("1/0", Tensors.create(new Names()).stringData.get(1, 0))
  }

  private def last[D <: TensorData[D]](data: D): D = data.slice(at(-1))
  private def bytesOf[T](tensor: AnyTensor[T]): Long = tensor.numBytes

  @Test
  def functionsOverAllTypesAndInitialisersOfAnyKind(): Unit = {
    assertEquals("INT32[2] [2, 3]", last(counting(2, 2)).toString)
    def fill(data: FloatTensorData): Unit = data.put(3)
    val any: Consumer[Any] = _ => ()
    val function: FloatTensorData => Unit = _.put(3)
    val scalar = Array[Long]()
    val made = Seq(Tensors.denseFloat(scalar, fill), Tensors.denseFloat(scalar, d => function(d)), Tensors.denseFloat(scalar, any))
    assertEquals(Seq(3f, 3f, 0f), made.map(_.floatData.get()))
    assertEquals(4L, bytesOf(made.head))
    assertTrue(made.head.dataType match { case DataType.FLOAT => true; case _ => false })
  }

  @Test
  def equalityHashesAndTexts(): Unit = {
    val data = counting(2, 2)
    assertTrue(data == counting(2, 2) && data != counting(4) && Set(data, counting(2, 2)).size == 1)
    assertEquals("INT32[2, 2]\n[[0, 1],\n [2, 3]]", s"$data")
  }

  @Test
  def filesAndBuffers(): Unit = {
    val out = new ByteArrayOutputStream()
    counting(2, 2).writeTo(out)
    val again = Tensors.denseInt(Array(2, 2), _.readFrom(new ByteArrayInputStream(out.toByteArray)))
    assertEquals(counting(2, 2), again.intData)
    assertEquals(3, again.asByteBuffer.getInt(12))
  }

  @Test
  def usingClosesAndExceptionsAreJavas(): Unit = {
    val kept = Using.resource(Tensors.denseFloat(Array(2), _ => ()))(_.floatData)
    assertEquals("the FLOAT tensor of shape [2] is closed", refused[TensorClosedException](kept.get(0)).getMessage)
    assertEquals("mine", refused[RuntimeException](Tensors.denseFloat(Array(2), _ => throw new RuntimeException("mine"))).getMessage)
    refused[IndexOutOfBoundsException](counting(2, 2).get(0))
    assertTrue(Using(Tensors.denseFloat(Array(2), _ => ()))(_.intData).failed.get.isInstanceOf[IllegalStateException])
  }
}

private class Grid(cells: Array[Array[Float]]) extends AbstractFloatTensorData(cells.length, cells(0).length) {
  override protected def getAt(indices: Array[Long]): Float = cells(indices(0).toInt)(indices(1).toInt)
  override protected def putAt(value: Float, indices: Array[Long]): Unit = cells(indices(0).toInt)(indices(1).toInt) = value
}

private class Names extends AbstractStringTensorData(2, 2) {
  override protected def getAt(indices: Array[Long]): String = indices.mkString("/")
}
