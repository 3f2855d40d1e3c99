package io.tensornio.internal.data;

import io.tensornio.DataType;
import io.tensornio.TensorData;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.ragged.RaggedShapes;
import java.util.Arrays;

/** Equality and hash of data of any classes, as {@code equals} and {@code hashCode} of each data define them. */
final class Equality {
    /** The minimum number of elements of views of pieces that are compared by way of arrays, part by part. */
    private static final int FEW = 64;

    private Equality() {
    }

    /** Whether data is equal to an object: data of the same type and shape with equal elements. */
    static <D extends TensorData<D>, A> boolean equal(Carrier<D, A> carrier, D data, Object other) {
        if (data == other) {
            return true;
        }
        if (!carrier.isData(other)) {
            return false;
        }
        @SuppressWarnings("unchecked")
        D that = (D) other;
        OpenCheck.check(data);            // before the shapes are compared, which closed data still has
        OpenCheck.check(that);
        if (data.dataType() != that.dataType() || !Arrays.equals(data.shape(), that.shape())) {
            return false;
        }
        if (OwnData.isSparse(data) && OwnData.isSparse(that)) {
            try (SparseEntries a = SparseEntries.of(data); SparseEntries b = SparseEntries.of(that)) {
                return SparseEntries.equal(a, b);
            }
        }
        if (RaggedShapes.isRagged(data.shape())) {
            RaggedLayout rows = RaggedRows.of(that);
            if (rows == null || !RaggedRows.of(data).hasSameRows(rows)) {          // the rows of user-defined data are unknown
                return false;
            }
        }
        if (isCopiedAtOnce(data) && isCopiedAtOnce(that) && !(data.totalSize() < FEW && (hasPieces(data) || hasPieces(that)))) {
            int n = (int) Math.min(data.totalSize(), OwnData.CHUNK);
            return equalAtOnce(carrier, OwnData.own(data), OwnData.own(that), carrier.array(n), carrier.array(n));
        }
        return carrier.equalEach(data, that);
    }

    private static boolean isCopiedAtOnce(TensorData<?> data) {
        return data instanceof OwnData && (((OwnData<?, ?>) data).isCopiedAtOnce() || hasPieces(data));
    }

    private static boolean hasPieces(TensorData<?> data) {
        return data instanceof OwnData && data.dataType() != DataType.STRING && PieceCopies.pieces(((OwnData<?, ?>) data).source()) != null;
    }

    /**
     * Compares through two staging arrays of one length, in parts that fit. After the elements of a short part they
     * hold those of earlier parts, which were equal.
     */
    private static <D extends TensorData<D>, A> boolean equalAtOnce(Carrier<D, A> carrier, OwnData<D, A> data, OwnData<D, A> that, A a, A b) {
        long n = data.totalSize();
        int most = carrier.length(a);
        if (n <= most) {
            data.readAll(a, 0);
            that.readAll(b, 0);
            return carrier.equalArrays(a, b);
        }
        OwnData<D, A> rows = OwnData.own(DataPart.withoutOnes(data.self()));
        OwnData<D, A> others = OwnData.own(DataPart.withoutOnes(that.self()));
        long count = rows.size(0);
        long step = Math.max(1, most / (n / count));
        for (long at = 0; at < count; at += step) {
            long some = Math.min(step, count - at);
            if (!equalAtOnce(carrier, rows.part(at, some), others.part(at, some), a, b)) {
                return false;
            }
        }
        return true;
    }

    /** The hash of data. */
    static <D extends TensorData<D>, A> int hash(Carrier<D, A> carrier, D data) {
        int hash = 31 * carrier.type.name().hashCode() + Arrays.hashCode(data.shape());
        if (OwnData.isSparse(data)) {
            try (SparseEntries entries = SparseEntries.of(data)) {
                return entries.hash(hash);
            }
        }
        return carrier.hashEach(data, RaggedShapes.isRagged(data.shape()) ? RaggedRows.of(data).hashRows(hash) : hash);
    }
}
