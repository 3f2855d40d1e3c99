package io.tensornio.spark;

import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.UserDefinedType;

/** Vectors of MLlib, which need not be there. */
final class Vectors {
    private Vectors() {
    }

    static boolean isType(DataType type) {
        return type instanceof UserDefinedType && ((UserDefinedType<?>) type).userClass().getName().equals("org.apache.spark.ml.linalg.Vector");
    }

    /** The elements of a vector, those that it does not store too. */
    static double[] values(Object vector) {
        return ((Vector) vector).toArray();
    }
}
