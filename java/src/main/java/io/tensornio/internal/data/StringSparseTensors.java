package io.tensornio.internal.data;

import io.tensornio.LongTensorData;
import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.internal.element.IntBlock;
import io.tensornio.internal.element.IntElement;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.ArrayLength;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.sparse.Sparse;
import io.tensornio.internal.sparse.SparseBuild;
import io.tensornio.internal.string.StringBlock;
import io.tensornio.internal.string.StringHeap;
import io.tensornio.internal.string.StringPacked;
import io.tensornio.internal.string.StringPadding;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;

/** Makes sparse {@code String} elements from data: their numbers are sorted with the coordinates, and then they are packed in that order. */
public final class StringSparseTensors {
    private StringSparseTensors() {
    }

    /**
     * Sparse elements from coordinates in any order; of duplicates the last is kept.
     *
     * @param indices the coordinates, (n, rank)
     * @param values the elements, (n)
     * @param denseShape the sizes
     * @return the elements, of any length, for the caller to close
     */
    public static StringSparse of(LongTensorData indices, StringTensorData values, long... denseShape) {
        Objects.requireNonNull(indices, "indices");
        Objects.requireNonNull(values, "values");
        Objects.requireNonNull(denseShape, "denseShape");
        OpenCheck.check(indices);
        OpenCheck.check(values);
        long[] shape = Shapes.checkSparse(denseShape);
        long[] indicesShape = indices.shape().clone();
        long[] valuesShape = values.shape().clone();
        Sparse.checkParts(indicesShape, valuesShape, shape);
        int n = StringPacked.checkCount(valuesShape);
        return make(shape, n, null, () -> collect(values, n), (outIndices, outNumbers) -> {
            try (StridedOperand coordinates = Copies.contiguous(LongCarrier.INT64, indices, indicesShape)) {
                return SparseBuild.run(coordinates.memory(), false, numbers(n), n,
                    shape, IntElement.BYTES, outIndices.wr, IntCarrier.INT32.buffer(outNumbers, true));
            }
        });
    }

    private static StringHeap collect(StringTensorData values, int n) {
        StringCollector all = StringCollector.of(n);
        try {
            StringCopies.copy(values, all.data());
            return all.writable();
        } catch (Throwable e) {
            all.close();
            throw e;
        }
    }

    /**
     * Sparse elements out of all, without those that are empty.
     *
     * @param data the data
     * @return the elements, of any length, for the caller to close
     */
    public static StringSparse of(StringTensorData data) {
        Objects.requireNonNull(data, "data");
        OpenCheck.check(data);
        long[] shape = Shapes.checkSparse(data.shape());
        Found found = new Found();
        if (OwnData.isSparse(data)) {
            try (SparseEntries entries = SparseEntries.of(data)) {
                while (entries.next()) {
                    found.add(StringCarrier.bytes(entries), entries.number());
                }
            }
        } else {
            long total = Shapes.product(shape);
            StringTensorIterator scalars = Objects.requireNonNull(data.scalars(), "scalars() gave null");
            for (long at = 0; at < total; at++) {
                found.add(StringElement.bytes(StringElement.next(scalars), shape, at), at);
            }
        }
        int n = found.strings.count();
        return make(shape, n, null, () -> found.strings, (outIndices, outNumbers) ->
            SparseBuild.run(found.places, true, numbers(n), n, shape, IntElement.BYTES, outIndices.wr, IntCarrier.INT32.buffer(outNumbers, true)));
    }

    /** The strings that are not empty, and where they are. */
    private static final class Found {
        final StringHeap strings = new StringHeap(0);
        long[] places = new long[16];

        void add(byte[] bytes, long at) {
            int n = strings.count();
            if (bytes.length > 0) {
                if (n == places.length) {
                    places = Arrays.copyOf(places, ArrayLength.doubled(n, n));
                }
                places[n] = at;
                strings.add(bytes);
            }
        }
    }

    /** The numbers of {@code n} strings, for {@link SparseBuild} to sort. */
    static int[] numbers(int n) {
        int[] numbers = new int[n];
        Arrays.setAll(numbers, i -> i);
        return numbers;
    }

    /**
     * Sparse elements with a capacity of {@code n}, cut to those whose numbers are written.
     *
     * @param form how strings of a fixed length are made; null for any length
     * @param strings the strings of the numbers, asked for once these are sorted
     */
    static StringSparse make(long[] shape, int n, StringPadding form, Supplier<StringHeap> strings, SparseTensors.Sorting sorting) {
        IntSparse sorted = (IntSparse) SparseTensors.make(IntCarrier.INT32, shape, n, sorting);
        StringBlock values = null;
        try {
            StringHeap ordered = strings.get().select((IntBlock) sorted.values());
            long[] own = {sorted.n};
            values = form == null ? StringPacked.of(own, ordered) : StringPadded.of(own, form, ordered);
            StringSparse sparse = new StringSparse(shape, sorted.indices, values);
            sorted.values().close();
            return sparse;
        } catch (Throwable e) {
            sorted.close();
            if (values != null) {
                values.close();
            }
            throw e;
        }
    }
}
