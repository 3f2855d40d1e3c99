/** ONNX models on the engine of this library: {@link io.tensornio.onnx.OnnxModel} loads and runs them. */
package io.tensornio.onnx;
