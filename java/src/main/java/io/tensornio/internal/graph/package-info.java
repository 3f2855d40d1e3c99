/**
 * Tensor graphs below their API: what a graph consists of, the inference of its dimensions, the one program that it becomes, and its runs. All
 * computing is done by comprehensions.
 */
package io.tensornio.internal.graph;
