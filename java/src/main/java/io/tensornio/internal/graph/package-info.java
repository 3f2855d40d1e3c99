/**
 * Tensor graphs below their API: nodes and variables, the inference of dimensions, the compilation to one program, and
 * runs. All computation is done by comprehensions.
 */
package io.tensornio.internal.graph;
