package io.tensornio.spark;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/** Lists in rows. */
final class Rows {
    private Rows() {
    }

    /** The items of an array of a row: a list of Java, whichever collection of Scala it is there. */
    static List<?> list(Object value) {
        if (value instanceof Object[]) {
            return Arrays.asList((Object[]) value);
        }
        Row row = RowFactory.create(value);
        return row.getList(0);
    }
}
