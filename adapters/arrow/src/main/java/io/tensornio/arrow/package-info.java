/** Vectors of Apache Arrow as tensors, and tensors as vectors. */
package io.tensornio.arrow;
