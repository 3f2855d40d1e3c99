/**
 * Eager operations below their API: the program of each, made from a template for the ranks of its operands and kept, and the scope that closes what
 * they make.
 */
package io.tensornio.internal.op;
