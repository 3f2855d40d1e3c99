package io.tensornio.spark;

import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.SQLUserDefinedType;
import org.jspecify.annotations.Nullable;

/** An array of a row as Spark has it in memory: a copy, since Spark uses a row's memory again for the next. Elements of it are read without boxes. */
@SQLUserDefinedType(udt = RawArrayType.class)
public final class RawArray {
    final ArrayData data;
    private @Nullable Object primitives;
    private boolean isRead;

    RawArray(ArrayData data) {
        this.data = data;
    }

    /** The elements as an array of Java, which nobody writes, as it is made once; null if there are nulls among them. */
    @Nullable Object primitives(Element element) {
        if (!isRead) {
            isRead = true;
            primitives = Columns.hasNull(data) ? null : element.read(data);
        }
        return primitives;
    }
}
