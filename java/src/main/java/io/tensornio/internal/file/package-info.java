/**
 * Files: {@link io.tensornio.internal.file.AtomicFile} writes one so that it is there as a whole, or as it was before.
 */
package io.tensornio.internal.file;
