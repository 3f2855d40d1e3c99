/**
 * Files of tensors: {@link io.tensornio.internal.file.AtomicFile} writes one so that it is there as a whole, or as it was before;
 * {@link io.tensornio.internal.file.NpyFile} has NumPy's arrays.
 */
package io.tensornio.internal.file;
