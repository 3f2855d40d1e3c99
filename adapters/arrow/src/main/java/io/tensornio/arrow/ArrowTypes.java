package io.tensornio.arrow;

import io.tensornio.DataType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** The element types that both sides have. Types that this library does not know, by their names here, are refused. */
final class ArrowTypes {
    private static final Map<String, ArrowType> ALL = new LinkedHashMap<>();

    static {
        ALL.put("FLOAT", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE));
        ALL.put("DOUBLE", new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE));
        ALL.put("FLOAT16", new ArrowType.FloatingPoint(FloatingPointPrecision.HALF));
        ALL.put("INT8", new ArrowType.Int(8, true));
        ALL.put("INT16", new ArrowType.Int(16, true));
        ALL.put("INT32", new ArrowType.Int(32, true));
        ALL.put("INT64", new ArrowType.Int(64, true));
        ALL.put("UINT8", new ArrowType.Int(8, false));
        ALL.put("UINT16", new ArrowType.Int(16, false));
        ALL.put("UINT32", new ArrowType.Int(32, false));
        ALL.put("UINT64", new ArrowType.Int(64, false));
        ALL.put("BOOL", ArrowType.Bool.INSTANCE);
    }

    private ArrowTypes() {
    }

    /** The type of numbers or booleans as this library has it; null if it has not. */
    static DataType of(ArrowType type) {
        for (DataType one : DataType.values()) {
            if (type.equals(ALL.get(one.name()))) {
                return one;
            }
        }
        return null;
    }

    /**
     * The type for Arrow.
     *
     * @throws IllegalArgumentException if it has none
     */
    static ArrowType of(DataType type) {
        if (type == DataType.STRING) {
            return ArrowType.LargeUtf8.INSTANCE;
        }
        ArrowType found = ALL.get(type.name());
        if (found == null) {
            throw new IllegalArgumentException("Arrow has no elements of type " + type);
        }
        return found;
    }

    /** What can be read, for messages. */
    static String all() {
        return "numbers and booleans (" + String.join(", ", (Iterable<String>) Arrays.stream(DataType.values()).map(Enum::name)
            .filter(ALL::containsKey)::iterator) + "), utf8, and lists of them";
    }
}
