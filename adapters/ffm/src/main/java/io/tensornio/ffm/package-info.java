/**
 * Tensors as memory segments of {@code java.lang.foreign}: for Java 22 and later, with native access, which
 * {@code --enable-native-access} grants.
 */
package io.tensornio.ffm;
