package io.tensornio.users

import io.tensornio.*
import io.tensornio.TensorIndex.*
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import java.nio.FloatBuffer
import java.nio.ReadOnlyBufferException
import java.util.function.Consumer
import java.util.stream.Collectors
import java.util.stream.DoubleStream
import java.util.stream.IntStream
import java.util.stream.LongStream
import java.util.stream.Stream
import kotlin.streams.asSequence
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** The API as Kotlin sees it: every call here has to be found without a hint or a warning, and to be the one that is meant. */
class KotlinTest {
    private fun counting(vararg shape: Long): IntTensorData =
        Tensors.denseInt(shape) { data -> var next = 0; data.scalars().onEach { next++ } }.intData()

    @Test
    fun everyTypeIsMadeReadAndWritten() {
        val shape = longArrayOf(2, 2)
        Tensors.denseFloat(shape) { it.put(1.5f, 0, 1) }.use { t: Tensor<Float> -> assertEquals(1.5f, t.floatData()[0, 1]) }
        Tensors.denseDouble(shape) { it.put(1.5, 0, 1) }.use { t: Tensor<Double> -> assertEquals(1.5, t.doubleData()[0, 1]) }
        Tensors.denseInt(shape) { it.put(7, 0, 1) }.use { t: Tensor<Int> -> assertEquals(7, t.intData()[0, 1]) }
        Tensors.denseLong(shape) { it.put(7, 0, 1) }.use { t: Tensor<Long> -> assertEquals(7L, t.longData()[0, 1]) }
        Tensors.denseBoolean(shape) { it.put(true, 0, 1) }.use { t: Tensor<Boolean> -> assertTrue(t.booleanData()[0, 1]) }
        Tensors.denseString(shape) { it.put("ß", 0, 1) }.use { t: Tensor<String> -> assertEquals("ß", t.stringData()[0, 1]) }
        Tensors.denseUInt8(shape) { it.put(200, 0, 1) }.use { t: Tensor<UInt8> ->
            assertEquals(200, t.uInt8Data().getUnsigned(0, 1))
            assertEquals((-56).toByte(), t.uInt8Data()[0, 1])
        }
    }

    @Test
    fun bytesOfLiteralsAndVariablesAreUnsigned() {
        Tensors.denseUInt8(longArrayOf(4)) {
            val n = 250
            it.put(n, 0)
            it.put(5, 1)
            it.put(251.toByte(), 2)
            it.put(252u.toByte(), 3)
            assertThrows(IllegalArgumentException::class.java) { it.put(-1, 0) }
            assertThrows(IllegalArgumentException::class.java) { it.put(256, 0) }
        }.use { assertEquals(listOf(250, 5, 251, 252), it.uInt8Data().stream().boxed().collect(Collectors.toList())) }
    }

    @Test
    fun bracketsReadAtAnyRank() {
        assertEquals(4, counting(5)[4])
        assertEquals(7, counting(2, 5)[1, 2])
        assertEquals(23, counting(2, 3, 4)[1, 2, 3])
        assertEquals(119, counting(2, 3, 4, 5)[1, 2, 3, 4])
        assertEquals(31, counting(2, 2, 2, 2, 2)[1, 1, 1, 1, 1])
        assertEquals(0, counting().get())
    }

    @Test
    fun anIntArrayIsACopyAndASpreadOneIsCoordinates() {
        val data = counting(2, 3)
        val array = IntArray(6) { -1 }
        data.get(array)
        assertArrayEquals(intArrayOf(0, 1, 2, 3, 4, 5), array)
        assertEquals(5, data.get(*intArrayOf(1, 2)))
        data.get(array, 1)
        assertArrayEquals(intArrayOf(3, 4, 5, 3, 4, 5), array)
        val copy = IntTensorData.of(IntArray(6), 2, 3)
        copy.put(intArrayOf(1, 2))
        copy.put(9, *intArrayOf(1, 2))
        assertEquals("[[1, 2, 0],\n [0, 0, 9]]", copy.toString(TensorFormat.DEFAULT.withoutHeader()))
    }

