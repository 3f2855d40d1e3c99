package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.layout.OpenCheck;
import io.tensornio.internal.ragged.RaggedLayout;
import io.tensornio.internal.ragged.RaggedShapes;
import java.util.Arrays;
import java.util.Objects;

/** Equality and hash of {@code String} data of any classes, as {@link StringTensorData#equals} defines them. */
public final class StringEquality {
    private StringEquality() {
    }

    /**
     * Whether data is equal to something.
     *
     * @param data the data
     * @param other any object or null
     * @return true if it is data of the same type and shape with equal elements
     */
    public static boolean equal(StringTensorData data, Object other) {
        if (data == other) {
            return true;
        }
        if (!(other instanceof StringTensorData)) {
            return false;
        }
        StringTensorData that = (StringTensorData) other;
        OpenCheck.check(data);            // before the shapes are compared, which closed data still has
        OpenCheck.check(that);
        if (!Arrays.equals(data.shape(), that.shape())) {
            return false;
        }
        if (StringSparseEntries.has(data) && StringSparseEntries.has(that)) {
            try (StringSparseEntries a = StringSparseEntries.of(data); StringSparseEntries b = StringSparseEntries.of(that)) {
                return StringSparseEntries.equal(a, b);
            }
        }
        if (RaggedShapes.isRagged(data.shape())) {
            RaggedLayout rows = StringRagged.treeOf(that);
            if (rows == null || !StringRagged.treeOf(data).hasSameRows(rows)) {          // the rows of user-defined data are unknown
                return false;
            }
        }
        StringTensorIterator a = Objects.requireNonNull(data.scalars(), "scalars() gave null");
        StringTensorIterator b = Objects.requireNonNull(that.scalars(), "scalars() gave null");
        while (a.hasMoreElements()) {
            if (!StringElement.next(a).equals(StringElement.next(b))) {
                return false;
            }
        }
        return true;
    }

    /**
     * The hash of data.
     *
     * @param data the data
     * @return the hash that {@link StringTensorData#hashCode} defines
     */
    public static int hash(StringTensorData data) {
        int hash = 31 * StringElement.TYPE.name().hashCode() + Arrays.hashCode(data.shape());
        if (StringSparseEntries.has(data)) {
            try (StringSparseEntries entries = StringSparseEntries.of(data)) {
                return entries.hash(hash);
            }
        }
        if (RaggedShapes.isRagged(data.shape())) {
            hash = StringRagged.treeOf(data).hashRows(hash);
        }
        StringTensorIterator scalars = Objects.requireNonNull(data.scalars(), "scalars() gave null");
        while (scalars.hasMoreElements()) {
            hash = 31 * hash + StringElement.next(scalars).hashCode();
        }
        return hash;
    }
}
