/**
 * Comprehensions below their API: programs by their text, the plans that native code has of them, and runs on data in place. Everything that thinks
 * is native.
 */
package io.tensornio.internal.compute;
