package io.tensornio.spark;

import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.SQLUserDefinedType;

/** An array of a row as Spark has it in memory: a copy, since Spark uses a row's memory again for the next. Elements of it are read without boxes. */
@SQLUserDefinedType(udt = RawArrayType.class)
public final class RawArray {
    final ArrayData data;

    RawArray(ArrayData data) {
        this.data = data;
    }
}
