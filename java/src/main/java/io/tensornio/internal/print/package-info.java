/**
 * Tensors as strings: {@code TensorPrinter} lays out the strings that {@code ElementText} and its siblings make of elements; {@code RaggedPrinter}
 * is for rows.
 */
package io.tensornio.internal.print;
