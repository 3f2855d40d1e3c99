/**
 * Values other than plain tensors: lists, dictionaries and optional values of tensors, and ONNX's operations on sequences.
 *
 * <p>{@link io.tensornio.value.Value} is the type of a model's named inputs and outputs; {@link io.tensornio.value.Sequences} holds sequences that
 * change, by variable name; {@link io.tensornio.value.SequenceOps} has ONNX's operators on sequences.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.value;
