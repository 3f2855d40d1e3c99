/**
 * Images as tensors: decoding, encoding, resizing and heat maps, by the image I/O of {@code java.desktop}. Not for Android, which has no such module.
 */
package io.tensornio.images;
