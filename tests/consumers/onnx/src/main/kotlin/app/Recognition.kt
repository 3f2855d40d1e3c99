package app

import io.tensornio.FloatTensorData
import io.tensornio.onnx.OnnxModel
import java.io.InputStream

/** Recognises a digit, as an app for Android does: `recognise(assets.open("digits.onnx"), pixels)`. */
fun recognise(asset: InputStream, pixels: FloatArray): Long =
    OnnxModel.load(asset).use { model ->
        model.run(mapOf("X" to FloatTensorData.of(pixels, 1, 64))).use { out -> out["label"].asTensor().longData()[0] }
    }
