package io.tensornio.support;

import io.tensornio.AnyTensor;
import io.tensornio.DataType;
import io.tensornio.TensorData;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/** The accessors of a tensor's data. */
public final class Accessors {
    public static final Map<DataType, Function<AnyTensor<?>, TensorData<?>>> ALL = new EnumMap<>(DataType.class);

    static {
        ALL.put(DataType.FLOAT, AnyTensor::floatData);
        ALL.put(DataType.DOUBLE, AnyTensor::doubleData);
        ALL.put(DataType.INT32, AnyTensor::intData);
        ALL.put(DataType.INT64, AnyTensor::longData);
        ALL.put(DataType.BOOL, AnyTensor::booleanData);
        ALL.put(DataType.UINT8, AnyTensor::uInt8Data);
        ALL.put(DataType.STRING, AnyTensor::stringData);
        ALL.put(DataType.FLOAT16, AnyTensor::floatData);
        ALL.put(DataType.BFLOAT16, AnyTensor::floatData);
        ALL.put(DataType.INT8, AnyTensor::intData);
        ALL.put(DataType.INT16, AnyTensor::intData);
        ALL.put(DataType.UINT16, AnyTensor::intData);
        ALL.put(DataType.UINT32, AnyTensor::longData);
        ALL.put(DataType.UINT64, AnyTensor::longData);
    }

    private Accessors() {
    }
}
