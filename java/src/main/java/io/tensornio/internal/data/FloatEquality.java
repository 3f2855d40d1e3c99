package io.tensornio.internal.data;

import io.tensornio.FloatTensorData;
import io.tensornio.FloatTensorIterator;
import io.tensornio.internal.element.FloatElement;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.ragged.RaggedShapes;
import java.util.Arrays;
import java.util.Objects;

/** Equality and hash of {@code float} data of any classes, as {@link FloatTensorData#equals} defines them. */
public final class FloatEquality {
    private FloatEquality() {
    }

    /**
     * Whether data is equal to something.
     *
     * @param data the data
     * @param other any object or null
     * @return true if it is data of the same type and shape with equal elements
     */
    public static boolean equal(FloatTensorData data, Object other) {
        if (data == other) {
            return true;
        }
        if (!(other instanceof FloatTensorData)) {
            return false;
        }
        FloatTensorData that = (FloatTensorData) other;
        OpenCheck.check(data);            // before the shapes are compared, which closed data still has
        OpenCheck.check(that);
        if (data.dataType() != that.dataType() || !Arrays.equals(data.shape(), that.shape())) {
            return false;
        }
        if (FloatSparseEntries.has(data) && FloatSparseEntries.has(that)) {
            try (FloatSparseEntries a = FloatSparseEntries.of(data); FloatSparseEntries b = FloatSparseEntries.of(that)) {
                return FloatSparseEntries.equal(a, b);
            }
        }
        if (RaggedShapes.isRagged(data.shape())) {
            RaggedLayout rows = RaggedRows.of(that);
            if (rows == null || !RaggedRows.of(data).hasSameRows(rows)) {          // the rows of user-defined data are unknown
                return false;
            }
        }
        if (isCopiedAtOnce(data) && isCopiedAtOnce(that)) {
            int n = (int) Math.min(data.totalSize(), FloatData.CHUNK);
            return equalAtOnce((FloatData) data, (FloatData) that, new float[n], new float[n]);
        }
        FloatTensorIterator a = Objects.requireNonNull(data.scalars(), "scalars() gave null");
        FloatTensorIterator b = Objects.requireNonNull(that.scalars(), "scalars() gave null");
        while (a.hasMoreElements()) {
            if (!FloatElement.equal(FloatView.next(a), FloatView.next(b))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isCopiedAtOnce(FloatTensorData data) {
        return data instanceof FloatData && ((FloatData) data).isCopiedAtOnce();
    }

    /**
     * Compares through two staging arrays of one length, in parts that fit. After the elements of a short part they
     * hold those of earlier parts, which were equal.
     */
    private static boolean equalAtOnce(FloatData data, FloatData that, float[] a, float[] b) {
        long n = data.totalSize();
        if (n <= a.length) {
            data.readAll(a, 0);
            that.readAll(b, 0);
            return Arrays.equals(a, b);             // has the same definition of equal as FloatElement.equal
        }
        FloatData rows = (FloatData) FloatSelection.withoutOnes(data);
        FloatData others = (FloatData) FloatSelection.withoutOnes(that);
        long count = rows.size(0);
        long step = Math.max(1, a.length / (n / count));
        for (long at = 0; at < count; at += step) {
            long some = Math.min(step, count - at);
            if (!equalAtOnce(rows.part(at, some), others.part(at, some), a, b)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The hash of data.
     *
     * @param data the data
     * @return the hash that {@link FloatTensorData#hashCode} defines
     */
    public static int hash(FloatTensorData data) {
        int hash = 31 * data.dataType().name().hashCode() + Arrays.hashCode(data.shape());
        if (FloatSparseEntries.has(data)) {
            try (FloatSparseEntries entries = FloatSparseEntries.of(data)) {
                return entries.hash(hash);
            }
        }
        if (RaggedShapes.isRagged(data.shape())) {
            hash = RaggedRows.of(data).hashRows(hash);
        }
        FloatTensorIterator scalars = Objects.requireNonNull(data.scalars(), "scalars() gave null");
        while (scalars.hasMoreElements()) {
            hash = 31 * hash + FloatElement.hash(FloatView.next(scalars));
        }
        return hash;
    }
}
