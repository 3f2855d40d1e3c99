package io.tensornio.spark

import io.tensornio.AnyTensor
import io.tensornio.Tensors
import java.util.Collections
import org.apache.spark.sql.DataFrame

/** What docs/spark.md shows of Scala. */
object ScalaExample {
  def norms(df: DataFrame): DataFrame =
    TensorTransform.of { inputs =>
      val x = inputs.get("features").floatData
      val norms = Array.tabulate(x.size(0).toInt)(row => math.sqrt(x.slice(row).stream().map(v => v * v).sum()).toFloat)
      Collections.singletonMap[String, AnyTensor[_]]("norm", Tensors.ofNested(norms))
    }.input("features", 2L).output("norm").batchSize(512).transform(df)
}