    @Test
    fun indicesTakeIntsAndLongs() {
        val data = counting(4, 5)
        val i = 1
        val n = data.size(1)
        assertEquals(data.slice(1), data.slice(at(i)))
        assertEquals(data.slice(at(i.toLong())), data.slice(at(i)))
        assertEquals(data.slice(range(1, 3)), data.slice(range(i, i + 2)))
        assertEquals(data.slice(all(), range(1, n)), data.slice(all(), from(i)))
        assertEquals(data.slice(range(3, 1, -1)), data.slice(range(i + 2, i, -i)))
        assertEquals(data.slice(range(0, 2)), data.slice(TensorIndex.to(i + 1)))      // in a class, to(2) alone makes a Pair with `this`
        assertEquals(data.slice(even()), data.slice(step(i + 1)))
        assertEquals(data.slice(mod(3L)), data.slice(mod(i + 2)))
        assertThrows(IllegalArgumentException::class.java) { step(i - 1) }
        assertThrows(IllegalArgumentException::class.java) { mod(i - 1) }
        assertThrows(IllegalArgumentException::class.java) { range(i, i, i - 1) }
        assertEquals(listOf(at(0), at(1)).map { data.slice(it) }, (0..1).map { data.slice(at(it)) })
    }

    @Test
    fun allIndicesAreFound() {
        val data = counting(4, 5)
        val mask = BooleanTensorData.of(booleanArrayOf(true, false, false, true))
        assertEquals(data.slice(incl(0, 3)), data.slice(mask(mask)))
        assertEquals(data.slice(excl(1, 2)), data.slice(take(IntTensorData.of(intArrayOf(0, 3)))))
        assertEquals(data.slice(incl(*longArrayOf(3, 0)), odd()), data.slice(take(LongTensorData.of(longArrayOf(3, 0))), range(1, 5, 2)))
        assertEquals(19, data.slice(flip(), flip())[0, 0])
        assertArrayEquals(longArrayOf(1, 4, 5), data.slice(newAxis(), ellipsis()).shape())
        assertEquals(13, data.slice(IntTensorData.of(intArrayOf(2, 3))).get())
        assertEquals(data.slice(2, 3), data.slice(*arrayOf(at(2), at(3))))
        val steps = mutableListOf<Int>()
        for (i in 0 until 4 step 2) steps += data[i, 0]         // Kotlin's own step, beside TensorIndex.step
        assertEquals(listOf(0, 10), steps)
    }

    @Test
    fun listsTakeIntsAndLongs() {
        val data = counting(5)
        fun picked(index: TensorIndex) = data.slice(index).stream().toArray().toList()
        val i = 2
        val l = 2L
        assertEquals(listOf(0, 2), picked(incl(0, 2)))
        assertEquals(listOf(2), picked(incl(i)))
        assertEquals(listOf(2), picked(incl(l)))
        assertEquals(listOf(2, 3), picked(incl(i, i + 1)))
        assertEquals(listOf(2, 0), picked(incl(l, 0)))
        assertEquals(listOf(3, 0), picked(incl(*intArrayOf(3, 0))))
        assertEquals(listOf(3, 0), picked(incl(*longArrayOf(3, 0))))
        assertEquals(emptyList<Int>(), picked(incl()))
        assertEquals(listOf(0, 1, 3, 4), picked(excl(i)))
        assertEquals(listOf(0, 1, 3, 4), picked(excl(l)))
        assertEquals(listOf(0, 4), picked(excl(1, i, 3)))
        assertEquals(listOf(1, 2, 4), picked(excl(*intArrayOf(3, 0))))
        assertEquals(listOf(1, 2, 4), picked(excl(*longArrayOf(3, 0))))
        assertEquals(listOf(0, 1, 2, 3, 4), picked(excl()))
    }

