/**
 * Fourier transforms: {@link io.tensornio.op.fft.FftOps}.
 *
 * <p>The conventions of {@link io.tensornio.op} apply here, too.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.op.fft;
