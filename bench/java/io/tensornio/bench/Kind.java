package io.tensornio.bench;

import static io.tensornio.TensorIndex.incl;
import static io.tensornio.TensorIndex.take;

import io.tensornio.FloatTensorData;
import io.tensornio.IntTensorData;
import io.tensornio.TensorIndex;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.stream.IntStream;

/** Whose memory data is in, and how it finds an element there. */
public enum Kind {
    /** A tensor. */
    TENSOR {
        @Override
        Matrix matrix(int rows, int columns) {
            OpenTensor tensor = new OpenTensor(rows, columns);
            return new Matrix(tensor.data, tensor.buffer::get);
        }
    },
    /** Every second column of a tensor. */
    STEP2 {
        @Override
        Matrix matrix(int rows, int columns) {
            OpenTensor tensor = TensorLoops.every2nd(rows, columns);
            return new Matrix(tensor.data, p -> tensor.buffer.get(2 * p));
        }
    },
    /** A user's array. */
    ARRAY {
        @Override
        Matrix matrix(int rows, int columns) {
            float[] values = filled(rows * columns);
            return new Matrix(FloatTensorData.of(values, rows, columns), p -> values[p]);
        }
    },
    /** A user's direct buffer. */
    DIRECT_BUFFER {
        @Override
        Matrix matrix(int rows, int columns) {
            return of(ByteBuffer.allocateDirect(rows * columns * Float.BYTES).order(ByteOrder.nativeOrder()).asFloatBuffer(), rows, columns);
        }
    },
    /** A user's buffer over an array. */
    HEAP_BUFFER {
        @Override
        Matrix matrix(int rows, int columns) {
            return of(FloatBuffer.allocate(rows * columns), rows, columns);
        }
    },
    /** A user's buffer in the order that is not the processor's. */
    SWAPPED_BUFFER {
        @Override
        Matrix matrix(int rows, int columns) {
            ByteOrder swapped = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
            return of(ByteBuffer.allocateDirect(rows * columns * Float.BYTES).order(swapped).asFloatBuffer(), rows, columns);
        }
    },
    /** Rows of a tensor in an order of their own, by positions in data. */
    TAKEN {
        @Override
        Matrix matrix(int rows, int columns) {
            return selected(rows, columns, take(IntTensorData.of(order(rows).toArray(), rows)));
        }
    },
    /** The same by positions in an array. */
    INCLUDED {
        @Override
        Matrix matrix(int rows, int columns) {
            return selected(rows, columns, incl(order(rows).asLongStream().toArray()));
        }
    };

    /** How far the rows of a selection are apart in memory; no number of rows here is a multiple. */
    private static final int STRIDE = 7;

    abstract Matrix matrix(int rows, int columns);

    private static float[] filled(int n) {
        float[] values = new float[n];
        for (int p = 0; p < n; p++) {
            values[p] = OpenTensor.value(p);
        }
        return values;
    }

    private static Matrix of(FloatBuffer buffer, int rows, int columns) {
        buffer.put(filled(rows * columns));
        buffer.rewind();
        return new Matrix(FloatTensorData.of(buffer, rows, columns), buffer::get);
    }

    private static IntStream order(int rows) {
        return IntStream.range(0, rows).map(i -> i * STRIDE % rows);
    }

    private static Matrix selected(int rows, int columns, TensorIndex index) {
        OpenTensor tensor = new OpenTensor(rows, columns);
        return new Matrix(tensor.data.slice(index), p -> tensor.buffer.get(p / columns * STRIDE % rows * columns + p % columns));
    }

    /** Data, and the same elements read past it. */
    static final class Matrix {
        final FloatTensorData data;
        final Loops.Contents contents;

        Matrix(FloatTensorData data, Loops.Contents contents) {
            this.data = data;
            this.contents = contents;
        }
    }
}