    @Test
    fun lambdasOfEveryTypeWalkThroughScalars() {
        val floats = FloatTensorData.of(FloatArray(3))
        var x = 0f
        floats.scalars().onEach { x += 0.5f; x }
        var sum = 0f
        floats.scalars().forEach { sum += it }
        assertEquals(3f, sum)
        val seen = StringBuilder()
        DoubleTensorData.of(DoubleArray(2)).apply { scalars().onEach { 0.5 } }.scalars().forEach { seen.append(it).append(' ') }
        counting(2).scalars().forEach { seen.append(it).append(' ') }
        LongTensorData.of(LongArray(2)).apply { scalars().onEach { 1 } }.scalars().forEach { seen.append(it).append(' ') }
        BooleanTensorData.of(BooleanArray(2)).apply { scalars().onEach { true } }.scalars().forEach { seen.append(it).append(' ') }
        ByteTensorData.of(ByteArray(2)).apply { scalars().onEach { 100 } }.scalars().forEach { seen.append(it).append(' ') }
        StringTensorData.of(arrayOf("", "")).apply { scalars().onEach { "a" } }.scalars().forEach(seen::append)
        assertEquals("0.5 0.5 0 1 1 1 true true 100 100 aa", seen.toString())
    }

    @Test
    fun elementsAreAnIterableOfViews() {
        val data = counting(3, 2)
        assertEquals(listOf(1, 5, 9), data.elements().map { it[0] + it[1] })
        assertEquals(listOf(data.slice(0), data.slice(1), data.slice(2)), data.elements().toList())
        var rows = 0
        data.elements().forEach { row -> rows += row.rank() }
        for ((i, row) in data.elements().withIndex()) assertEquals(2 * i, row[0])
        assertEquals(3, rows)
        val copy = FloatTensorData.of(FloatArray(6), 3, 2)
        copy.elements().put(floatArrayOf(1f, 2f)).put(FloatBuffer.wrap(floatArrayOf(3f, 4f))).put(copy.slice(0))
        assertEquals(FloatTensorData.of(floatArrayOf(1f, 2f, 3f, 4f, 1f, 2f), 3, 2), copy)
    }

    @Test
    fun streamsOfEveryTypeGoBothWays() {
        val ints = counting(4)
        assertEquals(listOf(0, 1, 2, 3), ints.stream().asSequence().toList())
        val floats = FloatTensorData.of(FloatArray(2)).apply { put(DoubleStream.of(1.0, 2.0)) }
        assertEquals(3.0, floats.stream().sum())
        assertEquals(6L, LongTensorData.of(LongArray(4)).apply { put(LongStream.range(0, 4)) }.stream().sum())
        assertEquals(6, ByteTensorData.of(ByteArray(4)).apply { put(IntStream.range(0, 4)) }.stream().sum())
        assertEquals(1L, BooleanTensorData.of(BooleanArray(2)).apply { put(listOf(true, false).stream()) }.stream().filter { it }.count())
        assertEquals("ab", StringTensorData.of(arrayOf("", "")).apply { put(Stream.of("a", "b")) }.stream().collect(Collectors.joining()))
    }

    @Test
    fun sparseTensorsOfEveryTypeAreFilledByCoordinate() {
        val shape = longArrayOf(1000, 1000)
        Tensors.sparseFloat(shape, 2) { it.put(2f, 999, 5); it.put(1f, 0, 4) }.use {
            assertEquals(2f, it.floatData()[999, 5])
            assertEquals(LongTensorData.of(longArrayOf(0, 4, 999, 5), 2, 2), it.indices().longData())
            val again = Tensors.sparseFloat(it.indices().longData(), it.values().floatData(), *shape)
            assertEquals(it.floatData(), again.floatData())
            again.close()
        }
        Tensors.sparseDouble(shape, 1) { it.put(1.0, 2, 3) }.use { assertEquals(1.0, it.doubleData()[2, 3]) }
        Tensors.sparseInt(shape, 1) { it.put(1, 2, 3) }.use { assertEquals(1, it.intData()[2, 3]) }
        Tensors.sparseLong(shape, 1) { it.put(1, 2, 3) }.use { assertEquals(1L, it.longData()[2, 3]) }
        Tensors.sparseBoolean(shape, 1) { it.put(true, 2, 3) }.use { assertTrue(it.booleanData()[2, 3]) }
        Tensors.sparseUInt8(shape, 1) { it.put(255, 2, 3) }.use { assertEquals(255, it.uInt8Data().getUnsigned(2, 3)) }
        Tensors.sparseString(shape, 1) { it.put("a", 2, 3) }.use { assertEquals("a", it.stringData()[2, 3]) }
        val dense: SparseTensor<UInt8> = SparseTensor.fromDense(ByteTensorData.of(byteArrayOf(0, 1)))
        assertEquals(1L, dense.values().numElements())
    }

