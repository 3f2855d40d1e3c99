/**
 * Files of tensors that other programs write and read.
 *
 * <p>{@link io.tensornio.io.Npy} and {@link io.tensornio.io.Npz} have those of NumPy and scipy, {@link io.tensornio.io.Safetensors} those of that
 * name; {@link io.tensornio.io.TensorFile} is one that is open, of which tensors are read one by one.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.io;
