package io.tensornio.op;

import io.tensornio.DataType;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;

/** The types that operations compute with, and numbers that each has. */
final class NumberTypes {
    static final List<DataType> NUMBERS = Arrays.asList(DataType.FLOAT, DataType.DOUBLE, DataType.INT32, DataType.INT64, DataType.UINT8);
    static final List<DataType> FLOATING = Arrays.asList(DataType.FLOAT, DataType.DOUBLE);

    private NumberTypes() {
    }

    static DataType pick(Random random, List<DataType> types) {
        return types.get(random.nextInt(types.size()));
    }

    /** A result of doubles as one of a type: fractions cut off, and wrapped. */
    static double narrow(DataType type, double value) {
        switch (type) {
            case FLOAT:
            case DOUBLE:
                return value;
            case UINT8:
                return (long) value & 255;
            case INT32:
                return (int) (long) value;
            default:
                return (long) value;
        }
    }

    /** Small numbers that each type has; of fractions, quarters. */
    static DoubleSupplier elements(Random random, DataType type) {
        return () -> FLOATING.contains(type) ? (random.nextInt(25) - 12) / 4.0 : type == DataType.UINT8 ? random.nextInt(5) : random.nextInt(9) - 4;
    }
}
