package io.tensornio.spark;

import io.tensornio.BooleanTensorData;
import io.tensornio.ByteTensorData;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.StringTensorData;
import io.tensornio.TensorData;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** The elements of columns: Spark's type, the type of a tensor that has the same elements, and Java arrays between the two. */
enum Element {
    FLOAT(DataTypes.FloatType, DataType.FLOAT, float[].class, ArrayData::toFloatArray, (array, shape) -> FloatTensorData.of((float[]) array, shape)),
    DOUBLE(DataTypes.DoubleType, DataType.DOUBLE, double[].class, ArrayData::toDoubleArray,
        (array, shape) -> DoubleTensorData.of((double[]) array, shape)),
    LONG(DataTypes.LongType, DataType.INT64, long[].class, ArrayData::toLongArray, (array, shape) -> LongTensorData.of((long[]) array, shape)),
    INT(DataTypes.IntegerType, DataType.INT32, int[].class, ArrayData::toIntArray, (array, shape) -> IntTensorData.of((int[]) array, shape)),
    SHORT(DataTypes.ShortType, DataType.INT16, short[].class, ArrayData::toShortArray,
        (array, shape) -> IntTensorData.ofInt16((short[]) array, shape)),
    BYTE(DataTypes.ByteType, DataType.INT8, byte[].class, ArrayData::toByteArray, (array, shape) -> IntTensorData.ofInt8((byte[]) array, shape)),
    BOOLEAN(DataTypes.BooleanType, DataType.BOOL, boolean[].class, ArrayData::toBooleanArray,
        (array, shape) -> BooleanTensorData.of((boolean[]) array, shape)),
    STRING(DataTypes.StringType, DataType.STRING, String[].class, null, (array, shape) -> StringTensorData.of((String[]) array, shape)),
    /** A byte of a BINARY, which is a row of them. */
    OCTET(DataTypes.BinaryType, DataType.UINT8, byte[].class, null, (array, shape) -> ByteTensorData.of((byte[]) array, shape));

    final org.apache.spark.sql.types.DataType sparkType;
    final DataType dataType;
    private final Class<?> arrayClass;
    private final @Nullable Function<ArrayData, Object> reader;
    private final BiFunction<Object, long[], TensorData<?>> wrapper;

    Element(org.apache.spark.sql.types.DataType sparkType, DataType dataType, Class<?> arrayClass, @Nullable Function<ArrayData, Object> reader,
        BiFunction<Object, long[], TensorData<?>> wrapper) {
        this.sparkType = sparkType;
        this.dataType = dataType;
        this.arrayClass = arrayClass;
        this.reader = reader;
        this.wrapper = wrapper;
    }

    /** The elements of a type of Spark that is no array; null if tensors have none such. */
    static @Nullable Element of(org.apache.spark.sql.types.DataType type) {
        for (Element element : values()) {
            // StringType is a class in Spark 4, of which each collation is an instance.
            if (element.sparkType.equals(type) || element == STRING && type instanceof org.apache.spark.sql.types.StringType) {
                return element;
            }
        }
        return null;
    }

    /** The elements that a tensor's have in a column; null if no column has them. */
    static @Nullable Element of(DataType type) {
        switch (type) {
            case FLOAT16:
            case BFLOAT16:
                return FLOAT;
            case UINT16:
                return INT;
            case UINT32:
                return LONG;
            default:
                for (Element element : values()) {
                    if (element.dataType == type) {
                        return element;
                    }
                }
                return null;
        }
    }

    /** Whether Spark has arrays of them in memory as primitives. */
    boolean isPrimitive() {
        return reader != null;
    }

    Object array(int length) {
        return java.lang.reflect.Array.newInstance(arrayClass.getComponentType(), length);
    }

    /** A copy of the elements of an array without nulls, as an array of Java. */
    Object read(ArrayData data) {
        return reader.apply(data);
    }

    /** An array of Java as data, without a copy. */
    TensorData<?> wrap(Object array, long... shape) {
        return wrapper.apply(array, shape);
    }

    /** All elements of data, whose type becomes this one, as an array of Java. */
    Object values(TensorData<?> data) {
        Object array = array(Math.toIntExact(data.totalSize()));
        TensorData<?> target = wrap(array, data.shape());
        switch (this) {
            case FLOAT:
                ((FloatTensorData) target).put((FloatTensorData) data);
                break;
            case DOUBLE:
                ((DoubleTensorData) target).put((DoubleTensorData) data);
                break;
            case LONG:
                ((LongTensorData) target).put((LongTensorData) data);
                break;
            case BOOLEAN:
                ((BooleanTensorData) target).put((BooleanTensorData) data);
                break;
            case STRING:
                ((StringTensorData) target).put((StringTensorData) data);
                break;
            case OCTET:
                ((ByteTensorData) target).put((ByteTensorData) data);
                break;
            default:
                ((IntTensorData) target).put((IntTensorData) data);
                break;
        }
        return array;
    }
}
