package io.tensornio.spark;

import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.UserDefinedType;

/**
 * Asks Spark for an array as it is in memory, by the interface through which MLlib has its vectors: a column of a type of arrays is read as this
 * type. It is for reading alone. Spark calls the constructor without arguments, and so should nobody else.
 */
public final class RawArrayType extends UserDefinedType<RawArray> {
    private static final long serialVersionUID = 1;

    /** The type of the arrays; null in what Spark makes to read them. */
    private final DataType of;

    /** For Spark. */
    public RawArrayType() {
        this(null);
    }

    RawArrayType(DataType of) {
        this.of = of;
    }

    @Override
    public DataType sqlType() {
        return of;
    }

    @Override
    public Object serialize(RawArray array) {
        return array.data;
    }

    @Override
    public RawArray deserialize(Object datum) {
        return new RawArray(((ArrayData) datum).copy());
    }

    @Override
    public Class<RawArray> userClass() {
        return RawArray.class;
    }
}