    @Test
    fun raggedTensorsTakeRowsAndPadding() {
        val ragged = Tensors.raggedFloat(longArrayOf(2, -1)) {
            it.put(floatArrayOf(1f, 2f, 3f), 0)
            it.put(4f, 1, 0)
        }
        assertEquals(FloatTensorData.of(floatArrayOf(1f, 2f, 3f, 4f, -1f, -1f), 2, 3), ragged.toDense(-1).floatData())
        assertEquals(ragged.toDense(0.5).floatData(), ragged.toDense(0.5f).floatData())
        assertTrue(ragged.toDense(Float.NaN).floatData()[1, 2].isNaN())
        val values = ragged.values().floatData()
        val expected = ragged.floatData()
        listOf(
            RaggedTensor.fromRowSplits(values, 0, 3, 4), RaggedTensor.fromRowSplits(values, longArrayOf(0, 3, 4)),
            RaggedTensor.fromRowSplits(values, *longArrayOf(0, 3, 4)), RaggedTensor.fromRowSplits(values, ragged.rowSplits(1).longData()),
            RaggedTensor.fromRowLengths(values, 3, 1), RaggedTensor.fromRowLengths(values, longArrayOf(3, 1)),
            RaggedTensor.fromDense(ragged.toDense(-1).floatData(), -1f), RaggedTensor.fromDense(ragged.toDense().floatData(), longArrayOf(3, 1)),
        ).forEach { assertEquals(expected, it.floatData()) }
    }

    @Test
    fun stringsHaveTextsBytesAndFixedLengths() {
        val fixed = Tensors.denseString(longArrayOf(2), 4, ' '.code) { it.put(arrayOf("de", "fr")) }
        assertEquals(8L, fixed.numBytes())
        val any = Tensors.denseString(longArrayOf(2)) { it.putBytes(byteArrayOf(-1), 0); it.put("日本", 1) }.stringData()
        assertArrayEquals(byteArrayOf(-1), any.getBytes(0))
        assertEquals(6, any.getBytes(1).size)
        val texts = Array(2) { "" }
        fixed.stringData().copyTo(texts)
        assertEquals(listOf("de", "fr"), texts.toList())
    }

    @Test
    fun nestedArraysGoBothWays() {
        val rows = Array(2) { i -> FloatArray(3) { j -> (10 * i + j).toFloat() } }
        val tensor: Tensor<Float> = Tensors.ofNested(rows)
        assertEquals(12f, tensor.floatData()[1, 2])
        assertTrue(rows contentDeepEquals tensor.toNested(Array<FloatArray>::class.java))
        assertEquals(tensor.floatData(), (Tensors.ofNested(rows as Any)).floatData())
        val outer: Array<out FloatArray> = rows
        assertEquals(tensor.floatData(), Tensors.ofNested(outer).floatData())
        val texts: Tensor<String> = Tensors.ofNested(arrayOf(arrayOf("a", "b"), arrayOf("c", "d")))
        assertEquals("d", texts.stringData()[1, 1])
        val bytes: Tensor<UInt8> = Tensors.ofNested(arrayOf(byteArrayOf(-1)))
        assertEquals(255, bytes.uInt8Data().getUnsigned(0, 0))
        val ragged: RaggedTensor<Int> = Tensors.raggedOfNested(arrayOf(intArrayOf(1), intArrayOf()))
        assertEquals(1L, ragged.numElements())
    }

