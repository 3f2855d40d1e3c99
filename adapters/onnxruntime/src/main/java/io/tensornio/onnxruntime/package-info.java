/**
 * Tensors for ONNX Runtime, and back: {@link io.tensornio.onnxruntime.OrtModel} runs a model on tensors in place, and
 * {@link io.tensornio.onnxruntime.OrtTensors} makes ONNX Runtime's tensors of them for those who run it themselves.
 */
package io.tensornio.onnxruntime;
