/**
 * What neural networks are made of: {@link io.tensornio.op.nn.NnOps}, and the results of its operations.
 *
 * <p>What {@link io.tensornio.op} says holds here, too.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.op.nn;
