package io.tensornio.onnx.engine;

import io.tensornio.BooleanTensorData;
import io.tensornio.ByteTensorData;
import io.tensornio.DataType;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.StringTensorData;
import io.tensornio.TensorData;
import java.util.List;

/** Elements of any type as arrays, and arrays as data. */
final class Data {
    private Data() {
    }

    /** Integers or truth values, in row-major order. */
    static long[] longs(TensorData<?> data) {
        int size = Shapes.intSize(data.shape());
        long[] result = new long[size];
        switch (data.dataType()) {
            case INT64:
            case UINT32:
            case UINT64:
                ((LongTensorData) data).copyTo(result);
                break;
            case INT8:
            case INT16:
            case UINT16:
            case INT32: {
                int[] values = new int[size];
                ((IntTensorData) data).copyTo(values);
                for (int n = 0; n < size; n++) {
                    result[n] = values[n];
                }
                break;
            }
            case UINT8: {
                byte[] values = new byte[size];
                ((ByteTensorData) data).copyTo(values);
                for (int n = 0; n < size; n++) {
                    result[n] = values[n] & 0xff;
                }
                break;
            }
            case BOOL: {
                boolean[] values = new boolean[size];
                ((BooleanTensorData) data).copyTo(values);
                for (int n = 0; n < size; n++) {
                    result[n] = values[n] ? 1 : 0;
                }
                break;
            }
            default:
                throw new IllegalArgumentException("integers are expected, not " + data.dataType());
        }
        return result;
    }

    /** Numbers, in row-major order. */
    static double[] doubles(TensorData<?> data) {
        int size = Shapes.intSize(data.shape());
        double[] result = new double[size];
        switch (data.dataType()) {
            case DOUBLE:
                ((DoubleTensorData) data).copyTo(result);
                break;
            case FLOAT16:
            case BFLOAT16:
            case FLOAT: {
                float[] values = new float[size];
                ((FloatTensorData) data).copyTo(values);
                for (int n = 0; n < size; n++) {
                    result[n] = values[n];
                }
                break;
            }
            case STRING:
                throw new IllegalArgumentException("numbers are expected, not strings");
            default: {
                long[] values = longs(data);
                for (int n = 0; n < size; n++) {
                    result[n] = values[n];
                }
            }
        }
        return result;
    }

    static String[] strings(TensorData<?> data) {
        if (data.dataType() != DataType.STRING) {
            throw new IllegalArgumentException("strings are expected, not " + data.dataType());
        }
        String[] result = new String[Shapes.intSize(data.shape())];
        ((StringTensorData) data).copyTo(result);
        return result;
    }

    static TensorData<?> ofLongs(DataType type, long[] values, long... shape) {
        switch (type) {
            case INT64:
                return LongTensorData.of(values, shape);
            case INT32: {
                int[] narrow = new int[values.length];
                for (int n = 0; n < narrow.length; n++) {
                    narrow[n] = (int) values[n];
                }
                return IntTensorData.of(narrow, shape);
            }
            case UINT8: {
                byte[] narrow = new byte[values.length];
                for (int n = 0; n < narrow.length; n++) {
                    narrow[n] = (byte) values[n];
                }
                return ByteTensorData.of(narrow, shape);
            }
            case BOOL: {
                boolean[] narrow = new boolean[values.length];
                for (int n = 0; n < narrow.length; n++) {
                    narrow[n] = values[n] != 0;
                }
                return BooleanTensorData.of(narrow, shape);
            }
            case INT8: {
                byte[] narrow = new byte[values.length];
                for (int n = 0; n < narrow.length; n++) {
                    narrow[n] = (byte) values[n];
                }
                return IntTensorData.ofInt8(narrow).reshape(shape);
            }
            case INT16:
            case UINT16: {
                short[] narrow = new short[values.length];
                for (int n = 0; n < narrow.length; n++) {
                    narrow[n] = (short) values[n];
                }
                return (type == DataType.INT16 ? IntTensorData.ofInt16(narrow) : IntTensorData.ofUInt16(narrow)).reshape(shape);
            }
            case UINT32: {
                int[] narrow = new int[values.length];
                for (int n = 0; n < narrow.length; n++) {
                    narrow[n] = (int) values[n];
                }
                return LongTensorData.ofUInt32(narrow).reshape(shape);
            }
            case UINT64:
                return LongTensorData.ofUInt64(values).reshape(shape);
            default: {
                double[] wide = new double[values.length];
                for (int n = 0; n < wide.length; n++) {
                    wide[n] = values[n];
                }
                return ofDoubles(type, wide, shape);
            }
        }
    }

