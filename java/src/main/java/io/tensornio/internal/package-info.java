/**
 * What is behind {@link io.tensornio}: native memory, the native library, the implementations. Not for users: it may change in any
 * release.
 */
package io.tensornio.internal;
