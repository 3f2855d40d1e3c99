/**
 * Comprehensions below their API: programs by text, their plans in native code, and runs on data in place. Parsing,
 * inference and execution are native.
 */
package io.tensornio.internal.compute;
