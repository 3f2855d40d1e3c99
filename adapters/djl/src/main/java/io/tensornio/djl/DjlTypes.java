package io.tensornio.djl;

import ai.djl.ndarray.types.DataType;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The element types that both sides have. */
final class DjlTypes {
    private static final Map<io.tensornio.DataType, DataType> TO_DJL = new EnumMap<>(io.tensornio.DataType.class);
    private static final Map<DataType, io.tensornio.DataType> FROM_DJL = new EnumMap<>(DataType.class);

    /** What DJL takes from Java. At the other types its engine for PyTorch ends the JVM, instead of throwing an error. */
    private static final Set<io.tensornio.DataType> TAKEN = EnumSet.of(io.tensornio.DataType.FLOAT, io.tensornio.DataType.DOUBLE,
        io.tensornio.DataType.FLOAT16, io.tensornio.DataType.UINT8, io.tensornio.DataType.INT8, io.tensornio.DataType.INT32,
        io.tensornio.DataType.INT64, io.tensornio.DataType.BOOL, io.tensornio.DataType.STRING);

    static {
        for (io.tensornio.DataType type : io.tensornio.DataType.values()) {
            put(type, type.name());
        }
        put(io.tensornio.DataType.FLOAT, "FLOAT32");
        put(io.tensornio.DataType.DOUBLE, "FLOAT64");
        put(io.tensornio.DataType.BOOL, "BOOLEAN");
    }

    private DjlTypes() {
    }

    private static void put(io.tensornio.DataType type, String name) {
        for (DataType other : DataType.values()) {
            if (other.name().equals(name)) {
                TO_DJL.put(type, other);
                FROM_DJL.put(other, type);
            }
        }
    }

    /**
     * The type of elements.
     *
     * @throws IllegalArgumentException if it is not one of both sides
     */
    static io.tensornio.DataType of(DataType type) {
        io.tensornio.DataType found = FROM_DJL.get(type);
        if (found == null) {
            throw new IllegalArgumentException("an NDArray of " + type.name() + " cannot be a tensor; those of " + FROM_DJL.keySet() + " can");
        }
        return found;
    }

    /**
     * The type for DJL.
     *
     * @throws IllegalArgumentException if it is none that DJL takes
     */
    static DataType of(io.tensornio.DataType type) {
        if (!TAKEN.contains(type)) {
            throw new IllegalArgumentException("DJL takes no elements of type " + type + ", but those of " + TAKEN
                + ": Tensors.convert makes a tensor of one of these");
        }
        return TO_DJL.get(type);
    }
}
