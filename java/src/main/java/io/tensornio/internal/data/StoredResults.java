package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.RaggedTensor;
import io.tensornio.SparseTensor;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.internal.memory.Block;
import io.tensornio.internal.ragged.RaggedParts;
import io.tensornio.internal.ragged.RaggedShapes;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Makes ragged and sparse tensors of what native code has computed. */
public final class StoredResults {
    /** Writes elements to native memory. */
    @FunctionalInterface
    public interface Filling {
        /**
         * Writes all elements.
         *
         * @param root a direct buffer
         * @param byteOffset where they begin in it
         */
        void fill(ByteBuffer root, long byteOffset);
    }

    private StoredResults() {
    }

    /** A ragged tensor of so many values; {@code splits} has the row splits of each ragged axis. */
    public static RaggedTensor<?> ragged(DataType type, long[] shape, long count, long[][] splits, Filling filling) {
        int last = RaggedShapes.last(shape);
        long[] sizes = Arrays.copyOfRange(shape, last, shape.length);
        long inner = 1;
        for (int d = 1; d < sizes.length; d++) {
            inner *= sizes[d];
        }
        long[] ends = splits[last];
        sizes[0] = ends[ends.length - 1];
        if (sizes[0] * inner != count) {
            throw new IllegalStateException(count + " values of " + sizes[0] + " rows");
        }
        try (WritableTensor values = WritableTensor.unexposed(type, sizes)) {
            filling.fill(values.root(), values.byteOffset());
            try (Tensor<?> published = values.publish()) {
                return ragged(AnyData.carrier(type), AnyData.of(published), shape, sizes, splits);
            }
        }
    }

    @SuppressWarnings("unchecked")          // the carrier is that of the data
    private static <D extends TensorData<D>, A> RaggedTensor<?> ragged(PrimitiveCarrier<?, ?> of, TensorData<?> values, long[] shape, long[] sizes,
            long[]... splits) {
        PrimitiveCarrier<D, A> carrier = (PrimitiveCarrier<D, A>) of;
        RaggedParts parts = RaggedTensors.parts(carrier, shape.clone(), carrier.share((D) values, sizes), splits);
        return TensorPublisher.ragged(parts);
    }

    /** A sparse tensor of so many points. */
    public static SparseTensor<?> sparse(DataType type, long[] shape, long count, Filling coordinates, Filling values) {
        if (count > Integer.MAX_VALUE) {
            throw new OutOfMemoryError("a sparse tensor of " + count + " points; there can be at most " + Integer.MAX_VALUE);
        }
        return sparse(AnyData.carrier(type), shape, (int) count, coordinates, values);
    }

    private static <D extends TensorData<D>, A> SparseTensor<?> sparse(PrimitiveCarrier<D, A> carrier, long[] shape, int count, Filling coordinates,
            Filling values) {
        return TensorPublisher.sparse(carrier, SparseTensors.make(carrier, shape.clone(), count, (indices, stored) -> {
            fill(indices, coordinates);
            fill(stored, values);
            return count;
        }));
    }

    private static void fill(Block block, Filling filling) {
        filling.fill(block.storage.root(), block.storage.byteOffset());
    }
}
