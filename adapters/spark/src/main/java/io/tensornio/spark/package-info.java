/**
 * Models on the rows of Spark: columns of a {@code Dataset} become tensors in batches, and a model's outputs become columns.
 *
 * <p>Spark 3.5 and 4.0, of Scala 2.12 and 2.13, is provided by whoever runs it.
 */
package io.tensornio.spark;
