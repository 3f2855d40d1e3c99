package io.tensornio.spark;

import io.tensornio.DataType;
import java.io.Serializable;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** An output of a model that becomes a column. */
final class Output implements Serializable {
    private static final long serialVersionUID = 1;

    final String column;
    /** Its name in the model. */
    final String name;
    /** Its type; null as long as it is unknown. */
    final @Nullable DataType type;
    /** The rank of a row. */
    final int rank;

    Output(String column, String name, @Nullable DataType type, int rank) {
        this.column = column;
        this.name = name;
        this.type = type;
        this.rank = rank;
    }

    Output named(String other) {
        return new Output(column, other, type, rank);
    }

    Output of(DataType known, int knownRank) {
        return new Output(column, name, known, knownRank);
    }

    Element element() {
        Element element = Element.of(type);
        if (element == null) {
            throw new IllegalArgumentException("output " + name + " is " + type + ", which no column of Spark has: let the model convert it");
        }
        return element;
    }

    /** The type of the column: elements, arrays, or arrays of arrays. Bytes are BINARY, and a single one is a SMALLINT. */
    org.apache.spark.sql.types.DataType sparkType() {
        Element element = element();
        boolean isOctet = element == Element.OCTET;
        org.apache.spark.sql.types.DataType made = isOctet && rank == 0 ? DataTypes.ShortType : element.sparkType;
        for (int axis = isOctet ? 1 : 0; axis < rank; axis++) {
            made = DataTypes.createArrayType(made, false);
        }
        return made;
    }
}
