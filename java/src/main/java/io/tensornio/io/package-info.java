/**
 * Files of tensors that other programs write and read, and bytes that are serialised.
 *
 * <p>{@link io.tensornio.io.Npy} and {@link io.tensornio.io.Npz} have those of NumPy and scipy, {@link io.tensornio.io.Safetensors} those of that
 * name; {@link io.tensornio.io.TensorFile} is one that is open, of which tensors are read one by one. {@link io.tensornio.io.TensorBytes} takes
 * tensors and values to other JVMs.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.io;
