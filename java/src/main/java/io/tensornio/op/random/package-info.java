/**
 * Random numbers: {@link io.tensornio.op.random.RandomOps}, and sequences that count on.
 *
 * <p>The conventions of {@link io.tensornio.op} apply here, too.
 */
@org.jspecify.annotations.NullMarked
package io.tensornio.op.random;