    /** Numbers of any type: integers are truncated. */
    static TensorData<?> ofDoubles(DataType type, double[] values, long... shape) {
        switch (type) {
            case DOUBLE:
                return DoubleTensorData.of(values, shape);
            case FLOAT: {
                float[] narrow = new float[values.length];
                for (int n = 0; n < narrow.length; n++) {
                    narrow[n] = (float) values[n];
                }
                return FloatTensorData.of(narrow, shape);
            }
            case FLOAT16:
            case BFLOAT16: {
                short[] narrow = new short[values.length];
                FloatTensorData data = type == DataType.FLOAT16 ? FloatTensorData.ofFloat16(narrow) : FloatTensorData.ofBFloat16(narrow);
                data.put((FloatTensorData) ofDoubles(DataType.FLOAT, values, values.length));
                return data.reshape(shape);
            }
            case STRING:
                throw new IllegalArgumentException("strings are no numbers");
            default: {
                long[] whole = new long[values.length];
                for (int n = 0; n < whole.length; n++) {
                    whole[n] = (long) values[n];
                }
                return ofLongs(type, whole, shape);
            }
        }
    }

    static TensorData<?> ofStrings(String[] values, long... shape) {
        return StringTensorData.of(values, shape);
    }

    /** Nothing, of a type. */
    static TensorData<?> empty(DataType type, long... shape) {
        return type == DataType.STRING ? ofStrings(new String[0], shape) : ofLongs(type, new long[0], shape);
    }

    /** One value everywhere: a view. Integers are given by `whole`, floats by `value`. */
    static TensorData<?> constant(DataType type, double value, long whole, long... shape) {
        TensorData<?> one = type.isFloat() ? ofDoubles(type, new double[] {value}, Shapes.SCALAR) : ofLongs(type, new long[] {whole}, Shapes.SCALAR);
        return one.broadcastTo(shape);
    }

    /** The value of each type that makes a sum: 0, false or "". */
    static TensorData<?> zeros(DataType type, long... shape) {
        return type == DataType.STRING ? StringTensorData.constant("", shape) : constant(type, 0, 0, shape);
    }

    /** Parts side by side along an axis, or along a new one: a view. */
    static TensorData<?> joined(int axis, boolean isNew, List<TensorData<?>> parts) {
        DataType type = parts.get(0).dataType();
        for (TensorData<?> part : parts) {
            if (part.dataType() != type) {
                throw new IllegalArgumentException("parts of the types " + type + " and " + part.dataType() + " cannot be put together");
            }
        }
        if (parts.size() == 1) {
            return isNew ? parts.get(0).expandDims(axis) : parts.get(0);
        }
        switch (type) {
            case FLOAT16:
            case BFLOAT16:
            case FLOAT: {
                FloatTensorData[] all = parts.toArray(new FloatTensorData[0]);
                return isNew ? FloatTensorData.stack(axis, all) : FloatTensorData.concat(axis, all);
            }
            case DOUBLE: {
                DoubleTensorData[] all = parts.toArray(new DoubleTensorData[0]);
                return isNew ? DoubleTensorData.stack(axis, all) : DoubleTensorData.concat(axis, all);
            }
            case INT8:
            case INT16:
            case UINT16:
            case INT32: {
                IntTensorData[] all = parts.toArray(new IntTensorData[0]);
                return isNew ? IntTensorData.stack(axis, all) : IntTensorData.concat(axis, all);
            }
            case UINT32:
            case UINT64:
            case INT64: {
                LongTensorData[] all = parts.toArray(new LongTensorData[0]);
                return isNew ? LongTensorData.stack(axis, all) : LongTensorData.concat(axis, all);
            }
            case UINT8: {
                ByteTensorData[] all = parts.toArray(new ByteTensorData[0]);
                return isNew ? ByteTensorData.stack(axis, all) : ByteTensorData.concat(axis, all);
            }
            case BOOL: {
                BooleanTensorData[] all = parts.toArray(new BooleanTensorData[0]);
                return isNew ? BooleanTensorData.stack(axis, all) : BooleanTensorData.concat(axis, all);
            }
            default: {
                StringTensorData[] all = parts.toArray(new StringTensorData[0]);
                return isNew ? StringTensorData.stack(axis, all) : StringTensorData.concat(axis, all);
            }
        }
    }

    /** Elements by their positions in row-major order, of any type; a position of -1 gives 0. The text is native for numbers. */
    static TensorData<?> picked(TensorData<?> data, long[] positions, long... shape) {
        if (data.dataType() == DataType.STRING) {
            String[] from = strings(data);
            String[] to = new String[positions.length];
            for (int n = 0; n < to.length; n++) {
                to[n] = positions[n] < 0 ? "" : from[(int) positions[n]];
            }
            return ofStrings(to, shape);
        }
        if (data.dataType().isFloat()) {
            double[] from = doubles(data);
            double[] to = new double[positions.length];
            for (int n = 0; n < to.length; n++) {
                to[n] = positions[n] < 0 ? 0 : from[(int) positions[n]];
            }
            return ofDoubles(data.dataType(), to, shape);
        }
        long[] from = longs(data);
        long[] to = new long[positions.length];
        for (int n = 0; n < to.length; n++) {
            to[n] = positions[n] < 0 ? 0 : from[(int) positions[n]];
        }
        return ofLongs(data.dataType(), to, shape);
    }
}
