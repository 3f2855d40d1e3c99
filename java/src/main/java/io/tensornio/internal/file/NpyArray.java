package io.tensornio.internal.file;

import io.tensornio.DataType;
import io.tensornio.StringTensorData;
import io.tensornio.StringTensorIterator;
import io.tensornio.Tensor;
import io.tensornio.TensorData;
import io.tensornio.TensorDescription;
import io.tensornio.TensorLayout;
import io.tensornio.Tensors;
import io.tensornio.internal.data.AnyData;
import io.tensornio.internal.data.WritableTensor;
import io.tensornio.internal.layout.Shapes;
import io.tensornio.internal.memory.Bytes;
import io.tensornio.internal.ragged.RaggedShapes;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/** An array in NumPy's form: a header and its elements. */
public final class NpyArray {
    private NpyArray() {
    }

    // ---- Reading -------------------------------------------------------------------------------------------------------

    /** What a header says of its array. */
    static TensorDescription describe(NpyHeader header) {
        return header.isFortran && header.strings == 0 ? TensorDescription.of(header.type, TensorLayout.columnMajor(header.shape))
            : TensorDescription.of(header.type, header.shape);
    }

    /** Reads an array, of a type if that is not null; the input is then behind it. */
    static Tensor<?> read(ByteInput in, DataType wanted) throws IOException {
        return elements(in, NpyHeader.read(in, wanted));
    }

    /** Reads the elements. */
    static Tensor<?> elements(ByteInput in, NpyHeader header) throws IOException {
        if (header.strings != 0) {
            long count = Shapes.product(header.shape);
            try (WritableTensor bytes = ElementInput.read(in, DataType.UINT8, false, count * header.width)) {
                return new NpyStrings(in, header, new Bytes(bytes.bytes())).tensor();
            }
        }
        if (!header.isFortran || header.shape.length < 2) {
            try (WritableTensor elements = ElementInput.read(in, header.type, header.isSwapped, header.shape)) {
                return elements.publish();
            }
        }
        try (WritableTensor elements = ElementInput.read(in, header.type, header.isSwapped, reversed(header.shape));
                Tensor<?> columns = elements.publish()) {
            return AnyData.computed(AnyData.of(columns).transpose());
        }
    }

    static long[] reversed(long... shape) {
        long[] reversed = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            reversed[d] = shape[shape.length - 1 - d];
        }
        return reversed;
    }

    // ---- Writing -------------------------------------------------------------------------------------------------------

    /**
     * Checks that there is an array of data.
     *
     * @throws IllegalArgumentException if it is ragged, or of a type that NumPy does not have
     */
    public static void check(TensorData<?> data) {
        Objects.requireNonNull(data, "data");
        if (RaggedShapes.isRagged(data.shape())) {
            throw new IllegalArgumentException("rows of individual lengths, as of ragged data of shape " + Arrays.toString(data.shape())
                + ", are no array of NumPy: toDense(padding) makes them equal, and values() and rowSplits(1) are arrays");
        }
        if (data.dataType() != DataType.STRING && !ElementCodes.isNpy(data.dataType())) {
            throw new IllegalArgumentException(data.dataType() + " is no type of NumPy; Safetensors has it");
        }
    }

    /** Writes the bytes that NumPy writes for an array of these elements; nothing is closed. */
    static void write(OutputStream out, TensorData<?> data) throws IOException {
        check(data);
        boolean isFortran = data.rank() > 1 && data.totalSize() > 0 && !data.isContiguous() && data.transpose().isContiguous();
        TensorData<?> inOrder = isFortran ? data.transpose() : data;
        if (data.dataType() == DataType.STRING) {
            writeStrings(out, isFortran, (StringTensorData) inOrder, data.shape());
            return;
        }
        out.write(NpyHeader.written(data.dataType(), isFortran, data.shape()));
        try (ElementOutput elements = new ElementOutput(out)) {
            elements.write(inOrder);
        }
    }

    private static void writeStrings(OutputStream out, boolean isFortran, StringTensorData data, long... shape) throws IOException {
        int longest = 1;
        for (StringTensorIterator all = data.scalars(); all.hasMoreElements(); ) {
            String text = all.get();
            if (!text.isEmpty() && text.charAt(text.length() - 1) == 0) {
                throw new IllegalArgumentException("NumPy cuts off the NUL at the end of the string \"" + text.replace("\0", "\\0") + "\"");
            }
            longest = Math.max(longest, text.codePointCount(0, text.length()));
        }
        out.write(NpyHeader.written(longest, isFortran, shape));
        byte[] element = new byte[4 * longest];
        for (StringTensorIterator all = data.scalars(); all.hasMoreElements(); ) {
            int[] points = all.get().codePoints().toArray();
            if (points.length > longest) {
                throw new IllegalStateException("strings became longer while they were written");
            }
            for (int n = 0; n < longest; n++) {
                int point = n < points.length ? points[n] : 0;
                for (int b = 0; b < 4; b++) {
                    element[4 * n + b] = (byte) (point >> 8 * b);
                }
            }
            out.write(element);
        }
    }
}
