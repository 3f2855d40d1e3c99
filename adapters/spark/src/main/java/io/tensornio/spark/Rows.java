package io.tensornio.spark;

import io.tensornio.AnyTensor;
import io.tensornio.BooleanTensorData;
import io.tensornio.ByteTensorData;
import io.tensornio.DoubleTensorData;
import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.RaggedTensor;
import io.tensornio.StringTensorData;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/** Lists in rows, and rows of ragged tensors. */
final class Rows {
    private Rows() {
    }

    /** The items of an array of a row: a list of Java, whichever collection of Scala it is there. */
    static List<?> list(Object value) {
        if (value instanceof Object[]) {
            return Arrays.asList((Object[]) value);
        }
        Row row = RowFactory.create(value);
        return row.getList(0);
    }

    /** A ragged tensor of values, and of the lengths of its rows on each ragged axis. */
    static AnyTensor<?> ragged(Tensor<?> values, long[]... lengths) {
        TensorData<?> data = values.data();
        if (data instanceof FloatTensorData) {
            return RaggedTensor.fromRowLengths((FloatTensorData) data, lengths);
        }
        if (data instanceof DoubleTensorData) {
            return RaggedTensor.fromRowLengths((DoubleTensorData) data, lengths);
        }
        if (data instanceof IntTensorData) {
            return RaggedTensor.fromRowLengths((IntTensorData) data, lengths);
        }
        if (data instanceof LongTensorData) {
            return RaggedTensor.fromRowLengths((LongTensorData) data, lengths);
        }
        if (data instanceof ByteTensorData) {
            return RaggedTensor.fromRowLengths((ByteTensorData) data, lengths);
        }
        if (data instanceof BooleanTensorData) {
            return RaggedTensor.fromRowLengths((BooleanTensorData) data, lengths);
        }
        return RaggedTensor.fromRowLengths((StringTensorData) data, lengths);
    }
}
