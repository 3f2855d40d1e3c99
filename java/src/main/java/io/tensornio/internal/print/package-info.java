/**
 * Tensors as strings: {@code TensorPrinter} lays out the texts of elements from {@code ElementText} and its subclasses;
 * {@code RaggedPrinter} does so for ragged data.
 */
package io.tensornio.internal.print;
