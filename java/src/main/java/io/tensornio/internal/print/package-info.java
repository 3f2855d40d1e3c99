/**
 * Tensors as text: {@code TensorPrinter} lays out what {@code ElementText} and its kin make of elements; {@code RaggedPrinter} is for rows.
 */
package io.tensornio.internal.print;
