/**
 * Memory shared with other libraries without a copy: {@link io.tensornio.interop.Pin} lends them a tensor's,
 * {@link io.tensornio.interop.Foreign} makes tensors of theirs.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.interop;
