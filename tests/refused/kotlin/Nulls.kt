package io.tensornio.users

import io.tensornio.DataType
import io.tensornio.FloatTensorData
import io.tensornio.StringTensorData
import io.tensornio.TensorIndex
import io.tensornio.Tensors

/** No parameter may be null: Kotlin refuses the lines that say so, and no other. */
fun nulls(data: FloatTensorData, texts: StringTensorData, shape: LongArray?, values: FloatArray?, text: String?, index: TensorIndex?) {
    Tensors.denseFloat(longArrayOf(2)) { it.put(1f, 0) }
    Tensors.denseFloat(shape) { it.put(1f, 0) }                 // refused
    Tensors.denseFloat(longArrayOf(2), null)                    // refused
    data.copyTo(floatArrayOf(0f))
    data.copyTo(values)                                         // refused
    texts.put("", 0)
    texts.put(text, 0)                                          // refused
    texts.scalars().onEach { "" }
    texts.scalars().onEach { text }                             // refused
    data.slice(TensorIndex.all())
    data.slice(index)                                           // refused
}

/** No result is null, so no implementation may give one. */
abstract class Own(private val shape: LongArray?, private val type: DataType?) : FloatTensorData {
    override fun shape(): LongArray? = shape                    // refused
    override fun dataType(): DataType? = type                   // refused
    override fun rank(): Int = 1
}
