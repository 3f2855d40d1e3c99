/**
 * Expressions with named axes below their API: a lazy expression is a graph of nodes, each with the step that computes it; the steps of an expression
 * become the text of one comprehension, cached by the structure of the expression.
 */
package io.tensornio.internal.axes;
