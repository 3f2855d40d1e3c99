package io.tensornio.bench;

import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.take;

import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.stream.IntStream;

/** Whose memory data is in, and how it finds an element there. */
public enum Kind {
    /** A tensor. */
    TENSOR,
    /** Every second column of a tensor. */
    STEP2,
    /** A user's array. */
    ARRAY,
    /** A user's direct buffer. */
    DIRECT_BUFFER,
    /** A user's buffer over an array. */
    HEAP_BUFFER,
    /** A user's buffer in the order that is not the processor's. */
    SWAPPED_BUFFER,
    /** Rows of a tensor in an order of their own, by positions in data. */
    TAKEN,
    /** The same by positions in an array. */
    INCLUDED;

    /** How far the rows of a selection are apart in memory; no number of rows here is a multiple. */
    private static final int STRIDE = 7;

    FloatTensorData matrix(int rows, int columns) {
        int bytes = rows * columns * Float.BYTES;
        IntStream order = IntStream.range(0, rows).map(i -> i * STRIDE % rows);
        switch (this) {
            case TENSOR:
                return new OpenTensor(rows, columns).data;
            case STEP2:
                return Views.every2nd(rows, columns).data;
            case ARRAY:
                return FloatTensorData.of(FloatArrays.flat(rows * columns), rows, columns);
            case DIRECT_BUFFER:
                return over(ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder()).asFloatBuffer(), rows, columns);
            case HEAP_BUFFER:
                return over(FloatBuffer.allocate(rows * columns), rows, columns);
            case SWAPPED_BUFFER:
                ByteOrder swapped = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
                return over(ByteBuffer.allocateDirect(bytes).order(swapped).asFloatBuffer(), rows, columns);
            case TAKEN:
                return new OpenTensor(rows, columns).data.slice(take(IntTensorData.of(order.toArray(), rows)));
            default:
                return new OpenTensor(rows, columns).data.slice(incl(order.asLongStream().toArray()));
        }
    }

    private static FloatTensorData over(FloatBuffer buffer, int rows, int columns) {
        buffer.put(FloatArrays.flat(rows * columns));
        buffer.rewind();
        return FloatTensorData.of(buffer, rows, columns);
    }
}
