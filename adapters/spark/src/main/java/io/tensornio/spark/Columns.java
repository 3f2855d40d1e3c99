package io.tensornio.spark;

import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Columns as they are read, and arrays of them as they are written. */
final class Columns {
    private Columns() {
    }

    /** What the elements of an array are, however deep; null if Spark does not have them in memory as primitives. */
    static Element primitive(DataType type) {
        DataType inner = type;
        while (inner instanceof ArrayType) {
            inner = ((ArrayType) inner).elementType();
        }
        Element element = inner == type ? null : Element.of(inner);
        return element != null && element.isPrimitive() ? element : null;
    }

    /** The schema by which rows are read: arrays of primitives come as they are in memory. */
    static StructType raw(StructType schema) {
        StructField[] fields = schema.fields().clone();
        for (int i = 0; i < fields.length; i++) {
            StructField field = fields[i];
            if (primitive(field.dataType()) != null) {
                fields[i] = new StructField(field.name(), new RawArrayType(field.dataType()), field.nullable(), field.metadata());
            }
        }
        return new StructType(fields);
    }

    static boolean hasNull(ArrayData data) {
        for (int i = 0; i < data.numElements(); i++) {
            if (data.isNullAt(i)) {
                return true;
            }
        }
        return false;
    }

    /** The array of a column as rows have it: of primitives, unless it has nulls. */
    static Object external(RawArray array, DataType elementType, Element element) {
        Object primitives = elementType instanceof ArrayType ? null : array.primitives(element);
        return primitives != null ? primitives : external(array.data, elementType, element);
    }

    private static Object external(ArrayData data, DataType elementType, Element element) {
        if (!(elementType instanceof ArrayType)) {
            return hasNull(data) ? boxed(data, element) : element.read(data);
        }
        Object[] rows = new Object[data.numElements()];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = data.isNullAt(i) ? null : external(data.getArray(i), ((ArrayType) elementType).elementType(), element);
        }
        return rows;
    }

    private static Object[] boxed(ArrayData data, Element element) {
        Object values = element.read(data);
        Object[] boxed = new Object[data.numElements()];
        for (int i = 0; i < boxed.length; i++) {
            boxed[i] = data.isNullAt(i) ? null : java.lang.reflect.Array.get(values, i);
        }
        return boxed;
    }
}
