/** Tensors as arrays of the Deep Java Library, and back. */
package io.tensornio.djl;
