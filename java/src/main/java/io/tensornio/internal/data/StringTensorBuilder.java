package io.tensornio.internal.data;

import io.tensornio.StringTensorData;
import io.tensornio.internal.element.StringElement;
import io.tensornio.internal.element.StringSource;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.string.StringBlock;
import io.tensornio.internal.string.StringPadding;
import java.util.Arrays;
import java.util.Objects;

/** A STRING tensor that is being filled: what {@code init} is given, and the memory that it becomes. */
public interface StringTensorBuilder {
    /**
     * For strings of any length.
     *
     * @param shape the caller's shape; {@code [-1]} for as many strings as will be read
     * @return an empty one
     * @throws IllegalArgumentException if a size is negative otherwise, or there are more bytes than a {@code long} can count
     * @throws OutOfMemoryError if one buffer cannot hold so many
     */
    static StringTensorBuilder of(long... shape) {
        return isGrowing(shape) ? new StreamedStrings(null) : StringCollector.of(Shapes.check(shape, StringElement.BYTES));
    }

    /**
     * For strings of a fixed length in bytes.
     *
     * @param shape the caller's shape; {@code [-1]} for as many strings as will be read
     * @param elementLength the bytes of an element
     * @param padding what is after shorter ones, 0 to 127
     * @return an empty one
     * @throws IllegalArgumentException if a size is negative otherwise, or there are more bytes than a {@code long} can count; or if the length or
     *     the padding is out of range
     * @throws OutOfMemoryError if the memory is not available, or one buffer cannot hold it
     */
    static StringTensorBuilder of(long[] shape, int elementLength, int padding) {
        boolean isGrowing = isGrowing(shape);
        StringPadding form = new StringPadding(elementLength, padding);
        return isGrowing ? new StreamedStrings(form) : new StringPadded(Shapes.check(shape, Math.max(1, elementLength)), form);
    }

    /** Whether the length is that of a stream, which only a vector can take. */
    static boolean isGrowing(long... shape) {
        Objects.requireNonNull(shape, "shape");
        return Arrays.equals(shape, new long[] {-1});
    }

    /**
     * Copies data to what {@code init} was given, of which nothing has been written yet.
     *
     * @param fresh the data of all elements
     * @param data data of the same shape
     * @throws io.tensornio.TensorClosedException if the data's tensor is closed
     */
    static void fill(StringTensorData fresh, StringTensorData data) {
        if (!OwnData.isSparse(data)) {
            fresh.put(data);
            return;
        }
        StringSource target = ((StringData) fresh).source();
        try (SparseEntries entries = SparseEntries.of(data)) {
            while (entries.next()) {
                target.writeBytes(StringCarrier.bytes(entries), entries.number());
            }
        }
    }

    /**
     * What {@code init} is given.
     *
     * @return the data of all elements
     */
    StringTensorData data();

    /**
     * Ends the filling; what is written from now on is refused.
     *
     * @return the tensor's memory, which the caller has to close
     * @throws IllegalStateException if the length is still unknown
     * @throws OutOfMemoryError if the memory is not available, or one buffer cannot hold it
     */
    StringBlock finish();

    /** Gives the memory back if {@code init} or what came after it has failed. */
    void close();
}