    private class Grid(val cells: Array<FloatArray>) : AbstractFloatTensorData(cells.size.toLong(), cells[0].size.toLong()) {
        override fun getAt(indices: LongArray) = cells[indices[0].toInt()][indices[1].toInt()]
        override fun putAt(value: Float, indices: LongArray) {
            cells[indices[0].toInt()][indices[1].toInt()] = value
        }
    }

    private class Names : AbstractStringTensorData(2, 2) {
        override fun getAt(indices: LongArray) = indices.joinToString("/")
    }

    @Test
    fun dataOfOnesOwnWorksWhereverDataIsTaken() {
        val grid = Grid(arrayOf(FloatArray(2), FloatArray(2)))
        grid.put(3f, 1, 0)
        grid.slice(all(), at(1)).put(floatArrayOf(4f, 5f))
        assertEquals(FloatTensorData.of(floatArrayOf(0f, 4f, 3f, 5f), 2, 2), grid)
        assertTrue(!grid.isReadOnly && Names().isReadOnly)
        assertThrows(ReadOnlyBufferException::class.java) { Names().put("a", 0, 0) }
        assertEquals("1/0", Tensors.create(Names()).stringData()[1, 0])
        val identity = object : AbstractDoubleTensorData(2, 2) {
            override fun getAt(indices: LongArray) = if (indices[0] == indices[1]) 1.0 else 0.0
        }
        assertEquals(2.0, identity.stream().sum())
    }

    private fun <D : TensorData<D>> last(data: D): D = data.slice(at(-1))
    private fun <T : Any> bytesOf(tensor: AnyTensor<T>) = tensor.numBytes()

    @Test
    fun functionsOverAllTypesAndInitialisersOfAnyKind() {
        assertEquals("INT32[2] [2, 3]", last(counting(2, 2)).toString())
        fun fill(data: FloatTensorData) = data.put(3f)
        val any: Consumer<Any> = Consumer { }
        val function: (FloatTensorData) -> Unit = { it.put(3f) }
        val scalar = longArrayOf()
        val made: List<Tensor<Float>> = listOf(
            Tensors.denseFloat(scalar, ::fill), Tensors.denseFloat(scalar, function), Tensors.denseFloat(scalar, any))
        assertEquals(listOf(3f, 3f, 0f), made.map { it.floatData().get() })
        assertEquals(4L, bytesOf(made[0]))
        val numbers: Tensor<out Number> = made[0]
        assertEquals(DataType.FLOAT, numbers.dataType())
    }

    @Test
    fun equalityHashesAndTexts() {
        val data = counting(2, 2)
        assertTrue(data == counting(2, 2) && data != counting(4) && setOf(data, counting(2, 2)).size == 1)
        assertEquals("INT32[2, 2]\n[[0, 1],\n [2, 3]]", "$data")
        assertNotEquals(data, null)
    }

    @Test
    fun filesAndBuffers() {
        val out = ByteArrayOutputStream()
        counting(2, 2).writeTo(out)
        val again = Tensors.denseInt(longArrayOf(2, 2)) { it.readFrom(ByteArrayInputStream(out.toByteArray())) }
        assertEquals(counting(2, 2), again.intData())
        val bytes: ByteBuffer = again.asByteBuffer()
        assertEquals(3, bytes.getInt(12))
    }

    @Test
    fun useClosesAndExceptionsAreJavas() {
        val kept = Tensors.denseFloat(longArrayOf(2)) {}.use { it.floatData() }
        val closed = assertThrows(TensorClosedException::class.java) { kept[0] }
        assertEquals("the FLOAT tensor of shape [2] is closed", closed.message)
        val thrown = assertThrows(IllegalStateException::class.java) { Tensors.denseFloat(longArrayOf(2)) { error("mine") } }
        assertEquals("mine", thrown.message)
        assertThrows(IndexOutOfBoundsException::class.java) { counting(2, 2)[0] }
    }
}
