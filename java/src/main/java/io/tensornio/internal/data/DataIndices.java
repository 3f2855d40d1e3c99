package io.tensornio.internal.data;

import io.tensornio.BooleanTensorData;
import io.tensornio.BooleanTensorIterator;
import io.tensornio.DataType;
import io.tensornio.IntTensorData;
import io.tensornio.LongTensorData;
import io.tensornio.TensorData;
import io.tensornio.TensorIndex;
import io.tensornio.internal.layout.ArrayLength;
import io.tensornio.internal.layout.CoordinatesIndex;
import io.tensornio.internal.layout.IndexData;
import io.tensornio.internal.layout.MaskIndex;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Positions;
import io.tensornio.internal.layout.PositionsIndex;
import java.util.Arrays;
import java.util.Objects;

/** Indices that are data or made from data, as the untyped {@link IndexData} that layouts take. */
public final class DataIndices {
    private DataIndices() {
    }

    /** Checks a caller's indices for null, and copies them; data among them is read when they are applied. */
    public static TensorIndex[] checked(TensorIndex... indices) {
        TensorIndex[] own = Objects.requireNonNull(indices, "indices").clone();
        for (int n = 0; n < own.length; n++) {
            if (own[n] == null) {
                throw new NullPointerException("null among the " + own.length + " indices");
            }
            Object index = own[n] instanceof DataIndex ? ((DataIndex) own[n]).positions() : own[n];
            if (index instanceof IntTensorData || index instanceof LongTensorData) {
                own[n] = new CoordinatesIndex(new Elements((TensorData<?>) index));
            }
        }
        return own;
    }

    /**
     * An index of positions on one axis.
     *
     * @param positions INT32 or INT64 data of rank 0 or 1; negative numbers count from the end
     * @return the index
     */
    public static TensorIndex take(TensorData<?> positions) {
        return PositionsIndex.take(new Elements(Objects.requireNonNull(positions, "positions")));
    }

    /**
     * An index of the positions at which data is true.
     *
     * @param mask of rank 1, as long as the axis
     * @return the index
     */
    public static TensorIndex mask(BooleanTensorData mask) {
        return new MaskIndex(new Mask(Objects.requireNonNull(mask, "mask")));
    }

    /**
     * Checks that elements are read as what they are: of UINT64, a {@code long} is the bits.
     *
     * @throws IllegalArgumentException if the data is UINT64
     */
    static void checkSigned(TensorData<?> data) {
        if (data.dataType() == DataType.UINT64) {
            throw new IllegalArgumentException("UINT64 data as indices: a long has its bits, not its values; Tensors.convert makes it INT64");
        }
    }

    /** The elements of integers as positions. */
    static final class Elements implements IndexData {
        private final TensorData<?> data;

        Elements(TensorData<?> data) {
            checkSigned(data);
            this.data = data;
        }

        @Override
        public void checkOpen() {
            OpenCheck.check(data);
        }

        @Override
        public long[] shape() {
            return data.shape();
        }

        @Override
        public long[] positions(long n) {
            int count = Positions.count(n);
            if (data instanceof IntTensorData) {
                int[] values = new int[count];
                ((IntTensorData) data).copyTo(values);
                return Positions.longs(values);
            }
            long[] values = new long[count];
            ((LongTensorData) data).copyTo(values);
            return values;
        }
    }

    /** The positions of true elements. */
    private static final class Mask implements IndexData {
        private final BooleanTensorData data;

        Mask(BooleanTensorData data) {
            this.data = data;
        }

        @Override
        public void checkOpen() {
            OpenCheck.check(data);
        }

        @Override
        public long[] shape() {
            return data.shape();
        }

        @Override
        public long[] positions(long n) {
            long[] positions = new long[16];
            int count = 0;
            if (OwnData.isSparse(data)) {
                try (SparseEntries entries = SparseEntries.of(data)) {
                    while (entries.next()) {
                        positions = grown(positions, count, n);
                        positions[count++] = entries.number();
                    }
                }
            } else {
                BooleanTensorIterator scalars = Objects.requireNonNull(data.scalars(), "scalars() gave null");
                for (long at = 0; at < n; at++) {
                    if (scalars.get()) {
                        positions = grown(positions, count, n);
                        positions[count++] = at;
                    }
                }
            }
            return Arrays.copyOf(positions, count);
        }

        /** Grows an array so that it holds more than {@code count} elements; {@code most} is its maximum length. */
        private static long[] grown(long[] positions, int count, long most) {
            return count < positions.length ? positions
                : Arrays.copyOf(positions, (int) Math.min(most, ArrayLength.doubled(count, Positions.count(count + 1L))));
        }
    }
}
