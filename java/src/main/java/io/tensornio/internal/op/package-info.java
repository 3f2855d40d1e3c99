/**
 * Eager operations below their API: the cached program of each, made from a template for the ranks of its operands, and
 * the scope that closes the results.
 */
package io.tensornio.internal.op;
